import { nowhere } from "../../access/explain/grant-path.ts";
import type { RunError } from "../../diagnostics/failure.ts";
import { getNoun } from "../../families/index.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import { type AccessView, createAccessView, listNamedByGuards } from "./access-diff.ts";
import { type BecameManaged, listBecameManaged } from "./became-managed.ts";
import { isUnwritten } from "./change.ts";
import { type DiagnosticsView, noDiagnostics } from "./diagnostics.ts";
import { countActions, createFamilyViews, type FamilyView, formatPendingCounts, formatQuietCounts } from "./family.ts";
import { formatMarks, listParts, type PlanPart } from "./marks.ts";
import { createProtectionView, type ProtectionView } from "./protection.ts";
import { createRequestView, type RequestView } from "./request.ts";
import { createTargetView, type TargetView } from "./target.ts";
import { createViolationView, createViolationViews, type ViolationView } from "./violation.ts";
import { passwordsAreUnknown, pluralise } from "./words.ts";

/**
 * Everything that a format shows of a plan. Texts are fit to be shown: no secret is in them and nothing invisible; a
 * format adds layout and markup alone.
 */
export interface PlanView {
  readonly target: TargetView;
  readonly isRefused: boolean;
  /** Made against a snapshot: it cannot be applied. */
  readonly isOfSnapshot: boolean;
  /** Its warnings end the run: nothing of it is saved or sent. Why is the first note. */
  readonly isFailing: boolean;
  /** Nothing is pending, nothing refused, nothing differs, and nothing is lost that a rollback is to bring back. */
  readonly isInSync: boolean;
  /** How many users are in sync but for their passwords, which are unknown. */
  readonly unknownPasswords: number;
  /** Something is pending, or differs and is left as it is. */
  readonly hasChanges: boolean;
  /** `1 to create, 2 to change, in 2 requests.` and what differs and is left as it is, in one or two sentences. */
  readonly summary: string;
  /** `The rest: 41 in sync, 9 reserved.`: what is no change, of all families together; empty where nothing is. */
  readonly rest: string;
  readonly becameManaged: readonly BecameManaged[];
  /** What protected access at the commit of `--base`, and does so less now; empty where nothing does. */
  readonly protection: readonly ProtectionView[];
  readonly families: readonly FamilyView[];
  /** Absent where it was not asked for. */
  readonly access?: AccessView;
  /** The same by whose it is; one part without a title where no commit is compared with, or all is the branch's. */
  readonly parts: readonly PlanPart[];
  readonly requestsTitle: string;
  readonly requests: readonly RequestView[];
  /** What each request does to access; empty without `--explain-order`. */
  readonly order: readonly { readonly request: RequestView; readonly access: AccessView }[];
  /** A sentence about the order as a whole; empty where there is nothing to say, or an intermediate state is not safe. */
  readonly orderSummary: string;
  readonly violations: readonly ViolationView[];
  /** What would refuse it and is waived; by whom is among the notes. */
  readonly waived: readonly ViolationView[];
  /** `action groups, tenants`: read because something declared mentions them. */
  readonly referenceOnly: string;
  readonly notes: readonly string[];
  /** What the files do that is no error. */
  readonly warnings: DiagnosticsView;
  /** What `apply --expect` asks for; empty where there is nothing to agree to. */
  readonly fingerprint: string;
  /** As the model has it, for programs. */
  readonly plan: Omit<Plan, "changes" | "operations" | "violations" | "waived">;
}

/**
 * @param places where files declare what grants access; by default no chain has a place
 * @param failing why its warnings end the run
 */
export function createPlanView(given: Plan, warnings = noDiagnostics, places = nowhere, failing?: RunError): PlanView {
  const plan = failing ? { ...given, notes: [failing.userMessage.what, ...given.notes] } : given;
  const { target, access, operations, violations, orderExplanation = [] } = plan;
  const families = createFamilyViews(plan.changes, listNamedByGuards(plan));
  const quietCounts = formatQuietCounts(plan.changes);
  const requests = operations.map(createRequestView);
  const hasChanges = families.some(({ changes }) => changes.length > 0);
  const isSent = violations.length === 0 && !target.snapshot;
  const shownAccess = access && createAccessView(access, plan, places);
  return {
    target: createTargetView(target),
    isRefused: violations.length > 0,
    isOfSnapshot: target.snapshot,
    isFailing: failing !== undefined,
    isInSync:
      !hasChanges &&
      requests.length === 0 &&
      violations.length === 0 &&
      plan.unrestored === undefined &&
      !plan.since?.marks?.takenBack.length,
    unknownPasswords: families.reduce((sum, family) => sum + family.unknownPasswords, 0),
    hasChanges,
    summary: formatSummary(plan, families),
    rest: quietCounts === "" ? "" : `${hasChanges ? "The rest: " : ""}${quietCounts}.`,
    becameManaged: listBecameManaged(plan),
    protection: (plan.since?.protection ?? []).map(createProtectionView),
    families,
    ...(shownAccess && { access: shownAccess }),
    parts: listParts(plan, { title: "", families, ...(shownAccess && { access: shownAccess }) }, places),
    requestsTitle: isSent ? "Requests, in this order" : "Requests it would take, in this order",
    requests,
    order: requests.flatMap((request, at) => {
      const step = orderExplanation[at];
      return step ? [{ request, access: createAccessView(step, plan, places) }] : [];
    }),
    orderSummary: formatOrderSummary(plan),
    violations: createViolationViews(violations),
    waived: plan.waived.map((finding) => createViolationView({ ...finding, remedies: [] })),
    referenceOnly: plan.referenceOnly.map((family) => getNoun(family, 2)).join(", "),
    notes: plan.notes.map(escapeInvisible),
    warnings,
    fingerprint: operations.length === 0 ? "" : plan.fingerprint,
    plan,
  };
}

function formatSummary(plan: Plan, families: readonly FamilyView[]): string {
  const pending = formatPendingCounts(countActions(plan.changes));
  const doing =
    pending === ""
      ? formatNothingPending(plan, families)
      : `${pending}, in ${pluralise(plan.operations.length, "request")}.${formatMarks(plan)}`;
  const differing = families
    .flatMap(({ changes }) => changes)
    .filter(
      ({ state, edits, reason }) =>
        state === "left" && (edits.length > 0 || reason === "left-out" || isUnwritten(reason)),
    ).length;
  const { unrestored = 0 } = plan;
  const left = differing === 1 ? "1 difference is left as it is." : `${differing} differences are left as they are.`;
  const lost = `${unrestored === 1 ? "1 entry" : `${unrestored} entries`} cannot be restored.`;
  return [doing, ...(differing === 0 ? [] : [left]), ...(unrestored === 0 ? [] : [lost])].join(" ");
}

/** A plan of nothing is refused where a test fails on what is there. */
function formatNothingPending({ violations }: Plan, families: readonly FamilyView[]): string {
  const isUnknown = families.some(({ unknownPasswords }) => unknownPasswords > 0);
  if (violations.length === 0) return isUnknown ? `Nothing to do. ${passwordsAreUnknown}` : "Nothing to do.";
  return violations.every(({ rule }) => rule === "access-tests")
    ? "no change is pending, and the access tests do not pass as it is."
    : "no change is pending.";
}

function formatOrderSummary({ operations, violations, waived, orderExplanation }: Plan): string {
  // A waived violation is a violation all the same.
  const isClean = [...violations, ...waived].every(({ rule }) => rule !== "order");
  return orderExplanation && isClean && operations.length > 1 ? cleanOrder : "";
}

const cleanOrder = "Between the requests, no principal that was evaluated temporarily gains or loses access.";
