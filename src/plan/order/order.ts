import type { AccessModel } from "../../access/model/access-model.ts";
import type { Change } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { IntermediateFault } from "./faults.ts";
import { createRouteOperations, type PlannedRequest } from "./parts.ts";
import { findRouteFor, findUsualFaultAfter, listFaultsAlong, type RouteContext } from "./routes.ts";

/** The requests of a plan in the usual order. */
export interface Requests {
  /** They go first, whatever they do. */
  readonly remedies: readonly PlannedRequest[];
  /** Those whose order decides who holds what in between. */
  readonly relevant: readonly PlannedRequest[];
  /** Requests for the config and the license, which go before and after all others. */
  readonly head: readonly Operation[];
  readonly tail: readonly Operation[];
}

export interface OrderedWrites {
  readonly operations: readonly Operation[];
  readonly faults: readonly FaultAfter[];
  /** The search for an order without faults took too much work, and was ended. */
  readonly isEndedEarly?: boolean;
  /** What was not evaluated; absent where all of it was. */
  readonly undecided?: readonly string[];
  /** Pairs of principals were not all evaluated. */
  readonly isUnsureOfPairs?: boolean;
  /** Who may do what after each of the operations; absent where this is unknown. */
  readonly modelsAfter?: () => readonly AccessModel[];
}

/** What is wrong once so many of the operations are done. */
export interface FaultAfter extends IntermediateFault {
  readonly after: number;
  /** Others are wronged as well. */
  readonly isOneOfSeveral?: boolean;
}

/**
 * Puts the operations in an order in which, after any of them, no principal holds what neither the state before nor
 * the one after grants, or misses what both grant, none is refused, and the applying identity can go on. That is the
 * usual order where it fits; else another one; else, with the fewest additional operations, one in which a request is
 * split. Where nothing helps, one with as few constraints broken as were found.
 *
 * @param operationsFor the requests for some changes of one family
 */
export function orderSafely(
  { remedies, relevant, head, tail }: Requests,
  semantics: RouteContext,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): OrderedWrites {
  const all = [...remedies, ...relevant];
  const sequences = all.map(({ changes }) => changes);
  const { route, isEndedEarly } = findRouteFor(sequences, remedies.length, semantics);
  const { intermediateStates, masks } = route;
  const last = masks.at(-1) ?? 0n;
  const cured = masks[remedies.length - 1] ?? 0n;
  const usualFault = findUsualFaultAfter(route, semantics);
  const steps = createRouteOperations({ route, requests: all, first: remedies.length, usualFault }, operationsFor);
  const made = [
    ...remedies.map(({ operation }, at) => ({ operation, mask: masks[at] ?? 0n })),
    ...head.map((operation) => ({ operation, mask: cured })),
    ...steps.flatMap((some, at) => some.map((operation) => ({ operation, mask: masks[remedies.length + at] ?? last }))),
    ...tail.map((operation) => ({ operation, mask: last })),
  ];
  const faultsAt = listFaultsAlong(route, semantics);
  const faults = made.flatMap(({ mask }, at): readonly FaultAfter[] => {
    const before = made[at - 1]?.mask ?? 0n;
    return mask === before ? [] : faultsAt(before, mask).map((fault) => ({ ...fault, after: at + 1 }));
  });
  const unjudged = semantics.unjudged();
  const undecided = [
    ...(unjudged.principals > 0 ? [`${unjudged.principals} principals concerned are too many to evaluate`] : []),
    ...(semantics.isSpent() ? ["there are too many intermediate states to evaluate all of them"] : []),
  ];
  return {
    operations: made.map(({ operation }) => operation),
    faults,
    ...(isEndedEarly && { isEndedEarly }),
    ...(undecided.length > 0 && { undecided }),
    isUnsureOfPairs: unjudged.pairs,
    modelsAfter: () => made.map(({ mask }) => intermediateStates.modelAt(mask)),
  };
}

/** The usual order, where intermediate states are not evaluated. */
export function orderUsually({ remedies, relevant, head, tail }: Requests): OrderedWrites {
  const operations = [
    ...remedies.map(({ operation }) => operation),
    ...head,
    ...relevant.map(({ operation }) => operation),
    ...tail,
  ];
  return { operations, faults: [] };
}
