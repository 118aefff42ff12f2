import { textsOf } from "../groups.ts";
import { type AccessModel, modelOf, narrowed, overlaid } from "../model.ts";
import { subjectOf, type Way } from "../subject.ts";
import type { Concerned } from "./between.ts";
import { pairsAmong, pairsOf, together } from "./pairs.ts";
import { changed, mostJudged, principalsOf, touchedRoles } from "./touched.ts";

/** More than these nobody waits for. */
const mostConcerned = 500;
const mostPaired = 40;

/** Whom the way from one state to another may concern: principals, and pairs of them, as the differences tell them. */
export function concernedBy(before: AccessModel, after: AccessModel): readonly Concerned[] {
  const models = [before, after];
  const touched = touchedRoles(before.state, after.state);
  const principals = principalsOf(touched, models)
    .slice(0, mostJudged(models))
    .map(({ way, subject }): Concerned => ({ who: { kind: "principal", way }, subject }));
  const between = crossed(before, after, touched);
  const { pairs } = between.length > 0 ? pairsAmong(touched, [...models, ...between]) : pairsOf(touched, models);
  const restricted = pairs.map(
    ({ first, second, subject }): Concerned => ({ who: { kind: "pair", ways: [first.way, second.way] }, subject }),
  );
  // One may lose what the other comes to have: whoever is both has it all along, but perhaps not in between.
  const own = principalsOf(touched, models).slice(0, Math.min(mostPaired, mostJudged(models)));
  const both = [
    ...waysOfBlocks(before, after).flatMap((way) => own.map((one) => [way, one.way] as const)),
    ...own.flatMap((one, at) => own.slice(at + 1).map((other) => [one.way, other.way] as const)),
  ].flatMap((ways): readonly Concerned[] => {
    const subject = together(subjectOf(ways[0]), subjectOf(ways[1]));
    return subject ? [{ who: { kind: "pair", ways }, subject }] : [];
  });
  return [...principals, ...both, ...restricted].slice(0, mostConcerned);
}

/** Those that are let in shut out everybody else. The address is one of those kept for examples. */
const unnamed = { users: "anybody else", hosts: "203.0.113.99" } as const;

/** Whoever has a role of one side as the other side restricts it is restricted in between alone. */
function crossed(before: AccessModel, after: AccessModel, touched: ReadonlySet<string>): readonly AccessModel[] {
  const [old, wanted] = [before.state, after.state];
  if (changed(old.roles, wanted.roles).length === 0 || changed(old.mappings, wanted.mappings).length === 0) return [];
  const [was, will] = [narrowed(before, touched).state, narrowed(after, touched).state];
  return [
    overlaid(before, modelOf({ ...was, mappings: will.mappings }), touched),
    overlaid(before, modelOf({ ...will, mappings: was.mappings }), touched),
  ];
}

/** Whom a block that comes, goes or changes is about. */
function waysOfBlocks(before: AccessModel, after: AccessModel): readonly Way[] {
  const names = changed(before.state.blocks, after.state.blocks);
  return names.flatMap((name) =>
    [before, after].flatMap(({ state }): readonly Way[] => {
      const block = state.blocks.get(name);
      if (!block) return [];
      const field = block.type === "name" ? "users" : "hosts";
      const named = textsOf(block, "value").map((value) => value.split("/", 1)[0] ?? "");
      const all = block.verdict === "allow" ? [...named, unnamed[field]] : named;
      return all.map((value): Way => ({ field, entries: [value] }));
    }),
  );
}
