import { RunError } from "../../diagnostics/failure.ts";
import { isSameDigest } from "../../json/canonical.ts";
import { deepest, isTooDeep } from "../../json/depth.ts";
import { createAddress } from "../../model/names.ts";
import type { PlanFile, SavedPlan } from "../../model/plan-file.ts";
import { computeSlottedFingerprint } from "../../plan/fingerprint.ts";
import { isPlanFile } from "../../validate/ajv.ts";
import { parseSavedCluster } from "./cluster.ts";
import { computePlanDigest, computeSeal, encodePlanFile } from "./file.ts";

/** Levels of nesting that a plan file adds to a value. */
const envelopeDepth = 20;

/**
 * The plan in a file, after everything that speaks for its being the one that was saved.
 *
 * @param key of this run, where there is one
 * @throws RunError `usage` for a file that was edited, or is of another version; `refused` for a refused plan
 */
export function openSavedPlan(path: string, text: string, key: string | undefined): PlanFile {
  const file = parsed(path, text);
  if (encodePlanFile(file) !== text) throw edited(path, "It is not spelled as gate-sync spells it.");
  checkSeal(path, file, key);
  if (computePlanDigest(file.plan) !== file.digest) throw edited(path, "Its digest is not that of what it holds.");
  if (computeSavedFingerprint(file.plan) !== file.plan.fingerprint)
    throw edited(path, "Its fingerprint is not that of its plan.");
  const [first] = file.plan.violations;
  if (first) {
    throw new RunError("refused", {
      what: `The plan in ${path} is refused by the guard ${first.rule}: ${first.what}`,
      why: "It was saved for its reviewers. Nothing was sent.",
      fix: `${fixFor(first.rule)}, and have the new plan reviewed.`,
    });
  }
  return file;
}

/** A violation that no waiver waives is fixed where it arises. */
function fixFor(rule: string): string {
  return rule === "access-tests"
    ? "Nothing waives this guard: change what breaks the test, or the test itself if it is no longer meant, plan again"
    : "Waive the guard where the plan is made, as that plan says";
}

/** What was agreed to by its fingerprint is what the file holds: worked out from that. */
export function computeSavedFingerprint({ target, operations, changes, violations, access }: SavedPlan): string {
  return computeSlottedFingerprint({
    target: parseSavedCluster(target),
    operations: operations.map((operation) => ({ ...operation, body: operation.body ?? null })),
    edits: changes.map(({ family, name, action, edits }) => ({
      address: createAddress(family, name),
      action,
      edits: edits.map(({ path, before = null, after = null }) => ({ path, before, after })),
    })),
    violations,
    ...(access && { access }),
  });
}

function parsed(path: string, text: string): PlanFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw edited(path, "It is no JSON.");
  }
  if (isTooDeep(value, deepest + envelopeDepth)) throw edited(path, "It is nested deeper than any plan.");
  if (isPlanFile(value)) return value;
  const { format_version, made } = value as { format_version?: unknown; made?: { by?: unknown } | null };
  if (format_version === 1) throw edited(path, "It does not fit its schema.");
  throw new RunError("usage", {
    what: `${path} has format version ${JSON.stringify(format_version)}, and this gate-sync reads version 1.`,
    why: `It was made by ${typeof made?.by === "string" ? made.by : "another version"}. Nothing was sent.`,
    fix: "Plan and apply with the same version of gate-sync.",
  });
}

function checkSeal(path: string, file: PlanFile, key: string | undefined): void {
  const { seal } = file;
  if (seal === undefined && key === undefined) return;
  if (seal === undefined || key === undefined) {
    throw new RunError("usage", {
      what: seal === undefined ? `${path} is not sealed.` : `${path} is sealed, and GATE_SYNC_PLAN_KEY is not set.`,
      why:
        seal === undefined
          ? "GATE_SYNC_PLAN_KEY is set, so only a plan that was sealed with it counts. Nothing was sent."
          : "Without the key, whether it was edited is unknown. Nothing was sent.",
      fix: "Set the same GATE_SYNC_PLAN_KEY for plan --out and for apply.",
    });
  }
  if (!isSameDigest(computeSeal(file, key), seal)) {
    throw edited(path, "Its seal is not that of GATE_SYNC_PLAN_KEY over what it holds; or the key is another one.");
  }
}

function edited(path: string, why: string): RunError {
  return new RunError("usage", {
    what: `${path} was changed since gate-sync wrote it.`,
    why: `${why} Nothing was sent.`,
    fix: "Take the file as gate-sync plan --out wrote it, or plan again.",
  });
}
