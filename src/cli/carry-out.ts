import { exitCodes, RunError } from "../diagnostics/failure.ts";
import type { PlanRequest } from "../engine/plan.ts";
import { getNoun } from "../families/index.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Again, Outcome } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { type ApplyFlags, applyPlanned, finish } from "./apply-plan.ts";
import type { Io } from "./io.ts";

/** Where the plan comes from that is carried out; asked again where the first can no longer be. */
type Planner = (request: PlanRequest) => Promise<DecidedPlan & { readonly again?: string }>;

/** Plans, shows, asks, keeps what is there and makes the change; once more where the server refuses PATCH. */
export async function carryOutPlan(
  io: Io,
  flags: ApplyFlags,
  request: PlanRequest,
  plan: Planner,
  command: "apply" | "rollback",
): Promise<number> {
  const { listRefusedPatches } = await import("../engine/apply.ts");
  const { keepRecords } = await import("./keep-records.ts");
  const records = await keepRecords(io, flags, request, command);
  const withoutPatch = new Set<ResourceFamily>();
  // What earlier plans of this run did, each ended by a PATCH that the server refuses; reported with the last one.
  const done: Outcome[] = [];
  let first: Plan | undefined;
  try {
    for (;;) {
      const again = { ...request, withoutPatch };
      const planned = await plan(again);
      first ??= planned.plan;
      if (withoutPatch.size === 0) await refuseUnlessExpected(flags, again, planned);
      const ask = () => confirmPlan(io, again, planned, plan);
      const report = await applyPlanned(io, flags, planned, { earlier: done.length, ask, records, request });
      if (typeof report === "string") return done.length > 0 ? exitCodes.partial : exitCodes[report];
      const refused = listRefusedPatches(report);
      // Other requests than the reviewed ones are another plan.
      if (refused.length === 0 || flags.expect !== undefined) {
        const outcomes = [...done, ...report.outcomes];
        const whole = { ...report, plan: first, outcomes };
        const backup = await records.end(whole);
        if (command === "apply" && outcomes.length === 0) await records.journal.recordInSync(planned);
        const again = againAfter(planned, flags);
        return await finish(io, flags, request, planned, {
          ...whole,
          ...(again && { again }),
          ...(backup && { backup }),
        });
      }
      done.push(...report.outcomes.filter(({ kind }) => kind === "done"));
      for (const family of refused) withoutPatch.add(family);
      const several = refused.map((family) => getNoun(family, 2)).join(", ");
      io.stderr.write(`\nThe server refuses PATCH of ${several} (405).\nNothing of it was written. Planned again:\n\n`);
    }
  } catch (error) {
    if (!(error instanceof RunError) || done.length === 0) throw error;
    throw new RunError("partial", error.userMessage, error.diagnostics);
  } finally {
    await records.close();
  }
}

/** A fingerprint is good for one plan only, as a plan file is. */
function againAfter({ again }: Awaited<ReturnType<Planner>>, { expect }: ApplyFlags): Again | undefined {
  if (expect !== undefined) return { command: `gate-sync apply --expect ${expect}`, reviewed: true };
  return again === undefined ? undefined : { command: again, reviewed: false };
}

/** A refused plan is reported as refused, whatever was expected. */
async function refuseUnlessExpected({ expect }: ApplyFlags, request: PlanRequest, planned: DecidedPlan): Promise<void> {
  if (expect === undefined || planned.plan.violations.length > 0) return;
  const { refuseUnlessSame } = await import("../engine/expected-fingerprint.ts");
  refuseUnlessSame(expect, planned, request);
}

/** What was read before the question was asked may have moved since: what runs is what was shown, or nothing. */
async function confirmPlan(io: Io, request: PlanRequest, shown: DecidedPlan, plan: Planner): Promise<void> {
  if (!io.interactive) {
    throw new RunError("usage", {
      what: "There is no terminal to ask whether to apply this plan.",
      why: "Nothing was sent.",
      fix: "On a terminal, answer the question; elsewhere, say it with --yes.",
    });
  }
  const answer = await io.ask("Type yes to apply: ");
  if (answer?.trim() !== "yes") throw new RunError("failed", { what: "Not applied.", why: "Nothing was sent." });
  const { isSamePlan, listMoved } = await import("../engine/apply.ts");
  const { explainMoved } = await import("../artifacts/saved-plan/moved.ts");
  const now = await plan(request);
  if (isSamePlan(shown.plan, now.plan)) return;
  throw new RunError("stale", {
    what: "The plan that was shown no longer holds: the server or the files changed meanwhile.",
    why: explainMoved(listMoved(shown.plan, now.plan)),
    fix: "Run gate-sync apply again and look at the new plan.",
  });
}
