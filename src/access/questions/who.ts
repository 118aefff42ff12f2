import { byCodeUnit } from "../../json/canonical.ts";
import type { AccessModel } from "../model.ts";
import { type Subject, type Way, waysOf } from "../subject.ts";
import { internalUserWays, subjectIn } from "../users.ts";

/** Somebody to ask about: whoever has one entry of a mapping and nothing else, or a persona. */
export type Principal =
  | { readonly kind: "entry"; readonly way: Way; readonly subject: Subject }
  | { readonly kind: "persona"; readonly name: string; readonly subject: Subject };

/** Every entry of every mapping, and every internal user, once. */
export function principalsIn({ state }: AccessModel): readonly Principal[] {
  const ways = new Map<string, Way>();
  const all = [...[...state.mappings.values()].flatMap(waysOf), ...internalUserWays(state)];
  for (const way of all) ways.set(JSON.stringify([way.field, ...way.entries]), way);
  return [...ways.values()]
    .toSorted(
      (a, b) =>
        order.indexOf(a.field) - order.indexOf(b.field) || byCodeUnit(a.entries.join("\n"), b.entries.join("\n")),
    )
    .map((way) => ({ kind: "entry", way, subject: subjectIn(state, way) }));
}

const order: readonly Way["field"][] = ["users", "backend_roles", "and_backend_roles", "hosts", "itself"];
