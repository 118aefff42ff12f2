import { textsOf } from "../groups.ts";
import { type AccessModel, modelOf, narrowed, overlaid } from "../model.ts";
import type { Way } from "../subject.ts";
import { subjectIn } from "../users.ts";
import type { Concerned } from "./between.ts";
import { grantsFinder } from "./grants.ts";
import { pairsAmong, pairsOf, together } from "./pairs.ts";
import { changed, mostJudged, type Principal, touchedBy } from "./touched.ts";

/** More than these nobody waits for. */
const mostPrincipals = 10_000;
const mostSorts = 40;

export interface AllConcerned {
  readonly concerned: readonly Concerned[];
  /** How many principals there are beyond those. */
  readonly others: number;
  /** Not everybody who is two principals at once is among them. */
  readonly tooManyPairs: boolean;
}

/** Whom the way from one state to another may concern: principals, personas, and whoever is two principals. */
export function concernedBy(
  before: AccessModel,
  after: AccessModel,
  personas: readonly Concerned[] = [],
): AllConcerned {
  const models = [before, after];
  const all = touchedBy(before, after);
  const { roles: touched, everybody } = all;
  const principals = everybody.slice(0, mostJudged(models, mostPrincipals));
  const between = crossed(before, after, touched);
  const restricted = pairsOf(before, after);
  const midway = between.length > 0 ? pairsAmong(all, [...models, ...between], restricted.firsts) : undefined;
  const sorts = sortsOf(principals, [narrowed(before, touched), narrowed(after, touched)]);
  const own = sorts.slice(0, mostSorts);
  // One may lose what the other comes to have: whoever is both has it all along, but perhaps not in between.
  const both = [
    ...waysOfBlocks(before, after).flatMap((way) => own.map((one) => [way, one.way] as const)),
    ...own.flatMap((one, at) => own.slice(at + 1).map((other) => [one.way, other.way] as const)),
  ].flatMap((ways): readonly Concerned[] => {
    const subject = together(subjectIn(before.state, ways[0]), subjectIn(before.state, ways[1]));
    return subject ? [{ who: { kind: "pair", ways }, subject }] : [];
  });
  return {
    concerned: [
      ...personas,
      ...principals.map(({ way, subject }): Concerned => ({ who: { kind: "principal", way }, subject })),
      ...[...restricted.pairs, ...(midway?.pairs ?? [])].map(
        ({ first, second, subject }): Concerned => ({ who: { kind: "pair", ways: [first.way, second.way] }, subject }),
      ),
      ...both,
    ],
    others: everybody.length - principals.length,
    tooManyPairs: restricted.tooMany || midway?.tooMany || own.length < sorts.length,
  };
}

/** One of each sort of principals to whom the plan does the same. */
function sortsOf(principals: readonly Principal[], ends: readonly AccessModel[]): readonly Principal[] {
  const grantsOf = grantsFinder();
  const sorts = new Map<string, Principal>();
  for (const principal of principals) {
    const grants = ends.map((end) => grantsOf(end, principal.subject).key);
    const key = JSON.stringify([principal.way.field, ...grants]);
    if (!sorts.has(key)) sorts.set(key, principal);
  }
  return [...sorts.values()];
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
