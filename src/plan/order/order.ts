import type { AccessModel } from "../../access/model/access-model.ts";
import { assert } from "../../diagnostics/failure.ts";
import { type Operation, withExplanation } from "../../model/operation.ts";
import type { PlannedRequest, UsualRequests } from "../requests.ts";
import type { WorstFault } from "./faults.ts";
import { findRouteFor, findUsualFaultAfter, listFaultsAlong, type RouteContext } from "./routes.ts";
import { orderCut } from "./stages.ts";
import { createSteps, type Step } from "./steps.ts";

/** The operations of a plan in the order in which they are sent, and what is known of it. */
export interface OrderedWrites extends OrderFindings {
  readonly operations: readonly Operation[];
  /** Who may do what after each of the operations; absent where this is unknown. */
  readonly modelsAfter?: () => readonly AccessModel[];
}

/** What speaks against an order. */
export interface OrderFindings {
  readonly faults: readonly FaultAfter[];
  /** The search for an order without faults took too much work, and was ended. */
  readonly isEndedEarly?: boolean;
  /** What was not evaluated, each a clause; absent where all of it was. */
  readonly undecided?: readonly string[];
  /** Pairs of principals were not all evaluated. */
  readonly isUnsureOfPairs?: boolean;
}

/** What is wrong between two operations. */
export interface FaultAfter extends WorstFault {
  /** Once so many of the operations are done. */
  readonly after: number;
}

/** The usual order, where intermediate states are not evaluated. */
export function orderUsually(usual: UsualRequests): OrderedWrites {
  const operations = usual.requests.map(({ operation, whyThere }) => withExplanation(operation, whyThere));
  const { license } = usual;
  return {
    operations: license ? operations.toSpliced(findPlaceOfLicense(operations, usual), 0, license) : operations,
    faults: [],
  };
}

/**
 * Puts the operations in an order in which, after any of them, no principal holds what neither the state before nor
 * the one after grants, or misses what both grant, none is refused, and the applying identity can go on. That is the
 * usual order where it fits; else another one; else one in which a request is split, with as few additional operations
 * as were found. Where nothing helps, one with as few constraints broken as were found.
 *
 * Each operation leads from one evaluated state to the next. Where a part of a request is too long for one operation,
 * the request is halved, and the order is looked for again.
 */
export function orderSafely(usual: UsualRequests, context: RouteContext): OrderedWrites {
  const { requests, fixed } = usual;
  const sequences = requests.map(({ changes }) => changes);
  const { route, isEndedEarly } = findRouteFor(sequences, fixed, context);
  const steps = createSteps({ route, usual, usualFault: findUsualFaultAfter(route, context) });
  const tooLong = new Set(steps.flatMap(({ request, operations }) => (operations.length > 1 ? [request] : [])));
  if (tooLong.size > 0) return orderSafely(halve(usual, tooLong), context);
  const sent = withLicense(steps.flatMap(listSent), usual);
  const faultsAt = listFaultsAlong(route, context);
  return {
    operations: sent.map(({ operation }) => operation),
    faults: sent.flatMap(({ before, after }, at) =>
      before === after ? [] : faultsAt(before, after).map((fault): FaultAfter => ({ ...fault, after: at + 1 })),
    ),
    ...(isEndedEarly && { isEndedEarly }),
    ...listUndecided(context),
    modelsAfter: () => sent.map(({ after }) => route.intermediateStates.modelAt(after)),
  };
}

/** Two requests in the place of each of these. */
function halve(usual: UsualRequests, tooLong: ReadonlySet<PlannedRequest>): UsualRequests {
  const requests = usual.requests.flatMap((request): readonly PlannedRequest[] => {
    if (!tooLong.has(request)) return [request];
    const changes = orderCut(request.changes);
    assert(changes.length > 1, "A request of one change is too long for one operation.");
    const half = Math.ceil(changes.length / 2);
    return [changes.slice(0, half), changes.slice(half)].flatMap((some) =>
      usual.operationsFor(some).map((operation) => ({
        operation: withExplanation(operation, request.operation.reason ?? "split: its parts exceed the body limit"),
        changes: some,
      })),
    );
  });
  return { ...usual, requests };
}

/** An operation, and what is made before and after it, as bits. */
interface Sent {
  readonly operation: Operation;
  readonly before: bigint;
  readonly after: bigint;
}

function listSent({ operations, made, next }: Step): readonly Sent[] {
  return operations.map((operation) => ({ operation, before: made, after: next }));
}

/** The license decides nothing about access. */
function withLicense(sent: readonly Sent[], usual: UsualRequests): readonly Sent[] {
  const { license } = usual;
  if (!license) return sent;
  const at = findPlaceOfLicense(
    sent.map(({ operation }) => operation),
    usual,
  );
  const made = sent[at - 1]?.after ?? 0n;
  return sent.toSpliced(at, 0, { operation: license, before: made, after: made });
}

function findPlaceOfLicense(operations: readonly Operation[], { fixed }: UsualRequests): number {
  const config = operations.findIndex(({ family }) => family === "config");
  return config === -1 ? fixed.first : config + 1;
}

function listUndecided({ notEvaluated, isSpent }: RouteContext): Pick<OrderFindings, "undecided" | "isUnsureOfPairs"> {
  const { principals, pairs } = notEvaluated();
  const undecided = [
    ...(principals > 0 ? [`${principals} principals concerned are too many to evaluate`] : []),
    ...(isSpent() ? ["there are too many intermediate states to evaluate all of them"] : []),
  ];
  return { ...(undecided.length > 0 && { undecided }), isUnsureOfPairs: pairs };
}
