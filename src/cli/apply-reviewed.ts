import { getStateDir } from "../artifacts/state-dir.ts";
import { exitCodes } from "../diagnostics/failure.ts";
import type { PlanRequest } from "../engine/plan.ts";
import { quoteForShell } from "../json/quoted.ts";
import type { Artifact } from "../model/artifact.ts";
import type { SavedPlan } from "../model/plan-file.ts";
import { type ApplyFlags, applyPlanned, finish } from "./apply-plan.ts";
import type { Io } from "./io.ts";
import { readRequestFlags } from "./options.ts";
import { createReadSource } from "./read-source.ts";

/** What was reviewed needs no question. */
export async function applyReviewed(
  io: Io,
  flags: ApplyFlags,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<number> {
  const { openSavedPlan } = await import("../artifacts/saved-plan/open.ts");
  const { planKey } = await import("../artifacts/plan-key.ts");
  const saved = openSavedPlan(path, text, planKey(readRequestFlags(io, [], flags)));
  const { refuseOtherChange } = await import("../artifacts/saved-plan/made-for.ts");
  refuseOtherChange(path, saved.body.made_for, flags.madeFor);
  if (flags.expect !== undefined) {
    const { refuseOtherFingerprint } = await import("../engine/expected-fingerprint.ts");
    refuseOtherFingerprint(flags.expect, saved.body.fingerprint);
  }
  return (await applySavedPlan(io, flags, { path, saved })).code;
}

/** A saved plan that is as it was saved, and that no guard has refused. */
export async function applySavedPlan(
  io: Io,
  flags: ApplyFlags,
  { path, saved }: { readonly path: string; readonly saved: Artifact<SavedPlan> },
): Promise<{ readonly code: number; readonly isInSync: boolean }> {
  const { planReviewed, findSavedTarget } = await import("../engine/saved-plan.ts");
  const { reportUnfinished } = await import("./keep-journal.ts");
  const connectToRead = await createReadSource(io);
  const request = createReviewedRequest(io, flags);
  await reportUnfinished(io, flags, await findSavedTarget(saved.target, request));
  const planned = await planReviewed(saved, path, request, connectToRead);
  const { keepRecords } = await import("./keep-records.ts");
  const records = await keepRecords(io, flags, request, "apply");
  const steps = { earlier: 0, ask: async () => {}, records, request };
  try {
    const report = await applyPlanned(io, { ...flags, yes: true }, planned, steps);
    if (typeof report === "string") return { code: exitCodes.refused, isInSync: false };
    const backup = await records.end(report);
    const again = { command: `gate-sync apply ${quoteForShell(path)}`, reviewed: true };
    const code = await finish(io, flags, request, planned, { ...report, again, ...(backup && { backup }) });
    return { code, isInSync: planned.plan.operations.length === 0 };
  } finally {
    await records.close();
  }
}

export function createReviewedRequest(io: Io, flags: ApplyFlags): PlanRequest {
  const stateDir = getStateDir(io.cwd, flags.stateDir, flags.config);
  return { ...readRequestFlags(io, [], flags), hideLogin: io.echoed, allowed: [], stateDir };
}
