import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { isPending } from "../model/change.ts";
import type { Report } from "../model/outcome.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { findAnswerPlaces } from "../questions/places.ts";
import { fenceCode, formatCode } from "../render/markdown/code.ts";
import { renderPlanMarkdown } from "../render/markdown/plan.ts";
import { renderReportText } from "../render/text/report.ts";
import { listPlanFindings, type ReviewFinding } from "../render/views/findings.ts";
import { createPlanView } from "../render/views/plan.ts";
import { createPlanWarningsView } from "../render/views/plan-warnings.ts";
import { createReportView } from "../render/views/report.ts";
import { createFailureFinding, createFindingReports } from "./finding-reports.ts";
import { writeGithubFiles } from "./github-files.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./options.ts";
import type { RunOutputs } from "./outputs.ts";
import { writeAnnotations } from "./reports.ts";

/** What GitHub shows of an apply that a guard refuses, or that warnings end: the same as of its plan. */
export async function reportRefusal(
  io: Io,
  flags: CommonFlags,
  request: RunRequest,
  { plan, desired, diagnostics, fileCount, failing }: DecidedPlan,
): Promise<void> {
  const warnings = createPlanWarningsView(diagnostics, fileCount, plan.changes);
  const view = createPlanView(plan, warnings, findAnswerPlaces(desired), failing);
  await annotate(io, flags, request, {
    findings: listPlanFindings(view),
    summary: renderPlanMarkdown(view, { full: flags.full ?? false }),
    outputs: {
      changes: plan.changes.filter(isPending).length,
      fingerprint: plan.fingerprint,
      result: failing ? "invalid" : "refused",
    },
  });
}

/** What became of an apply: an error unless all of it is done. */
export async function reportApplied(
  io: Io,
  flags: CommonFlags,
  request: RunRequest,
  report: Report,
  code: number,
): Promise<void> {
  const { name, conclusion, counts } = createReportView(report);
  const isDone = code === exitCodes.done;
  const [first = "Nothing to do.", ...rest] = conclusion;
  const text = renderReportText(createReportView(report), { color: false, width: 100, full: false, verbose: false });
  await annotate(io, flags, request, {
    findings: isDone ? [] : [createFailureFinding([`apply of ${name}: ${first}`, ...rest])],
    summary: [
      `${formatCode(name)}: **${report.outcomes.length === 0 ? "Nothing to do." : first}**`,
      ...(report.outcomes.length === 0 ? [] : [fenceCode("", text.split("\n"))]),
    ].join("\n\n"),
    outputs: { changes: counts.done, fingerprint: report.plan.fingerprint, result: formatResult(code) },
  });
}

/** As the exit code says it. */
function formatResult(code: number): string {
  const names = Object.entries(exitCodes).find(([, one]) => one === code);
  return names?.[0] ?? "failed";
}

interface Annotated {
  readonly findings: readonly ReviewFinding[];
  /** Markdown. */
  readonly summary: string;
  readonly outputs: RunOutputs;
}

async function annotate(
  io: Io,
  flags: CommonFlags,
  request: RunRequest,
  { findings, summary, outputs }: Annotated,
): Promise<void> {
  await writeAnnotations(io, flags, createFindingReports({ command: "apply", request, list: async () => findings }));
  await writeGithubFiles(io, { summary, outputs });
}
