import type { AccessModel } from "../../access/model.ts";
import type { Change } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Fault } from "./faults.ts";
import { operationsOf, type Requested } from "./parts.ts";
import { faultsAlong, type Judging, routeFor, usualFaultAfter } from "./routes.ts";

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
  /** Others are wronged as well. */
  readonly isOneOfSeveral?: boolean;
}

/**
 * The operations in the order in which nobody, after any of them, holds what neither the state before nor the one after
 * grants, or misses what both grant, none is refused, and whoever applies can go on: the usual order where it is such;
 * else another one; else, by the fewest operations more, one in which what a request would make is taken apart. Where
 * nothing helps, the order in which least is wrong.
 *
 * @param operationsFor the requests for some changes of one family
 */
export function inSafeOrder(
  { cures, ours, head, tail }: Requests,
  judging: Judging,
  operationsFor: (changes: readonly Change[]) => readonly Operation[],
): Ordered {
  const all = [...cures, ...ours];
  const lanes = all.map(({ changes }) => changes);
  const { route, isTriedOut } = routeFor(lanes, cures.length, judging);
  const { moments, masks } = route;
  const last = masks.at(-1) ?? 0n;
  const cured = masks[cures.length - 1] ?? 0n;
  const usualFault = usualFaultAfter(route, judging);
  const steps = operationsOf({ route, requests: all, first: cures.length, usualFault }, operationsFor);
  const made = [
    ...cures.map(({ operation }, at) => ({ operation, mask: masks[at] ?? 0n })),
    ...head.map((operation) => ({ operation, mask: cured })),
    ...steps.flatMap((some, at) => some.map((operation) => ({ operation, mask: masks[cures.length + at] ?? last }))),
    ...tail.map((operation) => ({ operation, mask: last })),
  ];
  const faultsAt = faultsAlong(route, judging);
  const faults = made.flatMap(({ mask }, at): readonly FaultAfter[] => {
    const before = made[at - 1]?.mask ?? 0n;
    return mask === before ? [] : faultsAt(before, mask).map((fault) => ({ ...fault, after: at + 1 }));
  });
  const unjudged = judging.unjudged();
  const undecided = [
    ...(unjudged.principals > 0 ? [`${unjudged.principals} principals of those concerned are too many to judge`] : []),
    ...(judging.isSpent() ? ["it takes too long to judge all the moments that an order may go through"] : []),
  ];
  return {
    operations: made.map(({ operation }) => operation),
    faults,
    ...(faults.length > 0 && { isTriedOut }),
    ...(undecided.length > 0 && { undecided }),
    isUnsureOfPairs: unjudged.pairs,
    modelsAfter: () => made.map(({ mask }) => moments.modelAt(mask)),
  };
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
