import type { Change } from "../../model/change.ts";
import { addressOf, type Family } from "../../model/names.ts";
import type { Fault } from "./faults.ts";
import { cut, type KeyOf, type Moments, type Piece, whole } from "./moments.ts";
import type { Route } from "./parts.ts";
import { isFeasible, routeThrough, type Space, sizeOf } from "./search.ts";
import { type Stake, type Stakes, weights } from "./stakes.ts";

/** By what an order is judged. */
export interface Judging extends Stakes {
  readonly momentsOf: (pieces: readonly Piece[]) => Moments;
}

export interface Found {
  readonly route: Route;
  /** Where it has faults: nothing at all would be free of them. */
  readonly isTriedOut: boolean;
}

type Lanes = readonly (readonly Change[])[];

/** What is asked for a route, and what is found by asking. */
interface Search {
  readonly lanes: Lanes;
  /** So many of the lanes come first, whole. */
  readonly fixed: number;
  readonly judge: Judging;
  /** Of a new search, whether there is time for one more step. */
  readonly patience: () => () => boolean;
}

/** Steps of one search, and of all together: what takes longer nobody waits for. */
const mostSteps = 100_000;
const mostStepsInAll = 1_000_000;
/** Of so many pieces, all that can be made at once is tried. */
const mostPieces = 12;
/** The same for each stake by itself, of which there are many. */
const mostPiecesAlone = 8;
/** So many requests more than usual, where there is no end to the ways to take them apart. */
const mostMore = 3;
/** Of so many requests all orders are compared, where each has a fault. */
const mostCompared = 5;

/**
 * Through the requests in the usual order, where nobody has a stake in what lies in between; else in another one; else with
 * some of them taken apart; else the order in which least is wrong.
 */
export function routeFor(lanes: Lanes, fixed: number, judge: Judging): Found {
  const usual: Route = { moments: judge.momentsOf(whole(lanes)), masks: masksInOrder(lanes.keys()) };
  const avoided = firstFault(usual, judge);
  if (!avoided) return { route: usual, isTriedOut: true };
  const search: Search = { lanes, fixed, judge, patience: patienceWith(judge) };
  const route = { ...usual, avoided };
  const stakes = [...judge.ofServer, ...judge.ofPeople()];
  const moved = through(route.moments, lanes.length, stakes, search);
  if (moved) return { route: { ...moved, avoided }, isTriedOut: true };
  const finest = judge.momentsOf(cutBy(lanes, fixed, firstCut, finestGrain));
  const cuts = cutsOf(search, avoided, stakes);
  const apart = takenApart(cuts, finest, stakes, search);
  if (apart) return { route: { ...apart, avoided }, isTriedOut: true };
  const isTriedOut =
    stakes.some((stake) => isHopeless([stake], finest, mostPiecesAlone, search)) ||
    isHopeless(stakes, finest, mostPieces, search);
  const best = leastBad(route, search, stakes);
  const find = (wanted: readonly Stake[], anew: Search): Route | undefined =>
    through(route.moments, lanes.length, wanted, anew) ?? takenApart(cuts, finest, wanted, anew);
  const sparing = sparingMost(route, stakes, { ...search, patience: patienceWith(judge) }, find);
  return { route: weightOf(sparing, stakes) < weightOf(best, stakes) ? sparing : best, isTriedOut };
}

/** What cannot be helped is no reason to let others down: one stake after the other is met, where the rest allows it. */
function sparingMost(
  usual: Route,
  stakes: readonly Stake[],
  search: Search,
  find: (wanted: readonly Stake[], search: Search) => Route | undefined,
): Route {
  let route = usual;
  const met: Stake[] = [];
  for (const stake of stakes) {
    const isMet = weightOf(route, [stake]) === 0;
    // Once time is up, the rest is met or it is not.
    const hasTime = isMet || search.patience()();
    const other = isMet ? route : hasTime ? find([...met, stake], search) : undefined;
    if (!other) continue;
    route = { ...other, avoided: usual.avoided };
    met.push(stake);
  }
  return route;
}

function patienceWith(judge: Judging): Search["patience"] {
  let all = 0;
  return () => {
    let own = 0;
    return () => ++own <= mostSteps && ++all <= mostStepsInAll && !judge.isTired();
  };
}

/** What is wrong with the request that leads from one moment of a route to the next, and with that moment: the worst of each. */
export function faultsAlong(
  route: Route,
  judge: Judging,
): (made: bigint, next: bigint) => readonly (Fault & { readonly isOneOfSeveral: boolean })[] {
  const stakes = stakesAlong(route, judge);
  return (made, next) => {
    const faults = stakes
      .flatMap((stake) => stake.fault(route.moments, made, next) ?? [])
      .toSorted((a, b) => weights[b.kind] - weights[a.kind]);
    const isRefused = ({ kind }: Fault) => kind === "refused";
    return [faults.filter(isRefused), faults.filter((fault) => !isRefused(fault))].flatMap(([worst, ...others]) =>
      worst ? [{ ...worst, isOneOfSeveral: others.length > 0 }] : [],
    );
  };
}

/** Nobody is looked for where it can be seen that nobody has a stake. */
function stakesAlong({ moments, masks }: Route, judge: Judging): readonly Stake[] {
  const isStill = masks.slice(0, -1).every((mask) => judge.isStill(moments, mask));
  return isStill ? judge.ofServer : [...judge.ofServer, ...judge.ofPeople()];
}

/** What is wrong first where whole requests that are left once some are made go on in the usual order. */
export function usualFaultAfter({ moments }: Route, judge: Judging): (made: bigint) => Fault | undefined {
  return (made) => {
    const left = moments.lanes.filter((lane) => (made & (1n << BigInt(lane))) === 0n);
    return firstFault({ moments, masks: masksInOrder(left, made) }, judge, made);
  };
}

function firstFault(route: Route, judge: Judging, start = 0n): Fault | undefined {
  const stakes = stakesAlong(route, judge);
  for (const [at, mask] of route.masks.entries()) {
    for (const stake of stakes) {
      const fault = stake.fault(route.moments, route.masks[at - 1] ?? start, mask);
      if (fault) return fault;
    }
  }
  return undefined;
}

function through(
  moments: Moments,
  requests: number,
  stakes: readonly Stake[],
  { lanes, fixed, patience }: Search,
): Route | undefined {
  const masks = routeThrough(spaceOf(moments, stakes, fixed, patience()), requests - fixed);
  const cured = masksInOrder(lanes.keys()).slice(0, fixed);
  return masks && { moments, masks: [...cured, ...masks] };
}

function spaceOf(moments: Moments, stakes: readonly Stake[], fixed: number, mayStep: () => boolean): Space {
  return {
    lanes: moments.lanes,
    start: fixed === 0 ? 0n : bitsWhere(moments.pieces, ({ lane }) => lane < fixed),
    constraints: stakes.flatMap((stake) => {
      const bits = stake.bitsIn(moments);
      const allows = (made: bigint, next: bigint) => !stake.fault(moments, made, next);
      return sizeOf(bits) > 1 ? [{ pieces: bits, allows }] : [];
    }),
    mayStep,
  };
}

/** Whether nothing that can be made one after the other is free of faults, for all of some stakes. */
function isHopeless(stakes: readonly Stake[], moments: Moments, most: number, { fixed, patience }: Search): boolean {
  const space = spaceOf(moments, stakes, fixed, patience());
  const pieces = space.constraints.reduce((all, one) => all | one.pieces, 0n);
  if (sizeOf(pieces & ~space.start) > most) return false;
  const allows = (made: bigint, next: bigint) =>
    space.constraints.every((one) => one.allows(made & one.pieces, next & one.pieces));
  return !isFeasible(space, { pieces, allows });
}

/** By the fewest requests that some cut allows. */
function takenApart(
  cuts: readonly Moments[],
  finest: Moments,
  stakes: readonly Stake[],
  search: Search,
): Route | undefined {
  const { lanes } = search;
  const within = (least: number, most: number): Route | undefined => {
    for (let requests = least; requests <= most; requests++) {
      for (const moments of cuts) {
        const way = moments.pieces.length >= requests ? through(moments, requests, stakes, search) : undefined;
        if (way) return way;
      }
    }
    return undefined;
  };
  const soon = within(lanes.length + 1, lanes.length + mostMore);
  const { length } = finest.pieces;
  // Of a few pieces it is known whether any number of requests will do.
  if (soon || length > mostPieces || isHopeless(stakes, finest, mostPieces, search)) return soon;
  return within(lanes.length + mostMore + 1, length);
}

/**
 * The ways to take requests apart. One family alone is cut where that will do, the mappings first: who keeps a role then
 * keeps all of it. Coarse cuts come first, as what they find is easier to follow.
 */
function cutsOf({ lanes, fixed, judge }: Search, avoided: Fault, stakes: readonly Stake[]): readonly Moments[] {
  const about = new Set(avoided.addresses);
  const isAbout = ({ family, name }: Change): boolean => about.has(addressOf(family, name));
  const grains: readonly KeyOf[] = [
    (_, { kind }) => kind,
    (change, { kind }) => (isAbout(change) ? `${kind} ${change.name}` : kind),
    (change, { kind }) => `${kind} ${change.name}`,
    (change, { kind }, at) => (isAbout(change) ? `${at} ${change.name}` : kind),
    finestGrain,
  ];
  const cuttable = lanes.slice(fixed).map((changes) => changes[0]?.family);
  const families = [...firstCut.filter((family) => cuttable.includes(family)).map((family) => [family]), firstCut];
  return families
    .flatMap((some) => grains.map((grain) => cutBy(lanes, fixed, some, grain)))
    .filter((pieces) => pieces.length > lanes.length)
    .filter((pieces, at, all) => all.findIndex((other) => sizes(other) === sizes(pieces)) === at)
    .map(judge.momentsOf)
    .filter((moments) => canBeTried(moments, stakes));
}

const firstCut: readonly Family[] = ["role_mappings", "blocks", "action_groups", "roles", "tenants"];

const finestGrain: KeyOf = ({ name }, _, at) => `${at} ${name}`;

/** What is fixed is made whole, and so are other families than those. */
function cutBy(lanes: Lanes, fixed: number, families: readonly Family[], keyOf: KeyOf): readonly Piece[] {
  return cut(lanes, (change, atom, at, lane) =>
    lane < fixed || !families.includes(change.family) ? "" : keyOf(change, atom, at, lane),
  );
}

/** What is not cut needs no other orders than it has. */
function canBeTried(moments: Moments, stakes: readonly Stake[]): boolean {
  const counts = new Map<number, number>();
  for (const { lane } of moments.pieces) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  const isCut = bitsWhere(moments.pieces, ({ lane }) => (counts.get(lane) ?? 0) > 1);
  return stakes.every((stake) => sizeOf(stake.bitsIn(moments) & isCut) <= mostPieces);
}

function bitsWhere(pieces: readonly Piece[], isMeant: (piece: Piece) => boolean): bigint {
  return pieces.reduce((bits, piece, at) => (isMeant(piece) ? bits | (1n << BigInt(at)) : bits), 0n);
}

/** The same for cuts that are the same. */
function sizes(pieces: readonly Piece[]): string {
  return pieces
    .map(({ lane, atoms }) => `${lane} ${[...atoms].map(([{ name }, { length }]) => `${name} ${length}`)}`)
    .join();
}

/** The usual order but where another one is better. */
function leastBad(usual: Route, { lanes, fixed }: Search, stakes: readonly Stake[]): Route {
  const places = [...lanes.keys()];
  if (places.length - fixed > mostCompared) return usual;
  const orders = ordersOf(places.slice(fixed)).map((order) => masksInOrder([...places.slice(0, fixed), ...order]));
  const weighed = orders.map((masks) => ({ masks, weight: weightOf({ ...usual, masks }, stakes) }));
  const [first] = weighed.toSorted((a, b) => a.weight - b.weight);
  return first ? { ...usual, masks: first.masks } : usual;
}

/** Of each stake the worst that befalls it counts. */
function weightOf({ moments, masks }: Route, stakes: readonly Stake[]): number {
  const worst = stakes.map((stake) =>
    masks.reduce((most, mask, at) => {
      const fault = stake.fault(moments, masks[at - 1] ?? 0n, mask);
      return fault ? Math.max(most, weights[fault.kind]) : most;
    }, 0),
  );
  return worst.reduce((sum, weight) => sum + weight, 0);
}

function masksInOrder(lanes: Iterable<number>, start = 0n): readonly bigint[] {
  let made = start;
  return [...lanes].map((lane) => {
    made |= 1n << BigInt(lane);
    return made;
  });
}

function ordersOf(lanes: readonly number[]): readonly (readonly number[])[] {
  if (lanes.length === 0) return [[]];
  return lanes.flatMap((lane) => ordersOf(lanes.filter((other) => other !== lane)).map((rest) => [lane, ...rest]));
}
