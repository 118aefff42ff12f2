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
  const others = [
    { who: "everybody" as const, ...verdicts({ backendRoles: [] }) },
    { who: "everybody" as const, ...verdicts({ backendRoles: [], host: { name: "unnamed" } }) },
  ].find((one) => one.before !== one.after);
  const named = [...was, ...is].flatMap((block) => {
    const { type } = block;
    if (type !== "name" && type !== "ip" && type !== "net_mask") return [];
    return textsOf(block, "value").map((value) => ({ type, value }) as const);
  });
  const unique = [...new Map(named.map((who) => [JSON.stringify(who), who])).values()];
  const ofNamed = unique
    .map((who) => ({ who, ...verdicts(subjectOf(who)) }))
    .filter(
      (one) => one.before !== one.after && !(others && one.before === others.before && one.after === others.after),
    );
  return [...(others ? [others] : []), ...ofNamed];
}

function subjectOf({ type, value }: { readonly type: string; readonly value: string }): Subject {
  if (type === "name") {
    return { backendRoles: [], user: /[*?]|^\/.*\/$/s.test(value) ? { pattern: value } : { name: value } };
  }
  return { backendRoles: [], host: { name: value.split("/", 1)[0] ?? "" } };
}
