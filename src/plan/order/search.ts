import { getBitsWhere, listPlaces } from "./bits.ts";

/** The batches that requests may make, and the rules of that. A set of batches is a number with one bit for each. */
export interface Space {
  /** By family, in the usual order: the batches of each of its requests. */
  readonly families: readonly (readonly bigint[])[];
  /** The batches of the requests that are always sent first. */
  readonly start: bigint;
  /** That of bit 0 first. */
  readonly batches: readonly SearchBatch[];
  readonly rules: readonly Rule[];
  /** Asked before each check of a rule: false ends the search. */
  readonly mayCheck: () => boolean;
}

/** A part of a request that is always made at once; a request may leave it for a later one of its family. */
export interface SearchBatch {
  /** The change that it is a part of, compared by identity; absent where it is of several changes. */
  readonly change?: unknown;
  readonly kind?: "adding" | "removing" | undefined;
}

/** Whether a request may lead from one intermediate state to another; only these bits of both decide it. */
export interface Rule {
  readonly bits: bigint;
  readonly allows: (made: bigint, next: bigint) => boolean;
}

/** All batches that are made after each request, those of earlier requests included. */
type Masks = readonly bigint[];

/**
 * A route until all is made in the fewest turns, the one nearest to the usual order where there are several; undefined
 * where none is found. In a turn one family sends its requests, each with as much as the rules allow; or of that only
 * what adds something, or only what removes something. This is not every choice that there is: a route may be missed.
 * Where a family has one request, a turn is a request; where it has many, a route of more turns may have fewer requests.
 */
export function searchRoute(space: Space): Masks | undefined {
  const { families, start, batches } = space;
  const all = families.flat().reduce((bits, request) => bits | request, start);
  const ofKind = (wanted: SearchBatch["kind"]) => getBitsWhere(batches, ({ kind }) => kind === wanted);
  const selections = [all, ofKind("adding"), ofKind("removing")];
  const reached = new Map<bigint, Reached>([[start, { from: start, masks: [] }]]);
  for (const from of reached.keys()) {
    if (from === all) return traceBack(reached, all, start);
    for (const requests of families) {
      for (const selection of selections) {
        const masks = makeMost(space, from, requests, selection);
        const next = masks.at(-1);
        if (next !== undefined && !reached.has(next)) reached.set(next, { from, masks });
      }
    }
  }
  return undefined;
}

interface Reached {
  readonly from: bigint;
  readonly masks: Masks;
}

function traceBack(reached: ReadonlyMap<bigint, Reached>, all: bigint, start: bigint): Masks {
  const steps: Masks[] = [];
  for (let at = all; at !== start; ) {
    const { from = start, masks = [] } = reached.get(at) ?? {};
    steps.unshift(masks);
    at = from;
  }
  return steps.flat();
}

/** What is made after each request of a family; requests of which nothing may be made are left for later. */
function makeMost(space: Space, from: bigint, requests: readonly bigint[], selection: bigint): Masks {
  const masks: bigint[] = [];
  let made = from;
  for (const request of requests) {
    const part = findMostAllowed(space, made, request & selection & ~made);
    if (part === 0n) continue;
    made |= part;
    masks.push(made);
  }
  return masks;
}

/** Of some batches, as many as all rules allow at once: where one forbids it, as little as helps is left for later. */
function findMostAllowed({ rules, batches, mayCheck }: Space, made: bigint, wanted: bigint): bigint {
  let part = wanted;
  for (let isChecked = false; !isChecked; ) {
    isChecked = true;
    for (const { bits, allows } of rules) {
      const own = part & bits;
      if (own === 0n) continue;
      const mayMake = (some: bigint): boolean => allows(made & bits, (made & bits) | some);
      if (!mayCheck()) return 0n;
      if (mayMake(own)) continue;
      const kept = listLess(own, batches).find((some) => some === 0n || (mayCheck() && mayMake(some)));
      part = (part & ~own) | (kept ?? 0n);
      isChecked = false;
    }
  }
  return part;
}

/** More batches, or changes, than these are not left out one by one. */
const mostLeftOut = 12;

/** Less than some batches: without one of them, or one change; those of one kind, or of one change; none. */
function listLess(bits: bigint, batches: readonly SearchBatch[]): readonly bigint[] {
  const places = listPlaces(bits);
  const groupBy = (key: (batch: SearchBatch) => unknown): readonly bigint[] => {
    const groups = new Map<unknown, bigint>();
    for (const place of places) {
      const group = key(batches[place] ?? {});
      if (group !== undefined) groups.set(group, (groups.get(group) ?? 0n) | (1n << BigInt(place)));
    }
    return [...groups.values()];
  };
  const changes = groupBy(({ change }) => change).slice(0, mostLeftOut);
  const single = places.slice(0, mostLeftOut).map((place) => 1n << BigInt(place));
  const without = [...single, ...changes].map((some) => bits & ~some);
  return [...without, ...groupBy(({ kind }) => kind), ...changes, 0n].filter((some) => some !== bits);
}
