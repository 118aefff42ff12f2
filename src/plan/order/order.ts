import type { AccessModel } from "../../access/model.ts";
import type { Change } from "../../model/change.ts";
import { addressOf, type Family } from "../../model/names.ts";
import type { Operation } from "../../model/operation.ts";
import { atomsOf } from "./atoms.ts";
import type { Fault, FaultFinder } from "./faults.ts";
import { cut, type KeyOf, type Moments, type Piece, whole } from "./moments.ts";
import { operationsOf, type Requested, type Route } from "./parts.ts";
import { routeThrough } from "./search.ts";

/** By what an order is judged. */
export interface Judging extends FaultFinder {
  readonly momentsOf: (pieces: readonly Piece[]) => Moments;
}

/** The requests of a plan in the usual order. */
export interface Requests {
  /** They go first, whatever they do. */
  readonly cures: readonly Requested[];
  /** Those whose order decides who holds what in between. */
  readonly ours: readonly Requested[];
  /** Those of the config and the license, before ours and behind. */
  readonly head: readonly Operation[];
  readonly tail: readonly Operation[];
}

export interface Ordered {
  readonly operations: readonly Operation[];
  readonly faults: readonly FaultAfter[];
  /** All that there is to try was tried: no operations at all would be free of these faults. */
  readonly isTriedOut?: boolean;
  /** What was not judged; absent where all of it was. */
  readonly undecided?: readonly string[];
  /** Whoever is two principals at once was not always judged. */
  readonly isUnsureOfPairs?: boolean;
  /** Who may do what after each of the operations; absent where nobody knows. */
  readonly modelsAfter?: () => readonly AccessModel[];
}

/** What is wrong once so many of the operations are done. */
export interface FaultAfter extends Fault {
  readonly after: number;
}

/** Moments that are judged at most, and what they may be made of together: what takes longer nobody waits for. */
const mostJudged = 3_000;
const mostMade = 200_000;
/** Of more requests, only the usual order is judged. */
const mostOrdered = 40;
/** So many pieces are put into every order that there is. */
const mostPieces = 14;
/** So many requests more than usual, where there is no end to the ways to take them apart. */
const mostMore = 3;
/** Of so many requests all orders are compared, where each has a fault. */
const mostCompared = 5;

/**
 * The operations in the order in which nobody, after any of them, holds what neither the state before nor the one after
 * grants, or misses what both grant, none is refused, and whoever applies can go on: the usual order where it is such;
 * else another one; else, by the fewest operations more, one in which what a request would make is taken apart. Where
 * nothing helps, the order in which least is wrong.
 *
 * @param operationsFor the requests for some changes of one family
 */
export function inSafeOrder(
  requests: Requests,
  judging: Judging,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): Ordered {
  const { cures, ours, head, tail } = requests;
  const all = [...cures, ...ours];
  const most = Math.min(mostJudged, Math.floor(mostMade / (1 + lanesOf(all).flat().length)));
  const judge = judgeOf(judging, most);
  const route = found(all, cures.length, judge);
  const { moments, masks } = route;
  const last = masks.at(-1) ?? 0n;
  const steps = operationsOf(route, all, cures.length, operationsFor);
  const front = masks.slice(0, cures.length);
  const cured = front.at(-1) ?? 0n;
  const made = [
    ...cures.map(({ operation }, at) => ({ operation, mask: front[at] ?? 0n })),
    ...head.map((operation) => ({ operation, mask: cured })),
    ...steps.flatMap((some, at) => some.map((operation) => ({ operation, mask: masks[cures.length + at] ?? last }))),
    ...tail.map((operation) => ({ operation, mask: last })),
  ];
  const faults = made.flatMap(({ mask }, at): readonly FaultAfter[] => {
    const before = made[at - 1]?.mask ?? 0n;
    if (mask === before) return [];
    // However long it took to find it: of what is to be sent, all is judged that can be.
    const found = [judging.refused(moments, before, mask), mask === last ? undefined : worst(judging, moments, mask)];
    return found.flatMap((fault) => (fault ? [{ ...fault, after: at + 1 }] : []));
  });
  const unjudged = judge.unjudged();
  const undecided = [
    ...(unjudged.principals > 0 ? [`${unjudged.principals} principals of those concerned are too many to judge`] : []),
    ...(judge.isSpent() ? ["it takes too long to judge all the moments that an order may go through"] : []),
  ];
  return {
    operations: made.map(({ operation }) => operation),
    faults,
    ...(faults.length > 0 && { isTriedOut: atomsIn(lanesOf(all), cures.length) <= mostPieces && !judge.isSpent() }),
    ...(undecided.length > 0 && { undecided }),
    isUnsureOfPairs: unjudged.pairs,
    modelsAfter: () => made.map(({ mask }) => moments.modelAt(mask)),
  };
}

function lanesOf(requests: readonly Requested[]): readonly (readonly Change[])[] {
  return requests.map(({ changes }) => changes);
}

/** As it is where nobody judges what lies in between. */
export function inUsualOrder({ cures, ours, head, tail }: Requests): Ordered {
  const operations = [
    ...cures.map(({ operation }) => operation),
    ...head,
    ...ours.map(({ operation }) => operation),
    ...tail,
  ];
  return { operations, faults: [] };
}

/** Each moment is judged once, and no more of them than anybody would wait for. */
function judgeOf(judging: Judging, most: number): Judging {
  const known = new Map<string, Fault | undefined>();
  const worst = new Map<string, Fault | undefined>();
  let judged = 0;
  return {
    ...judging,
    at(moments, made) {
      const key = moments.keyAt(made);
      if (!known.has(key) && ++judged <= most) known.set(key, judging.at(moments, made));
      return known.get(key);
    },
    worstAt(moments, made) {
      const key = moments.keyAt(made);
      if (!worst.has(key)) worst.set(key, judging.worstAt(moments, made));
      return worst.get(key);
    },
    isSpent: () => judged > most || judging.isSpent(),
  };
}

function found(requests: readonly Requested[], fixed: number, judge: Judging): Route {
  const lanes = lanesOf(requests);
  const moments = judge.momentsOf(whole(lanes));
  const cures = masksInOrder(lanes.keys()).slice(0, fixed);
  const usual: Route = { moments, masks: masksInOrder(lanes.keys()) };
  const avoided = firstFault(usual, judge);
  if (!avoided || lanes.length > mostOrdered) return usual;
  const through = (pieces: Moments, some: number): Route | undefined => {
    const start = bitsOf(pieces.pieces.flatMap(({ lane }, at) => (lane < fixed ? [at] : [])));
    const allows = (made: bigint, next: bigint) =>
      !judge.isSpent() && !judge.refused(pieces, made, next) && !judge.at(pieces, next) && !judge.isSpent();
    const masks = routeThrough({ lanes: pieces.pieces.map(({ lane }) => lane), start, allows }, some - fixed);
    return masks && { moments: pieces, masks: [...cures, ...masks], avoided };
  };
  return (
    through(moments, lanes.length) ??
    takenApart(lanes, fixed, { ...usual, avoided }, judge, through) ??
    leastBad(usual, fixed, judge)
  );
}

/**
 * By the fewest requests that some cut allows. One family alone is cut where that will do, the mappings first: who keeps a
 * role then keeps all of it. Coarse cuts come first, as what they find is easier to follow. Where there is too much to try
 * all of it piece by piece, what the fault is about is, and the rest by what is taken away and what comes.
 */
function takenApart(
  lanes: readonly (readonly Change[])[],
  fixed: number,
  { avoided }: Route,
  judge: Judging,
  through: (moments: Moments, requests: number) => Route | undefined,
): Route | undefined {
  const about = new Set(avoided?.addresses);
  const isAbout = ({ family, name }: Change): boolean => about.has(addressOf(family, name));
  const grains: readonly KeyOf[] = [
    (_, { kind }) => kind,
    (change, { kind }) => (isAbout(change) ? `${kind} ${change.name}` : kind),
    (change, { kind }) => `${kind} ${change.name}`,
    (change, { kind }, at) => (isAbout(change) ? `${at} ${change.name}` : kind),
    ({ name }, _, at) => `${at} ${name}`,
  ];
  const cuttable = lanes.slice(fixed).map((changes) => changes[0]?.family);
  const families = [...firstCut.filter((family) => cuttable.includes(family)).map((family) => [family]), firstCut];
  const cuts = families
    .flatMap((some) => grains.map((grain) => cutBy(lanes, fixed, some, grain)))
    .filter((pieces) => pieces.length > lanes.length && piecesOfCut(pieces) <= mostPieces)
    .filter((pieces, at, all) => all.findIndex((other) => sizes(other) === sizes(pieces)) === at)
    .map(judge.momentsOf);
  const finest = cuts.find(({ pieces }) => pieces.length === atomsIn(lanes, fixed));
  if (finest && !through(finest, finest.pieces.length)) return undefined;
  const most = finest ? finest.pieces.length : lanes.length + mostMore;
  for (let requests = lanes.length + 1; requests <= most; requests++) {
    for (const moments of cuts) {
      const way = moments.pieces.length >= requests ? through(moments, requests) : undefined;
      if (way) return way;
    }
  }
  return undefined;
}

/** What is fixed is whole. */
function atomsIn(lanes: readonly (readonly Change[])[], fixed: number): number {
  return lanes
    .slice(fixed)
    .flat()
    .reduce((sum, change) => sum + atomsOf(change).length, fixed);
}

const firstCut: readonly Family[] = ["role_mappings", "blocks", "action_groups", "roles", "tenants"];

/** What cures is made whole, and so are other families than those. */
function cutBy(
  lanes: readonly (readonly Change[])[],
  fixed: number,
  families: readonly Family[],
  keyOf: KeyOf,
): readonly Piece[] {
  return cut(lanes, (change, atom, at, lane) =>
    lane < fixed || !families.includes(change.family) ? "" : keyOf(change, atom, at, lane),
  );
}

/** What is not cut needs no other orders than it has. */
function piecesOfCut(pieces: readonly Piece[]): number {
  const count = (lane: number) => pieces.filter((other) => other.lane === lane).length;
  return pieces.filter(({ lane }) => count(lane) > 1).length;
}

/** The same for cuts that are the same. */
function sizes(pieces: readonly Piece[]): string {
  return pieces
    .map(({ lane, atoms }) => `${lane} ${[...atoms].map(([{ name }, { length }]) => `${name} ${length}`)}`)
    .join();
}

const weights: Readonly<Record<Fault["kind"], number>> = {
  outage: 1,
  unsure: 10,
  leak: 100,
  "lock-out": 1_000,
  refused: 10_000,
};

/** The usual order but where another one is better. */
function leastBad(usual: Route, fixed: number, judge: Judging): Route {
  const lanes = [...usual.moments.pieces.keys()];
  if (lanes.length - fixed > mostCompared) return usual;
  const orders = ordersOf(lanes.slice(fixed)).map((order) => masksInOrder([...lanes.slice(0, fixed), ...order]));
  const weighed = orders.map((masks) => ({ masks, weight: weightOf({ ...usual, masks }, judge) }));
  const [first] = weighed.toSorted((a, b) => a.weight - b.weight);
  return first ? { ...usual, masks: first.masks } : usual;
}

/** What is told, and what orders are compared by, is looked at twice. */
function worst(judge: Judging, moments: Moments, mask: bigint): Fault | undefined {
  return judge.at(moments, mask) && judge.worstAt(moments, mask);
}

function weightOf({ moments, masks }: Route, judge: Judging): number {
  const faults = masks.flatMap((mask, at) => [
    ...(at < masks.length - 1 ? [worst(judge, moments, mask)] : []),
    judge.refused(moments, masks[at - 1] ?? 0n, mask),
  ]);
  return faults.reduce((sum, fault) => sum + (fault ? weights[fault.kind] : 0), 0);
}

function firstFault({ moments, masks }: Route, judge: Judging): Fault | undefined {
  for (const [at, mask] of masks.slice(0, -1).entries()) {
    const fault = judge.refused(moments, masks[at - 1] ?? 0n, mask) ?? judge.at(moments, mask);
    if (fault || judge.isSpent()) return fault;
  }
  return judge.refused(moments, masks.at(-2) ?? 0n, masks.at(-1) ?? 0n);
}

function masksInOrder(lanes: Iterable<number>): readonly bigint[] {
  let made = 0n;
  return [...lanes].map((lane) => {
    made |= 1n << BigInt(lane);
    return made;
  });
}

function bitsOf(places: readonly number[]): bigint {
  return places.reduce((bits, at) => bits | (1n << BigInt(at)), 0n);
}

function ordersOf(lanes: readonly number[]): readonly (readonly number[])[] {
  if (lanes.length === 0) return [[]];
  return lanes.flatMap((lane) => ordersOf(lanes.filter((other) => other !== lane)).map((rest) => [lane, ...rest]));
}
