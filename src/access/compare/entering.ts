import type { Entering } from "../../model/access.ts";
import { isShutOut } from "../blocked.ts";
import { textsOf } from "../groups.ts";
import type { AccessModel } from "../model.ts";
import type { Subject } from "../subject.ts";
import { changed } from "./touched.ts";

export function enteringOf(before: AccessModel, after: AccessModel): readonly Entering[] {
  const blocks = [before, after].map(({ state }) => [...state.blocks.values()]);
  const touched = changed(before.state.blocks, after.state.blocks);
  if (touched.length === 0) return [];
  const [was = [], is = []] = blocks;
  const verdicts = (subject: Subject) => ({ before: isShutOut(was, subject), after: isShutOut(is, subject) });
  const named = [...was, ...is].flatMap((block) => {
    const { type } = block;
    if (type !== "name" && type !== "ip" && type !== "net_mask") return [];
    return textsOf(block, "value").map((value) => ({ type, value }) as const);
  });
  const unique = [...new Map(named.map((who) => [JSON.stringify(who), who])).values()];
  const anybody = { who: "everybody" as const, ...verdicts(unnamed(unique)) };
  const others = anybody.before === anybody.after ? undefined : anybody;
  const ofNamed = unique
    .map((who) => ({ who, ...verdicts(subjectOf(who)) }))
    .filter(
      (one) => one.before !== one.after && !(others && one.before === others.before && one.after === others.after),
    );
  return [...(others ? [others] : []), ...ofNamed];
}

/** Somebody whom no block names, at an address that none does, as far as there is one. */
function unnamed(blocks: readonly Named[]): Subject {
  const isNamed = (subject: Subject): boolean =>
    blocks.some(({ type, value }) => isShutOut([{ type, verdict: "disallow", value: [value] }], subject) === "yes");
  const find = (subjects: readonly Subject[]): Subject | undefined => subjects.find((subject) => !isNamed(subject));
  const named = find(names.map((name) => ({ backendRoles: [], user: { name } })));
  const placed = find(addresses.map((name) => ({ backendRoles: [], host: { name } })));
  return { backendRoles: [], user: { pattern: "*" }, host: "unknown", ...named, ...placed };
}

const names = ["somebody", "0", "zoe@example.org"];
/** For documentation: nobody comes from there. */
const addresses = ["203.0.113.9", "198.51.100.9", "192.0.2.9", "2001:db8::9"];

interface Named {
  readonly type: "name" | "ip" | "net_mask";
  readonly value: string;
}

function subjectOf({ type, value }: Named): Subject {
  if (type === "name") {
    return { backendRoles: [], user: /[*?]|^\/.*\/$/s.test(value) ? { pattern: value } : { name: value } };
  }
  return { backendRoles: [], host: { name: value.split("/", 1)[0] ?? "" } };
}
