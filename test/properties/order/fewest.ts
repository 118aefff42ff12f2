// The fewest requests by which some order of edits leads from one fixture to another and is clean all the way, found by
// trying every one: the second opinion on orders and splits, which shares nothing with the planner.
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { breachesBetween } from "./batches.ts";
import { type Fragment, fixtureWith, fragmentsBetween } from "./fragments.ts";

/** More edits than these have too many orders. */
export const mostFragments = 10;

export type Fewest = number | "none" | "too many edits";

export interface Asked {
  readonly before: Fixture;
  readonly after: Fixture;
  /** A mapping whose role is not there is refused. */
  readonly checksRoles: boolean;
  /** More requests are of no interest; absent: any number. */
  readonly most?: number;
}

/** Sets of edits are numbers with a bit for each. */
export function fewestRequests({ before, after, checksRoles, most = Number.POSITIVE_INFINITY }: Asked): Fewest {
  const fragments = fragmentsBetween(before, after);
  if (fragments.length > mostFragments) return "too many edits";
  const [all, families] = [2 ** fragments.length - 1, familyMasks(fragments)];
  const breachesOf = breachesBetween(before, after);
  const fixtureAt = remembered((made) => fixtureWith(chosen(fragments, made), fragments, before, after));
  const isClean = remembered((made) => made === all || breachesOf(fixtureAt(made)).length === 0);
  const isTaken = (from: number, to: number) =>
    !checksRoles || isAccepted(chosen(fragments, to & ~from), fixtureAt(to));
  const isWellFormed = (made: number) => canBe(fixtureAt(made));

  const seen = new Set([0]);
  let front = [0];
  for (let requests = 0; front.length > 0 && requests <= most; requests++) {
    if (seen.has(all)) return requests;
    const next = front.flatMap((from) =>
      families.flatMap((family) => subsets(family & ~from).map((step) => [from, from | step] as const)),
    );
    front = [];
    for (const [from, to] of next) {
      if (seen.has(to) || !isWellFormed(to) || !isTaken(from, to) || !isClean(to)) continue;
      seen.add(to);
      front.push(to);
    }
  }
  return "none";
}

/** A block is about a principal, and Search Guard 6 has one place for all that it keeps of a pattern. */
function canBe({ product, roles, blocks = [] }: Fixture): boolean {
  const patternsOf = (role: Fixture["roles"][string]) =>
    (role.index_permissions ?? []).flatMap(({ index_patterns = [] }) => index_patterns);
  const hasPlace = Object.values(roles).every((role) => new Set(patternsOf(role)).size === patternsOf(role).length);
  return blocks.every(({ value }) => (value ?? []).length > 0) && (product !== "search-guard-6" || hasPlace);
}

function familyMasks(fragments: readonly Fragment[]): readonly number[] {
  const masks = new Map<ResourceFamily, number>();
  for (const [at, { family }] of fragments.entries()) masks.set(family, (masks.get(family) ?? 0) | (1 << at));
  return [...masks.values()];
}

function chosen(fragments: readonly Fragment[], made: number): ReadonlySet<Fragment> {
  return new Set(fragments.filter((_, at) => (made & (1 << at)) !== 0));
}

function isAccepted(step: ReadonlySet<Fragment>, { roles, mappings }: Fixture): boolean {
  return [...step].every(({ family, name }) => family !== "role_mappings" || !(name in mappings) || name in roles);
}

/** All but the empty one. */
function subsets(mask: number): readonly number[] {
  const found: number[] = [];
  for (let part = mask; part > 0; part = (part - 1) & mask) found.push(part);
  return found;
}

function remembered<T>(of: (made: number) => T): (made: number) => T {
  const known = new Map<number, T>();
  return (made) => {
    const value = known.get(made) ?? of(made);
    known.set(made, value);
    return value;
  };
}
