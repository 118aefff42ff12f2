import type { Change } from "../../model/change.ts";
import type { Family } from "../../model/names.ts";
import { type AccessConstraint, type AccessConstraints, weights } from "./constraints.ts";
import { type IntermediateFault, omitPairsOfAffected, type WorstFault } from "./faults.ts";
import {
  type Batch,
  createWholeBatches,
  cutIntoBatches,
  type IntermediateStates,
  type KeyOf,
} from "./intermediate-states.ts";
import { type Rule, type SearchBatch, searchRoute } from "./search.ts";
import type { WriteRoute } from "./steps.ts";

/** What orders are evaluated by. */
export interface RouteContext extends AccessConstraints {
  readonly intermediateStatesOf: (batches: readonly Batch[]) => IntermediateStates;
}

export interface FoundRoute {
  readonly route: WriteRoute;
  /** The search took too much work: there may be a better one. */
  readonly isEndedEarly: boolean;
}

type Sequences = readonly (readonly Change[])[];

/** A constraint, and the weight of the worst fault by which a route may break it; 0: by none. */
interface Wanted {
  readonly constraint: AccessConstraint;
  readonly tolerated: number;
}

/** Looks for a route on which no constraint has a worse fault than it tolerates. */
type FindRoute = (wanted: readonly Wanted[]) => WriteRoute | undefined;

/** Checks of one constraint for one request, in all: the same plan gets the same order on a slow machine. */
const mostChecks = 5_000_000;

/**
 * Finds a route through the requests: in the usual order where no constraint forbids it; else in another order; else
 * with the requests of one family split; else with those of several. Where nothing helps, as many constraints as
 * possible are met.
 *
 * @param sequences the changes of each request, in the usual order
 * @param fixed so many of the requests come first, and so many last, whole
 */
export function findRouteFor(sequences: Sequences, fixed: Requests["fixed"], context: RouteContext): FoundRoute {
  const usual: WriteRoute = {
    intermediateStates: context.intermediateStatesOf(createWholeBatches(sequences)),
    masks: createMasks(sequences.keys()),
  };
  const avoided = firstFault(usual, context);
  if (!avoided) return { route: usual, isEndedEarly: false };
  let checks = 0;
  const isSpent = (): boolean => checks > mostChecks || context.isHalfSpent();
  const mayCheck = (): boolean => {
    checks += 1;
    return !isSpent();
  };
  const find = createRouteFinder({ sequences, fixed, mayCheck }, usual, context);
  const constraints = [...context.ofServer, ...context.ofPrincipals()];
  // What helps one principal alone may leave no way for another: then all are asked at once.
  const clean =
    find(constraints.map((constraint) => ({ constraint, tolerated: 0 }))) ??
    find([{ constraint: joinConstraints(constraints, mayCheck), tolerated: 0 }]);
  const route = clean ?? meetMost(usual, constraints, find);
  return { route: { ...route, avoided }, isEndedEarly: !clean && isSpent() };
}

/** Their first fault; each constraint that is asked counts as a check. */
function joinConstraints(constraints: readonly AccessConstraint[], mayCheck: () => boolean): AccessConstraint {
  return {
    bitsIn: (intermediateStates) =>
      constraints.reduce((bits, constraint) => bits | constraint.bitsIn(intermediateStates), 0n),
    fault(intermediateStates, made, next) {
      for (const { fault: find } of constraints) {
        mayCheck();
        const fault = find(intermediateStates, made, next);
        if (fault) return fault;
      }
      return undefined;
    },
  };
}

/**
 * A constraint that cannot be met does not give up the others. The worst faults are avoided first, for as many
 * constraints as possible, whatever lesser ones this takes.
 */
function meetMost(usual: WriteRoute, constraints: readonly AccessConstraint[], find: FindRoute): WriteRoute {
  let route = usual;
  const wanted: Wanted[] = constraints.map((constraint) => ({ constraint, tolerated: Number.POSITIVE_INFINITY }));
  const settled = new Set<AccessConstraint>();
  for (const tolerated of levels) {
    for (const [at, less] of wanted.entries()) {
      const { constraint } = less;
      if (settled.has(constraint)) continue;
      wanted[at] = { constraint, tolerated };
      const found = findWorst(route, constraint) <= tolerated ? route : find(wanted);
      route = found ?? route;
      if (found) continue;
      wanted[at] = less;
      settled.add(constraint);
    }
  }
  return route;
}

/** Weights that are tolerated, from the second worst fault to none. */
const levels = [0, ...Object.values(weights)].toSorted((a, b) => b - a).slice(1);

/** The weight of the worst fault that one constraint finds on a route. */
function findWorst({ intermediateStates, masks }: WriteRoute, { fault }: AccessConstraint): number {
  return Math.max(...masks.map((mask, at) => weighFault(fault(intermediateStates, masks[at - 1] ?? 0n, mask))));
}

function weighFault(fault: IntermediateFault | undefined): number {
  return fault ? weights[fault.kind] : 0;
}

/** The requests that are put in order. */
interface Requests {
  readonly sequences: Sequences;
  /** How many of them stay where they are, at the beginning and at the end. */
  readonly fixed: { readonly first: number; readonly last: number };
  readonly mayCheck: () => boolean;
}

/** Whole requests first; else the cut with the fewest requests, which are one more where that is possible. */
function createRouteFinder(requests: Requests, usual: WriteRoute, { intermediateStatesOf }: RouteContext): FindRoute {
  const cuts = listCuts(requests).map(({ families, keyOf }): FindRoute => {
    let search: FindRoute | undefined;
    return (wanted) => {
      search ??= createSearch(requests, intermediateStatesOf(cutBy(requests, families, keyOf)));
      return search(wanted);
    };
  });
  const searches = [createSearch(requests, usual.intermediateStates), ...cuts];
  const enough = requests.sequences.length + 1;
  return (wanted) => {
    let best: WriteRoute | undefined;
    for (const search of searches) {
      const route = requests.mayCheck() ? search(wanted) : undefined;
      if (route && (!best || route.masks.length < best.masks.length)) best = route;
      if (best && best.masks.length <= enough) return best;
    }
    return best;
  };
}

interface Cut {
  readonly families: readonly Family[];
  readonly keyOf: KeyOf;
}

/** The mappings are cut first: a principal that keeps a role then keeps all of it. */
const firstCut: readonly Family[] = ["role_mappings", "blocks", "action_groups", "roles", "tenants"];

/** All that adds something apart from all that removes something, which is easier to follow; then each fragment. */
const grains: readonly KeyOf[] = [(_, { kind }) => kind, ({ name }, _, at) => `${at} ${name}`];

/** Each family alone, then all of them. */
function listCuts({ sequences, fixed }: Requests): readonly Cut[] {
  const free = sequences.slice(fixed.first, sequences.length - fixed.last);
  const families = firstCut.filter((family) => free.some(([change]) => change?.family === family));
  const choices = families.length > 1 ? [...families.map((family) => [family]), families] : [families];
  return choices.flatMap((some) => grains.map((keyOf) => ({ families: some, keyOf })));
}

/** Only these families are cut, and none of what is fixed. */
function cutBy({ sequences, fixed }: Requests, families: readonly Family[], keyOf: KeyOf): readonly Batch[] {
  return cutIntoBatches(sequences, (change, fragment, at, sequence) =>
    sequence < fixed.first || !families.includes(change.family) ? "" : keyOf(change, fragment, at, sequence),
  );
}

function createSearch({ sequences, fixed, mayCheck }: Requests, intermediateStates: IntermediateStates): FindRoute {
  const requests = listRequests(intermediateStates);
  const end = sequences.length - fixed.last;
  const families = new Map<Family | undefined, readonly bigint[]>();
  for (const [at, [change]] of sequences.entries()) {
    if (at < fixed.first || at >= end) continue;
    families.set(change?.family, [...(families.get(change?.family) ?? []), requests[at] ?? 0n]);
  }
  const first = addUp(requests.slice(0, fixed.first));
  const space = {
    families: [...families.values()],
    start: first.at(-1) ?? 0n,
    batches: intermediateStates.batches.map(describeBatch),
    mayCheck,
  };
  return (wanted) => {
    const found = searchRoute({ ...space, rules: wanted.map((one) => ruleOf(one, intermediateStates)) });
    if (!found) return undefined;
    const last = addUp(requests.slice(end), found.at(-1) ?? space.start);
    return { intermediateStates, masks: [...first, ...found, ...last] };
  };
}

/** The batches of each request in the usual order, as bits. */
function listRequests({ batches }: IntermediateStates): readonly bigint[] {
  const requests: bigint[] = [];
  for (const [at, { sequence }] of batches.entries()) {
    requests[sequence] = (requests[sequence] ?? 0n) | (1n << BigInt(at));
  }
  return requests;
}

/** What is made after each of some requests, one after the other. */
function addUp(requests: readonly bigint[], start = 0n): readonly bigint[] {
  let made = start;
  return requests.map((request) => {
    made |= request;
    return made;
  });
}

/** Of a batch of many changes nothing can be left for later. */
function describeBatch({ fragments }: Batch): SearchBatch {
  const [[change, some] = [], ...others] = fragments;
  if (!change || others.length > 0) return {};
  const kinds = new Set(some?.map(({ kind }) => kind));
  return { change, kind: kinds.size === 1 ? [...kinds][0] : undefined };
}

function ruleOf({ constraint, tolerated }: Wanted, intermediateStates: IntermediateStates): Rule {
  return {
    bits: constraint.bitsIn(intermediateStates),
    allows: (made, next) => weighFault(constraint.fault(intermediateStates, made, next)) <= tolerated,
  };
}

/** What is wrong with each request of a route, and with the intermediate state after it: the worst fault of each, with the entries of all. */
export function listFaultsAlong(
  route: WriteRoute,
  context: RouteContext,
): (made: bigint, next: bigint) => readonly WorstFault[] {
  const accessConstraints = accessConstraintsAlong(route, context);
  return (made, next) => {
    const faults = accessConstraints
      .flatMap(({ fault: find, listAffected }) => {
        const fault = find(route.intermediateStates, made, next);
        return fault ? [{ ...fault, listAffected: () => listAffected?.(route.intermediateStates, next) ?? [] }] : [];
      })
      .toSorted((a, b) => weights[b.kind] - weights[a.kind]);
    const isRefused = ({ kind }: IntermediateFault) => kind === "refused";
    // Who waives the worst one waives all of them: they are about all of these entries.
    return [faults.filter(isRefused), faults.filter((fault) => !isRefused(fault))].flatMap((alike) => {
      const [worst, ...others] = alike;
      const addresses = [...new Set(alike.flatMap((fault) => fault.addresses))];
      if (!worst) return [];
      const listAffected = () => omitPairsOfAffected(alike.flatMap((fault) => fault.listAffected()));
      return [{ ...worst, addresses, isOneOfSeveral: others.length > 0, listAffected }];
    });
  };
}

/** The constraints along a route; none is evaluated where the state certainly has no breach. */
function accessConstraintsAlong(
  { intermediateStates, masks }: WriteRoute,
  context: RouteContext,
): readonly AccessConstraint[] {
  const isCertainlySafe = masks.slice(0, -1).every((mask) => context.isCertainlySafe(intermediateStates, mask));
  return isCertainlySafe ? context.ofServer : [...context.ofServer, ...context.ofPrincipals()];
}

/** What is wrong first where whole requests that are left once some are made go on in the usual order. */
export function findUsualFaultAfter(
  { intermediateStates }: WriteRoute,
  context: RouteContext,
): (made: bigint) => IntermediateFault | undefined {
  const requests = listRequests(intermediateStates);
  return (made) => {
    const left = requests.filter((request) => (request & ~made) !== 0n);
    return firstFault({ intermediateStates, masks: addUp(left, made) }, context, made);
  };
}

function firstFault(route: WriteRoute, context: RouteContext, start = 0n): IntermediateFault | undefined {
  const accessConstraints = accessConstraintsAlong(route, context);
  for (const [at, mask] of route.masks.entries()) {
    for (const accessConstraint of accessConstraints) {
      const fault = accessConstraint.fault(route.intermediateStates, route.masks[at - 1] ?? start, mask);
      if (fault) return fault;
    }
  }
  return undefined;
}

function createMasks(sequences: Iterable<number>, start = 0n): readonly bigint[] {
  return addUp(
    [...sequences].map((sequence) => 1n << BigInt(sequence)),
    start,
  );
}
