import type { Concerned } from "../access/compare/between.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Operation } from "../model/operation.ts";
import type { Violation } from "../model/plan.ts";
import { usualBodyLimit } from "./body-limit.ts";
import { danglingNotes } from "./dangling.ts";
import { estimateFor } from "./estimate.ts";
import type { Finding, Judged } from "./guards/guard.ts";
import { guards } from "./guards/index.ts";
import { type Lifting, lift } from "./guards/lift.ts";
import { poisoned } from "./guards/poisoned.ts";
import type { WireContext } from "./operations.ts";
import { aroundOf, momentsOf, type Piece } from "./order/moments.ts";
import { inSafeOrder, inUsualOrder, type Ordered } from "./order/order.ts";
import { stakesIn } from "./order/stakes.ts";
import { type UsualRequests, usualRequests } from "./requests.ts";
import { undocumentedFields } from "./undocumented.ts";

export interface PlanInput
  extends Pick<
    Judged,
    | "changes"
    | "live"
    | "policies"
    | "protect"
    | "login"
    | "applier"
    | "configWritable"
    | "access"
    | "tested"
    | "adminRoles"
  > {
  /** Of the repository: the order is judged for them, too. */
  readonly personas?: readonly Concerned[];
  /** What lifts what guards refuse. */
  readonly lifting: Lifting;
  readonly wire: WireContext;
  /** The order of the writes is found by who holds what in between. Default true. */
  readonly ordersByAccess?: boolean;
}

export interface Planned {
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  /** What spoke against it and was agreed to. */
  readonly lifted: readonly Finding[];
  readonly notes: readonly string[];
  /** About consents. */
  readonly diagnostics: readonly Diagnostic[];
  /** Who may do what after each of the operations; absent where nobody knows. */
  readonly modelsAfter?: Ordered["modelsAfter"];
}

/** Changes to the fewest operations, in an order that is safe, and what speaks against sending them. */
export function planChanges(input: PlanInput): Planned {
  const { changes, live, wire } = input;
  const pending = changes.filter(isPending);
  const treatment = poisoned(pending, live, wire.dialect);
  const requests = usualRequests(pending, treatment, wire, estimateFor(changes, live, wire.dialect));
  const { operations, modelsAfter, ...order } = inOrder(input, pending, requests);
  const { dialect, bodyLimit = usualBodyLimit } = wire;
  const judged = { ...input, pending, operations, order, treatment, dialect, bodyLimit };
  const { violations, lifted, notes, diagnostics } = lift(
    guards.flatMap(({ judge }) => judge(judged)),
    { ...input.lifting, unjudged: input.applier?.kind === "known" ? [] : ["lock-out"] },
  );
  return {
    operations,
    violations,
    lifted,
    notes: [
      ...notes,
      ...treatment.notes,
      ...guards.flatMap(({ remarks }) => remarks?.(judged) ?? []),
      ...danglingNotes(changes, live),
      ...undocumentedFields(pending, wire.dialect),
    ],
    diagnostics,
    ...(modelsAfter && { modelsAfter }),
  };
}

/** By who holds what in between, where that is known and asked for. */
function inOrder(input: PlanInput, pending: readonly Change[], requests: UsualRequests): Ordered {
  const { access, applier, personas, wire, ordersByAccess = true } = input;
  if (!access || "unread" in access || !ordersByAccess) return inUsualOrder(requests);
  const around = aroundOf(access.before, access.after);
  const stakes = stakesIn({ around, changes: pending, dialect: wire.dialect, applier, personas });
  const isConfigFirst = requests.head.some(({ family }) => family === "config");
  const judging = { ...stakes, momentsOf: (pieces: readonly Piece[]) => momentsOf(pieces, around, isConfigFirst) };
  return inSafeOrder(requests, judging, requests.operationsFor);
}
