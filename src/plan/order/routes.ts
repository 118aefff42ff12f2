import type { Change } from "../../model/change.ts";
import { createAddress, type Family } from "../../model/names.ts";
import { type AccessConstraint, type AccessConstraints, weights } from "./constraints.ts";
import type { IntermediateFault } from "./faults.ts";
import {
  type Batch,
  createWholeFragment,
  cutFragments,
  type IntermediateStates,
  type KeyOf,
} from "./intermediate-states.ts";
import { chooseLeastBad, createMasks, weighFaults } from "./least-bad.ts";
import type { WriteRoute } from "./parts.ts";
import { countFragments, isFeasible, type Space, searchRoute } from "./search.ts";

/** What an order is evaluated with. */
export interface RouteContext extends AccessConstraints {
  readonly intermediateStatesOf: (batches: readonly Batch[]) => IntermediateStates;
}

export interface FoundRoute {
  readonly route: WriteRoute;
  /** Where it has faults: nothing at all would be free of them. */
  readonly isTriedOut: boolean;
}

type Sequences = readonly (readonly Change[])[];

/** What is asked for a route, and what is found by asking. */
interface Search {
  readonly sequences: Sequences;
  /** So many of the sequences come first, whole. */
  readonly fixed: number;
  readonly evaluate: RouteContext;
  /** Of a new search, whether there is time for one more step. */
  readonly patience: () => () => boolean;
}

/** Steps of one search, and of all together: a search beyond that is given up. */
const mostSteps = 100_000;
const mostStepsInAll = 1_000_000;
/** Of up to so many batches, every combination is tried. */
const mostBatches = 12;
/** The same for each constraint by itself, of which there are many. */
const mostBatchesAlone = 8;
/** So many requests more than usual, where the number of splits is unlimited. */
const mostMore = 3;

/**
 * Finds a route through the requests: in the usual order where no constraint forbids it; else in another order; else
 * with some requests split; else the order with the least faults.
 */
export function findRouteFor(sequences: Sequences, fixed: number, evaluate: RouteContext): FoundRoute {
  const usual: WriteRoute = {
    intermediateStates: evaluate.intermediateStatesOf(createWholeFragment(sequences)),
    masks: createMasks(sequences.keys()),
  };
  const avoided = firstFault(usual, evaluate);
  if (!avoided) return { route: usual, isTriedOut: true };
  const search: Search = { sequences, fixed, evaluate, patience: patienceWith(evaluate) };
  const route = { ...usual, avoided };
  const accessConstraints = [...evaluate.ofServer, ...evaluate.ofPeople()];
  const moved = through(route.intermediateStates, sequences.length, accessConstraints, search);
  if (moved) return { route: { ...moved, avoided }, isTriedOut: true };
  const finest = evaluate.intermediateStatesOf(cutBy(sequences, fixed, firstCut, finestGrain));
  const cuts = cutsOf(search, avoided, accessConstraints);
  const apart = takenApart(cuts, finest, accessConstraints, search);
  if (apart) return { route: { ...apart, avoided }, isTriedOut: true };
  const isTriedOut =
    accessConstraints.some((accessConstraint) => isHopeless([accessConstraint], finest, mostBatchesAlone, search)) ||
    isHopeless(accessConstraints, finest, mostBatches, search);
  const best = chooseLeastBad(route, search, accessConstraints);
  const find = (wanted: readonly AccessConstraint[], again: Search): WriteRoute | undefined =>
    through(route.intermediateStates, sequences.length, wanted, again) ?? takenApart(cuts, finest, wanted, again);
  const sparing = sparingMost(route, accessConstraints, { ...search, patience: patienceWith(evaluate) }, find);
  return {
    route: weighFaults(sparing, accessConstraints) < weighFaults(best, accessConstraints) ? sparing : best,
    isTriedOut,
  };
}

/**
 * One constraint that cannot be met does not give up the others: they are met one after the other, as far as the rest
 * allows it.
 */
function sparingMost(
  usual: WriteRoute,
  accessConstraints: readonly AccessConstraint[],
  search: Search,
  find: (wanted: readonly AccessConstraint[], search: Search) => WriteRoute | undefined,
): WriteRoute {
  let route = usual;
  const matched: AccessConstraint[] = [];
  for (const accessConstraint of accessConstraints) {
    const isMatched = weighFaults(route, [accessConstraint]) === 0;
    // Once the budget is used up, a further constraint is met or it is not.
    const hasTime = isMatched || search.patience()();
    const other = isMatched ? route : hasTime ? find([...matched, accessConstraint], search) : undefined;
    if (!other) continue;
    route = { ...other, avoided: usual.avoided };
    matched.push(accessConstraint);
  }
  return route;
}

function patienceWith(evaluate: RouteContext): Search["patience"] {
  let all = 0;
  return () => {
    let own = 0;
    return () => ++own <= mostSteps && ++all <= mostStepsInAll && !evaluate.isTired();
  };
}

/** What is wrong with each request of a route, and with the intermediate state after it: the worst fault of each. */
export function listFaultsAlong(
  route: WriteRoute,
  evaluate: RouteContext,
): (made: bigint, next: bigint) => readonly (IntermediateFault & { readonly isOneOfSeveral: boolean })[] {
  const accessConstraints = accessConstraintsAlong(route, evaluate);
  return (made, next) => {
    const faults = accessConstraints
      .flatMap((accessConstraint) => accessConstraint.fault(route.intermediateStates, made, next) ?? [])
      .toSorted((a, b) => weights[b.kind] - weights[a.kind]);
    const isRefused = ({ kind }: IntermediateFault) => kind === "refused";
    return [faults.filter(isRefused), faults.filter((fault) => !isRefused(fault))].flatMap(([worst, ...others]) =>
      worst ? [{ ...worst, isOneOfSeveral: others.length > 0 }] : [],
    );
  };
}

/** The constraints along a route; none is evaluated where the state certainly has no breach. */
function accessConstraintsAlong(
  { intermediateStates, masks }: WriteRoute,
  evaluate: RouteContext,
): readonly AccessConstraint[] {
  const isStill = masks.slice(0, -1).every((mask) => evaluate.isStill(intermediateStates, mask));
  return isStill ? evaluate.ofServer : [...evaluate.ofServer, ...evaluate.ofPeople()];
}

/** What is wrong first where whole requests that are left once some are made go on in the usual order. */
export function findUsualFaultAfter(
  { intermediateStates }: WriteRoute,
  evaluate: RouteContext,
): (made: bigint) => IntermediateFault | undefined {
  return (made) => {
    const left = intermediateStates.sequences.filter((sequence) => (made & (1n << BigInt(sequence))) === 0n);
    return firstFault({ intermediateStates, masks: createMasks(left, made) }, evaluate, made);
  };
}

function firstFault(route: WriteRoute, evaluate: RouteContext, start = 0n): IntermediateFault | undefined {
  const accessConstraints = accessConstraintsAlong(route, evaluate);
  for (const [at, mask] of route.masks.entries()) {
    for (const accessConstraint of accessConstraints) {
      const fault = accessConstraint.fault(route.intermediateStates, route.masks[at - 1] ?? start, mask);
      if (fault) return fault;
    }
  }
  return undefined;
}

function through(
  intermediateStates: IntermediateStates,
  requests: number,
  accessConstraints: readonly AccessConstraint[],
  { sequences, fixed, patience }: Search,
): WriteRoute | undefined {
  const masks = searchRoute(spaceOf(intermediateStates, accessConstraints, fixed, patience()), requests - fixed);
  const cured = createMasks(sequences.keys()).slice(0, fixed);
  return masks && { intermediateStates, masks: [...cured, ...masks] };
}

function spaceOf(
  intermediateStates: IntermediateStates,
  accessConstraints: readonly AccessConstraint[],
  fixed: number,
  mayStep: () => boolean,
): Space {
  return {
    sequences: intermediateStates.sequences,
    start: fixed === 0 ? 0n : bitsWhere(intermediateStates.batches, ({ sequence }) => sequence < fixed),
    constraints: accessConstraints.flatMap((accessConstraint) => {
      const bits = accessConstraint.bitsIn(intermediateStates);
      const allows = (made: bigint, next: bigint) => !accessConstraint.fault(intermediateStates, made, next);
      return countFragments(bits) > 1 ? [{ batches: bits, allows }] : [];
    }),
    mayStep,
  };
}

/** Whether no sequence of the finest batches is free of faults, for some constraint. */
function isHopeless(
  accessConstraints: readonly AccessConstraint[],
  intermediateStates: IntermediateStates,
  most: number,
  { fixed, patience }: Search,
): boolean {
  const space = spaceOf(intermediateStates, accessConstraints, fixed, patience());
  const batches = space.constraints.reduce((all, one) => all | one.batches, 0n);
  if (countFragments(batches & ~space.start) > most) return false;
  const allows = (made: bigint, next: bigint) =>
    space.constraints.every((one) => one.allows(made & one.batches, next & one.batches));
  return !isFeasible(space, { batches, allows });
}

/** By the fewest requests that some cut allows. */
function takenApart(
  cuts: readonly IntermediateStates[],
  finest: IntermediateStates,
  accessConstraints: readonly AccessConstraint[],
  search: Search,
): WriteRoute | undefined {
  const { sequences } = search;
  const within = (least: number, most: number): WriteRoute | undefined => {
    for (let requests = least; requests <= most; requests++) {
      for (const intermediateStates of cuts) {
        const route =
          intermediateStates.batches.length >= requests
            ? through(intermediateStates, requests, accessConstraints, search)
            : undefined;
        if (route) return route;
      }
    }
    return undefined;
  };
  const soon = within(sequences.length + 1, sequences.length + mostMore);
  const { length } = finest.batches;
  // For few batches it is known whether any number of requests would do.
  if (soon || length > mostBatches || isHopeless(accessConstraints, finest, mostBatches, search)) return soon;
  return within(sequences.length + mostMore + 1, length);
}

/**
 * The cuts to try. One family alone is cut where that suffices, the mappings first: a principal that keeps a role
 * then keeps all of it. Coarse cuts come first, as their results are easier to follow.
 */
function cutsOf(
  { sequences, fixed, evaluate }: Search,
  avoided: IntermediateFault,
  accessConstraints: readonly AccessConstraint[],
): readonly IntermediateStates[] {
  const about = new Set(avoided.addresses);
  const isAbout = ({ family, name }: Change): boolean => about.has(createAddress(family, name));
  const grains: readonly KeyOf[] = [
    (_, { kind }) => kind,
    (change, { kind }) => (isAbout(change) ? `${kind} ${change.name}` : kind),
    (change, { kind }) => `${kind} ${change.name}`,
    (change, { kind }, at) => (isAbout(change) ? `${at} ${change.name}` : kind),
    finestGrain,
  ];
  const cuttable = sequences.slice(fixed).map((changes) => changes[0]?.family);
  const families = [...firstCut.filter((family) => cuttable.includes(family)).map((family) => [family]), firstCut];
  return families
    .flatMap((some) => grains.map((grain) => cutBy(sequences, fixed, some, grain)))
    .filter((batches) => batches.length > sequences.length)
    .filter((batches, at, all) => all.findIndex((other) => sizes(other) === sizes(batches)) === at)
    .map(evaluate.intermediateStatesOf)
    .filter((intermediateStates) => canBeTried(intermediateStates, accessConstraints));
}

const firstCut: readonly Family[] = ["role_mappings", "blocks", "action_groups", "roles", "tenants"];

const finestGrain: KeyOf = ({ name }, _, at) => `${at} ${name}`;

/** What is fixed is made whole, and so are other families than those. */
function cutBy(sequences: Sequences, fixed: number, families: readonly Family[], keyOf: KeyOf): readonly Batch[] {
  return cutFragments(sequences, (change, fragment, at, sequence) =>
    sequence < fixed || !families.includes(change.family) ? "" : keyOf(change, fragment, at, sequence),
  );
}

/** What is not cut needs no other orders than it has. */
function canBeTried(intermediateStates: IntermediateStates, accessConstraints: readonly AccessConstraint[]): boolean {
  const counts = new Map<number, number>();
  for (const { sequence } of intermediateStates.batches) counts.set(sequence, (counts.get(sequence) ?? 0) + 1);
  const isCut = bitsWhere(intermediateStates.batches, ({ sequence }) => (counts.get(sequence) ?? 0) > 1);
  return accessConstraints.every(
    (accessConstraint) => countFragments(accessConstraint.bitsIn(intermediateStates) & isCut) <= mostBatches,
  );
}

function bitsWhere(batches: readonly Batch[], isMeant: (batch: Batch) => boolean): bigint {
  return batches.reduce((bits, batch, at) => (isMeant(batch) ? bits | (1n << BigInt(at)) : bits), 0n);
}

/** The same for cuts that are the same. */
function sizes(batches: readonly Batch[]): string {
  return batches
    .map(
      ({ sequence, fragments }) => `${sequence} ${[...fragments].map(([{ name }, { length }]) => `${name} ${length}`)}`,
    )
    .join();
}
