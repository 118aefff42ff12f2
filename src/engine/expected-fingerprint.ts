import { planKey } from "../artifacts/plan-key.ts";
import { joinMoved } from "../artifacts/saved-plan/moved.ts";
import { RunError } from "../diagnostics/failure.ts";
import { type Change, isPending } from "../model/change.ts";
import { createAddress } from "../model/names.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { findSecretChanges } from "../secrets/changed.ts";
import { touchesAccess } from "./pipeline/access-states.ts";
import type { PlanRequest } from "./plan.ts";

/** @throws RunError `stale` for another plan than the expected one; `refused` where a fingerprint says too little */
export function refuseUnlessSame(expected: string, { plan }: Pick<DecidedPlan, "plan">, request: PlanRequest): void {
  const secret = findSecretChanges(plan.changes).map(({ family, name }) => createAddress(family, name));
  if (secret.length > 0 && planKey(request) === undefined) {
    throw new RunError("refused", {
      what: `This plan changes secrets (${secret.join(", ")}), and a fingerprint made without a key says nothing of their values.`,
      why: "Other secrets than the reviewed ones could be sent. Nothing was sent.",
      fix: "Set the same GATE_SYNC_PLAN_KEY for plan and for apply; then the fingerprint covers them.",
    });
  }
  const access = touchesAccess(plan.changes) ? (request.withoutAccess ? "left-out" : "covered") : undefined;
  const edited = listEdited(plan.changes);
  refuseOtherFingerprint(expected, plan.fingerprint, { isInSync: plan.operations.length === 0, access, edited });
}

/** What a plan does, by address and field; names of fields only, as their values may be secrets. */
export function listEdited(
  changes: readonly Pick<Change, "family" | "name" | "action" | "edits">[],
): readonly string[] {
  return changes.filter(isPending).map(({ family, name, action, edits }) => {
    const fields = [...new Set(edits.map(({ path }) => path.join(".")))].filter((field) => field !== "");
    return `${action} ${createAddress(family, name)}${action === "update" ? ` (${fields.join(", ")})` : ""}`;
  });
}

/** What is known of the plan of now. */
interface Now {
  /** It has nothing to do. */
  readonly isInSync?: boolean;
  /** Whether its fingerprint covers the access diff; absent where the plan has none. */
  readonly access?: "covered" | "left-out" | undefined;
  /** What it does: of the expected plan only the fingerprint is known. */
  readonly edited?: readonly string[];
}

/** @throws RunError `stale` */
export function refuseOtherFingerprint(expected: string, fingerprint: string, now: Now = {}): void {
  if (fingerprint === expected) return;
  if (now.isInSync) {
    throw new RunError("stale", {
      what: `Nothing is to be changed any more, and the plan ${expected} changed something.`,
      why: "It was applied already, or the server has changed since. Nothing was sent.",
      fix: "There is nothing left to do; gate-sync plan shows that.",
    });
  }
  throw new RunError("stale", {
    what: `This is not the expected plan: its fingerprint is ${fingerprint}, not ${expected}.`,
    why: `The server, the files, the target or GATE_SYNC_PLAN_KEY differ from those of the reviewed plan${now.access ? ", or --no-access does" : ""}, or only one of the two logins sees the name of the cluster (GET /, cluster:monitor/main). ${now.edited ? `The plan of now: ${joinMoved(now.edited)}. ` : ""}Nothing was sent.`,
    fix: `Run gate-sync plan again, have the new plan reviewed, and apply with its fingerprint.${now.access ? sameFlag[now.access] : ""}`,
  });
}

/** With --no-access a fingerprint does not cover the access diff, and so is another one for the same change. */
const sameFlag = {
  covered:
    " A plan that was made with --no-access takes the same flag here: its fingerprint does not cover who gains and loses access.",
  "left-out":
    " With --no-access the fingerprint does not cover who gains and loses access: a plan that was made without it takes an apply without it.",
} as const;
