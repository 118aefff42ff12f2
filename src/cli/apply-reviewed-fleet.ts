import type { OpenedFleet } from "../artifacts/saved-plan/fleet.ts";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { chooseFleet } from "../engine/fleet/chosen.ts";
import { openRollout } from "../engine/fleet/waves.ts";
import { createSharedFiles, type SharedFiles } from "../load/shared-files.ts";
import type { Artifact } from "../model/artifact.ts";
import type { SavedPlan } from "../model/plan-file.ts";
import { createFailedRow, createSavedRow, type FleetResult, type FleetRow } from "../render/views/fleet.ts";
import { createFailureItem } from "../render/views/fleet-parts.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import { finishFleet } from "./apply-fleet.ts";
import type { ApplyFlags } from "./apply-plan.ts";
import { applySavedPlan, createReviewedRequest } from "./apply-reviewed.ts";
import { applyWaves, chooseOneToApply, createOutputItem, findEndState, omitAll } from "./apply-waves.ts";
import { collectOutput } from "./collected-output.ts";
import { refuseSingleFlags } from "./fleet.ts";
import type { Io } from "./io.ts";
import { readRequestFlags } from "./options.ts";

/**
 * Applies the plans of a file wave by wave. What was reviewed needs no question; a target to which it was
 * applied last is in sync, so that a run that was stopped goes on with the same file.
 */
export async function applyReviewedFleet(
  io: Io,
  flags: ApplyFlags,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<number> {
  refuseSingleFlags(flags);
  const { openSavedFleet } = await import("../artifacts/saved-plan/fleet.ts");
  const { planKey } = await import("../artifacts/plan-key.ts");
  const opened = openSavedFleet(path, text, planKey(readRequestFlags(io, [], flags)));
  const { refuseOtherChange } = await import("../artifacts/saved-plan/made-for.ts");
  refuseOtherChange(path, opened.madeFor, flags.madeFor);
  if (flags.expect !== undefined) {
    const { refuseOtherFingerprint } = await import("../engine/expected-fingerprint.ts");
    refuseOtherFingerprint(flags.expect, opened.fingerprint);
  }
  const shared = createSharedFiles(io.cwd, flags.config);
  const rollout = await openRolloutOf(io, flags, opened, shared);
  const savedOf = new Map(opened.plans.map((saved) => [saved.target.name, saved]));
  const planned: FleetResult[] = [];
  for (const saved of opened.plans) planned.push(await toResult(io, { ...flags, shared }, { path, saved }));
  const apply = (before: FleetResult) =>
    applyOneSaved(io, { ...flags, shared }, before, { path, saved: savedOf.get(before.row.name) });
  const results = omitAll(planned, flags, fix) ?? (await applyWaves(io, flags, { rollout, planned, apply }));
  return finishFleet(io, flags, undefined, results, false);
}

/** @throws RunError `usage` where gate-sync.yaml has not all of its targets */
async function openRolloutOf(io: Io, flags: ApplyFlags, { plans }: OpenedFleet, shared: SharedFiles) {
  const place = { cwd: io.cwd, env: io.env, shared, ...(flags.config !== undefined && { configPath: flags.config }) };
  const all = new Set(await chooseFleet(place, { except: [] }));
  const names = plans.map(({ target }) => target.name);
  const missing = names.filter((name) => !all.has(name));
  if (missing.length > 0) {
    throw new RunError("usage", {
      what: `gate-sync.yaml has no target ${missing.map((name) => JSON.stringify(name)).join(", ")}, for which there is a plan in the file.`,
      why: "Where it is, and how to log in there, is not known. Nothing was sent.",
      fix: "Apply it where gate-sync.yaml is as it was when the plan was made, or plan again.",
    });
  }
  return openRollout(place, names);
}

const fix = "Plan again once that is corrected, leave it out of the plan with --exclude-target";

/** What is to be applied, or why it is known that it cannot be. */
async function toResult(
  io: Io,
  flags: ApplyFlags & { readonly shared: SharedFiles },
  { path, saved }: { readonly path: string; readonly saved: Artifact<SavedPlan> },
): Promise<FleetResult> {
  const { target, body } = saved;
  const row = createSavedRow(target, body);
  const [first] = body.violations;
  if (!first) {
    if (row.state !== "changes") return { row, items: [] };
    const { refuseIfKnownStale } = await import("../engine/saved-plan.ts");
    const request = createReviewedRequest(io, chooseOneToApply(flags, row.name));
    return reportFailure(row, async () => {
      await refuseIfKnownStale(saved, path, request);
      return { row, items: [] };
    });
  }
  const refused = new RunError("refused", {
    what: `The guard ${first.rule} refuses this plan: ${first.what}`,
    why: "It was saved for its reviewers. Nothing was sent.",
    fix: "Plan again once that is waived or changed, and have the new plan reviewed.",
  });
  return {
    row: { ...row, state: "refused", exitCode: exitCodes.refused },
    items: [createFailureItem(refused)],
  };
}

async function applyOneSaved(
  io: Io,
  flags: ApplyFlags & { readonly shared: SharedFiles },
  { row }: FleetResult,
  { path, saved }: { readonly path: string; readonly saved: Artifact<SavedPlan> | undefined },
): Promise<FleetResult> {
  const { io: captured, read } = collectOutput(io, row.name);
  const own = chooseOneToApply(flags, row.name);
  return reportFailure(row, async () => {
    if (!saved) return { row, items: [] };
    const { code, isInSync } = await applySavedPlan(captured, own, { path, saved });
    const state = isInSync ? "in sync" : "applied";
    if (code === exitCodes.done) return { row: { ...row, state, exitCode: code }, items: [] };
    return { row: { ...row, state: findEndState(code), exitCode: code }, items: [createOutputItem(read())] };
  });
}

async function reportFailure(row: FleetRow, work: () => Promise<FleetResult>): Promise<FleetResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return {
      row: { ...createFailedRow(row.name, error), families: row.families },
      items: [createFailureItem(maskRunError(error))],
    };
  }
}
