import type { Artifact } from "../../model/artifact.ts";
import { combineFingerprints } from "../../model/fingerprint.ts";
import type { MadeFor, SavedPlan } from "../../model/plan-file.ts";
import { createEditedMessage, decodeArtifactOfSeveral } from "../artifact.ts";
import { computeSavedFingerprint } from "./open.ts";

export interface OpenedFleet {
  readonly fingerprint: string;
  readonly madeFor?: MadeFor;
  /** In the order of the file; a plan that a guard refused is among them. */
  readonly plans: readonly Artifact<SavedPlan>[];
}

/**
 * The plans in a file of several targets, once it is clear that they are those that were saved.
 *
 * @param key of this run, where there is one
 * @throws RunError `usage` for a file that was edited, or is of another version
 */
export function openSavedFleet(path: string, text: string, key: string | undefined): OpenedFleet {
  const { targets, body, at: made } = decodeArtifactOfSeveral("fleet-plan", path, text, key);
  const plans = targets.flatMap((target, at): readonly Artifact<SavedPlan>[] => {
    const plan = body.plans[at];
    return plan ? [{ target, body: plan, ...(made !== undefined && { at: made }) }] : [];
  });
  const names = new Set(targets.map(({ name }) => name));
  const isWhole = plans.length === body.plans.length && names.size === plans.length && plans.length === targets.length;
  const isAsSaved = plans.every((plan) => computeSavedFingerprint(plan) === plan.body.fingerprint);
  if (!isWhole || !isAsSaved || computeFleetFingerprint(plans) !== body.fingerprint) {
    throw createEditedMessage("fleet-plan", path, "A fingerprint in it is not that of its plan.");
  }
  const { fingerprint, made_for: madeFor } = body;
  return { fingerprint, ...(madeFor && { madeFor }), plans };
}

/** Of all plans that do something: a target in sync has nothing to agree to. */
export function computeFleetFingerprint(plans: readonly Artifact<SavedPlan>[]): string {
  const doing = plans.filter(({ body }) => body.operations.length > 0);
  return combineFingerprints(doing.map(({ body }) => body.fingerprint));
}
