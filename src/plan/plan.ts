import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Operation } from "../model/operation.ts";
import type { Violation } from "../model/plan.ts";
import { usualBodyLimit } from "./body-limit.ts";
import { type FamilyOrder, familyOrder } from "./clean-order.ts";
import { danglingNotes } from "./dangling.ts";
import { cutToSize, type Estimate, estimated, estimateFor, longest } from "./estimate.ts";
import type { Finding, Judged } from "./guards/guard.ts";
import { guards } from "./guards/index.ts";
import { type Lifting, lift } from "./guards/lift.ts";
import { isCure, poisoned } from "./guards/poisoned.ts";
import { operationsFor, type WireContext } from "./operations.ts";
import { stages } from "./order.ts";
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
}

/** Changes to the fewest operations, in an order that is safe, and what speaks against sending them. */
export function planChanges(input: PlanInput): Planned {
  const { changes, live, wire } = input;
  const pending = changes.filter(isPending);
  const treatment = poisoned(pending, live, wire.dialect);
  const order = familyOrder(pending, input.ordersByAccess === false ? undefined : input.access, wire.dialect);
  const inOrder = ordered(wire, order, estimateFor(changes, live, wire.dialect));
  const cure = "first, because it ends what keeps the server from loading anything";
  const operations = [
    ...inOrder(pending.filter((change) => isCure(change, treatment))).map((operation) => explained(operation, cure)),
    ...inOrder(pending.filter((change) => !isCure(change, treatment))),
  ];
  const { dialect, bodyLimit = usualBodyLimit } = wire;
  const judged = { ...input, pending, operations, treatment, dialect, bodyLimit };
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
      ...order.notes,
      ...danglingNotes(changes, live),
      ...undocumentedFields(pending, wire.dialect),
    ],
    diagnostics,
  };
}

/** Family after family, in as few requests as the server can take in a bearable time. */
function ordered(wire: WireContext, order: FamilyOrder, estimate: Estimate | undefined) {
  return (pending: readonly Change[]): readonly Operation[] =>
    stages(pending, order).flatMap(({ family, reason }) => {
      const ours = pending.filter((change) => change.family === family);
      const parts = cutToSize(ours, estimate);
      const cut = parts.length > 1 ? `cut so that no request is estimated above ${longest / 60_000} min` : undefined;
      return parts
        .flatMap((part) => operationsFor(part, wire))
        .map((operation) => estimated(explained(operation, reason, cut), ours, estimate));
    });
}

/** With why it is this request, and why it stands here. */
function explained(operation: Operation, ...reasons: readonly (string | undefined)[]): Operation {
  const given = [operation.reason, ...reasons].filter((reason) => reason !== undefined);
  return given.length === 0 ? operation : { ...operation, reason: given.join("; ") };
}
