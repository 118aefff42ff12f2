import type { ConcernedSubject } from "../access/compare/between/intermediate-check.ts";
import { areSettingsChanged } from "../access/compare/touched.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { listDistinct } from "../json/collections.ts";
import { type Change, isPending } from "../model/change.ts";
import { createAddress } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { Violation } from "../model/plan.ts";
import { usualBodyLimit } from "./body-limit.ts";
import { listDanglingNotes } from "./dangling.ts";
import { estimateFor } from "./estimate.ts";
import type { Finding, GuardInput, KnownAccess } from "./guards/guard.ts";
import { guards } from "./guards/index.ts";
import { evaluateLoadability } from "./guards/unloadable.ts";
import { type WaiverInput, waiveViolations } from "./guards/waive.ts";
import type { WireContext } from "./operations.ts";
import { findConstraints } from "./order/constraints.ts";
import { createIntermediateStates, createStatePair } from "./order/intermediate-states.ts";
import { type OrderedWrites, orderSafely, orderUsually } from "./order/order.ts";
import { type BaseProtections, findRefusedByBase } from "./refused-by-base.ts";
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
    | "planningLogin"
    | "foundByPlan"
    | "configWritable"
    | "access"
    | "tested"
    | "adminRoles"
    | "referencesThen"
    | "foreign"
  > {
  /** Of the repository: the order is checked for them, too. */
  readonly personas?: readonly ConcernedSubject[];
  /** Of the commit that the plan is compared with. */
  readonly bases?: readonly BaseProtections[];
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

/**
 * The fewest operations that make some changes, in an order that is safe, and what speaks against sending them. What is
 * decided is data: nothing is sent or read here.
 */
export function planChanges(input: PlanInput): PlannedWrites {
  const { changes, live, wire, applyingIdentity } = input;
  const { dialect, bodyLimit = usualBodyLimit } = wire;
  const pending = changes.filter(isPending);
  const access = findKnownAccess(input);

  // 1. The requests for these changes, in the usual order.
  const loadability = evaluateLoadability(pending, live, dialect);
  const usual = createUsualRequests(pending, {
    wire,
    estimate: estimateFor(changes, live, dialect),
    repairs: loadability.repairs,
    isConfigEvaluated: access !== undefined && areSettingsChanged(access.before.state, access.after.state),
  });

  // 2. An order that is safe for everybody in between, with requests split where that takes it.
  const ordered = access ? orderByAccess(usual, pending, access, input) : orderUsually(usual);
  const { operations, modelsAfter, ...order } = ordered;

  // 3. What speaks against it, and which of that is waived.
  const alone = { ...input, pending, operations, order, loadability, dialect, bodyLimit };
  const { bases = [], waiving } = input;
  const refusedByBase = listDistinct(bases.flatMap((one) => findRefusedByBase(alone, one, waiving)));
  const evaluated = { ...alone, refusedByBase };
  const findings = guards.flatMap(({ rule, countsEntries, evaluate }) =>
    evaluate(evaluated).map((one) => ({ rule, ...(countsEntries && { countsEntries }), ...one })),
  );
  const isChecked = applyingIdentity?.kind === "known" && !waivesLockOut(input.waiving, pending);
  // No other run asks for protection.
  const isForeignUnknown = !input.foreign && pending.some(({ action }) => action === "delete");
  const unchecked = ["protection", ...(isChecked ? [] : ["lock-out"]), ...(isForeignUnknown ? ["not-ours"] : [])];
  const { violations, waived, notes, diagnostics } = waiveViolations(findings, { ...input.waiving, unchecked });

  return {
    operations,
    violations,
    waived,
    notes: [
      ...notes,
      ...loadability.notes,
      ...guards.flatMap(({ remarks }) => remarks?.(evaluated) ?? []),
      ...listDanglingNotes(changes, live),
      ...listUndocumentedFields(pending, dialect),
    ],
    diagnostics,
    ...(modelsAfter && { modelsAfter }),
  };
}

/** What a plan takes from one login is no finding of another: a waiver of what is still to be made may be for that one. */
function waivesLockOut({ waivers = [] }: WaiverInput, pending: readonly Change[]): boolean {
  const changed = new Set(pending.map(({ family, name }) => createAddress(family, name)));
  return waivers.some(({ rule, addresses }) => rule === "lock-out" && addresses.some((one) => changed.has(one)));
}

/** Absent where the order is not to be found by it. */
function findKnownAccess({ access, ordersByAccess = true }: PlanInput): KnownAccess | undefined {
  return access && !("unread" in access) && ordersByAccess ? access : undefined;
}

function orderByAccess(
  usual: UsualRequests,
  changes: readonly Change[],
  access: KnownAccess,
  { applyingIdentity, personas, wire }: PlanInput,
): OrderedWrites {
  // One request has no intermediate state.
  if (usual.requests.length + (usual.license ? 1 : 0) === 1)
    return { ...orderUsually(usual), modelsAfter: () => [access.after] };
  const statePair = createStatePair(access.before, access.after);
  return orderSafely(usual, {
    ...findConstraints({ statePair, changes, dialect: wire.dialect, applyingIdentity, personas }),
    intermediateStatesOf: (batches) => createIntermediateStates(batches, statePair),
  });
}
