import { RunError } from "../../diagnostics/failure.ts";
import type { Artifact } from "../../model/artifact.ts";
import { createAddress } from "../../model/names.ts";
import type { SavedPlan } from "../../model/plan-file.ts";
import { computeSlottedFingerprint } from "../../plan/fingerprint.ts";
import { waivableRules } from "../../plan/guards/rules.ts";
import { createEditedMessage, decodeArtifact } from "../artifact.ts";
import { listWholeEdits } from "./derived.ts";

/**
 * The plan in a file, once it is clear that it is the one that was saved.
 *
 * @param key of this run, where there is one
 * @throws RunError `usage` for a file that was edited, or is of another version; `refused` for a refused plan
 */
export function openSavedPlan(path: string, text: string, key: string | undefined): Artifact<SavedPlan> {
  const saved = decodeArtifact("plan-file", path, text, key);
  if (computeSavedFingerprint(saved) !== saved.body.fingerprint) {
    throw createEditedMessage("plan-file", path, "Its fingerprint is not that of its plan.");
  }
  const [first] = saved.body.violations;
  if (first) {
    throw new RunError("refused", {
      what: `The plan in ${path} is refused by the guard ${first.rule}: ${first.what}`,
      why: "It was saved for its reviewers. Nothing was sent.",
      fix: `${fixFor(first.rule)}, and have the new plan reviewed.`,
    });
  }
  return saved;
}

function fixFor(rule: string): string {
  return waivableRules.includes(rule)
    ? "Waive the guard where the plan is made, as that plan says"
    : `Nothing waives this guard (gate-sync explain ${rule} says what to do): change the files, plan again`;
}

/** Computed from what the file holds, so that a fingerprint that was agreed to is that of what will be applied. */
export function computeSavedFingerprint({ target, body }: Artifact<SavedPlan>): string {
  const { operations, changes, violations, access } = body;
  return computeSlottedFingerprint({
    target,
    operations: operations.map((operation) => ({ ...operation, body: operation.body ?? null })),
    edits: changes.map((change) => ({
      address: createAddress(change.family, change.name),
      action: change.action,
      edits: listWholeEdits(change),
    })),
    violations,
    ...(access && { access }),
  });
}
