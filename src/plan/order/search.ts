import { getBitsWhere, listPlaces } from "./bits.ts";

/** What requests may make. Sets of batches are bits. */
export interface Space {
  /** By family, in the usual order: what each of its requests makes. */
  readonly families: readonly (readonly bigint[])[];
  /** What is made before anything is chosen. */
  readonly start: bigint;
  /** By bit. */
  readonly batches: readonly SearchBatch[];
  readonly rules: readonly Rule[];
  /** Asked before each check of a rule: false ends the search. */
  readonly mayCheck: () => boolean;
}

/** What a request makes, or leaves for a later one. */
export interface SearchBatch {
  /** Absent where it is not one alone. */
  readonly change?: unknown;
  readonly kind?: "adding" | "removing" | undefined;
}

/** Whether a request may lead from one intermediate state to another, as far as some bits of both decide it. */
export interface Rule {
  readonly bits: bigint;
  readonly allows: (made: bigint, next: bigint) => boolean;
}

/** What is made after each request. */
type Masks = readonly bigint[];

/**
 * The shortest route until all is made, the one nearest to the usual order where there are several; undefined where
 * none is found. From each state that is reached, each family makes as much as the rules allow; or of that only what
 * adds something, or only what removes something. This is not every choice that there is: a route may be missed.
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
