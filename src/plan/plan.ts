import type { ConcernedSubject } from "../access/compare/between.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Operation } from "../model/operation.ts";
import type { Violation } from "../model/plan.ts";
import { usualBodyLimit } from "./body-limit.ts";
import { listDanglingNotes } from "./dangling.ts";
import { estimateFor } from "./estimate.ts";
import type { Finding, GuardInput } from "./guards/guard.ts";
import { guards } from "./guards/index.ts";
import { refuseUnloadable } from "./guards/unloadable.ts";
import { type WaiverInput, waiveViolations } from "./guards/waive.ts";
import type { WireContext } from "./operations.ts";
import { findConstraints } from "./order/constraints.ts";
import { type Batch, createIntermediateStates, getStatePairs } from "./order/intermediate-states.ts";
import { type OrderedWrites, orderSafely, orderUsually } from "./order/order.ts";
import { createUsualRequests, type UsualRequests } from "./requests.ts";
import { listUndocumentedFields } from "./undocumented.ts";

export interface PlanInput
  extends Pick<
    GuardInput,
    | "changes"
    | "live"
    | "policies"
    | "protect"
    | "login"
    | "applyingIdentity"
    | "configWritable"
    | "access"
    | "tested"
    | "adminRoles"
  > {
  /** Of the repository: the order is checked for them, too. */
  readonly personas?: readonly ConcernedSubject[];
  /** What waives what guards refuse. */
  readonly waiving: WaiverInput;
  readonly wire: WireContext;
  /** The order of the writes is found by who holds what in between. Default true. */
  readonly ordersByAccess?: boolean;
}

export interface PlannedWrites {
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  /** What spoke against it and was agreed to. */
  readonly waived: readonly Finding[];
  readonly notes: readonly string[];
  /** About waivers. */
  readonly diagnostics: readonly Diagnostic[];
  /** Who may do what after each of the operations; absent where this is unknown. */
  readonly modelsAfter?: OrderedWrites["modelsAfter"];
}

/** Changes to the fewest operations, in an order that is safe, and what speaks against sending them. */
export function planChanges(input: PlanInput): PlannedWrites {
  const { changes, live, wire } = input;
  const pending = changes.filter(isPending);
  const remedyKind = refuseUnloadable(pending, live, wire.dialect);
  const requests = createUsualRequests(pending, remedyKind, wire, estimateFor(changes, live, wire.dialect));
  const { operations, modelsAfter, ...order } = inOrder(input, pending, requests);
  const { dialect, bodyLimit = usualBodyLimit } = wire;
  const evaluated = { ...input, pending, operations, order, remedyKind, dialect, bodyLimit };
  const { violations, waived, notes, diagnostics } = waiveViolations(
    guards.flatMap(({ rule, evaluate }) => evaluate(evaluated).map((finding) => ({ rule, ...finding }))),
    { ...input.waiving, unjudged: input.applyingIdentity?.kind === "known" ? [] : ["lock-out"] },
  );
  return {
    operations,
    violations,
    waived,
    notes: [
      ...notes,
      ...remedyKind.notes,
      ...guards.flatMap(({ remarks }) => remarks?.(evaluated) ?? []),
      ...listDanglingNotes(changes, live),
      ...listUndocumentedFields(pending, wire.dialect),
    ],
    diagnostics,
    ...(modelsAfter && { modelsAfter }),
  };
}

/** By who holds what in between, where that is known and asked for. */
function inOrder(input: PlanInput, pending: readonly Change[], requests: UsualRequests): OrderedWrites {
  const { access, applyingIdentity, personas, wire, ordersByAccess = true } = input;
  if (!access || "unread" in access || !ordersByAccess) return orderUsually(requests);
  const { remedies, relevant, head, tail } = requests;
  // One request has no intermediate state.
  if (remedies.length + relevant.length + head.length + tail.length === 1)
    return { ...orderUsually(requests), modelsAfter: () => [access.after] };
  const statePair = getStatePairs(access.before, access.after);
  const accessConstraints = findConstraints({
    statePair,
    changes: pending,
    dialect: wire.dialect,
    applyingIdentity,
    personas,
  });
  const isConfigFirst = requests.head.some(({ family }) => family === "config");
  const semantics = {
    ...accessConstraints,
    intermediateStatesOf: (batches: readonly Batch[]) => createIntermediateStates(batches, statePair, isConfigFirst),
  };
  return orderSafely(requests, semantics, requests.operationsFor);
}
