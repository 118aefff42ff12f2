import { RunError } from "../diagnostics/failure.ts";
import { addressOf } from "../model/names.ts";
import { secretChanges } from "./at-stake.ts";
import type { Planned } from "./plan.ts";
import { planKey } from "./plan-key.ts";
import type { Request } from "./request.ts";

/** @throws RunError `stale` for another plan than the expected one; `refused` where a fingerprint says too little */
export function refuseUnlessSame(expected: string, { plan }: Pick<Planned, "plan">, request: Request): void {
  const secret = secretChanges(plan.changes).map(({ family, name }) => addressOf(family, name));
  if (secret.length > 0 && planKey(request) === undefined) {
    throw new RunError("refused", {
      what: `This plan changes secrets (${secret.join(", ")}), and a fingerprint made without a key says nothing of their values.`,
      why: "Other secrets than the reviewed ones could be sent. Nothing was sent.",
      fix: "Set the same GATE_SYNC_PLAN_KEY for plan and for apply; then the fingerprint covers them.",
    });
  }
  refuseOtherFingerprint(expected, plan.fingerprint, plan.operations.length === 0);
}

/**
 * @param isInSync whether the plan of now has nothing to do
 * @throws RunError `stale`
 */
export function refuseOtherFingerprint(expected: string, fingerprint: string, isInSync = false): void {
  if (fingerprint === expected) return;
  if (isInSync) {
    throw new RunError("stale", {
      what: `Nothing is to be changed any more, and the plan ${expected} changed something.`,
      why: "It was applied already, or what it was made from has moved. Nothing was sent.",
      fix: "There is nothing left to do; gate-sync plan shows that.",
    });
  }
  throw new RunError("stale", {
    what: `This is not the expected plan: its fingerprint is ${fingerprint}, not ${expected}.`,
    why: "The server, the files, the target or GATE_SYNC_PLAN_KEY differ from those of the reviewed plan. Nothing was sent.",
    fix: "Run gate-sync plan again, have the new plan reviewed, and apply with its fingerprint.",
  });
}
