import { nowhere } from "../access/explain/grant-path.ts";
import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import type { Report } from "../model/outcome.ts";
import type { MadeFor } from "../model/plan-file.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { planBlocks } from "../render/text/plan.ts";
import { renderReportText } from "../render/text/report.ts";
import { createDiagnosticsView } from "../render/views/diagnostics.ts";
import { createPlanView } from "../render/views/plan.ts";
import { createPlanWarningsView } from "../render/views/plan-warnings.ts";
import { createReportView } from "../render/views/report.ts";
import { type Io, writeBlocks } from "./io.ts";
import type { Records } from "./keep-records.ts";
import { type CommonFlags, chooseStyle } from "./options.ts";
import { createProgressReporter, watchWrites } from "./progress.ts";
import { createReadSource } from "./read-source.ts";
import { printAside, printFailing, writesJson } from "./say.ts";

export interface ApplyFlags extends CommonFlags {
  readonly yes?: boolean;
  readonly allow?: readonly string[];
  readonly rotate?: readonly string[];
  readonly live?: string;
  readonly only?: readonly string[];
  readonly expect?: string;
  /** What a reviewed plan has to say of itself. */
  readonly madeFor?: MadeFor;
  /** Of several targets, how many may fail before no further wave is applied. */
  readonly maxFailures?: number;
}

/** What applying a plan takes besides the plan: the question to the user, and where records go. */
export interface Steps {
  /** How many requests of this run are done already. */
  readonly earlier: number;
  readonly ask: () => Promise<void>;
  readonly records: Records;
  readonly request: RunRequest;
}

/** Shows the plan, asks, runs it. */
export async function applyPlanned(
  io: Io,
  flags: ApplyFlags,
  planned: DecidedPlan,
  { earlier, ask, records, request }: Steps,
): Promise<Report | "refused" | "invalid"> {
  const { plan: shown } = planned;
  const warnings = createPlanWarningsView(planned.diagnostics, planned.fileCount, shown.changes);
  // Of a run that has written already, the rest is written, too.
  const failing = earlier === 0 ? planned.failing : undefined;
  const createView = () => createPlanView(shown, warnings, nowhere, failing);
  const isText = flags.format !== "json";
  const isWriting = shown.operations.length > 0;
  const asks = isWriting && !flags.yes && flags.expect === undefined;
  const isRefused = shown.violations.length > 0 || failing !== undefined;
  printAside(io, flags, planned.notices, warnings);
  // Even with --quiet: a user who is asked has seen the plan, one who is refused sees why, and that all is in sync is the result.
  if (isText ? !flags.quiet || asks || isRefused || !isWriting : asks && io.interactive) {
    const output = isText ? io.stdout : io.stderr;
    const gap = isWriting && !isRefused ? "\n" : "";
    await writeBlocks(output, planBlocks(createView(), chooseStyle(output, io, flags)));
    output.write(gap);
  }
  if (isRefused) {
    if (!isText)
      await writeBlocks(
        io.stdout,
        writesJson((await import("../render/json/plan.ts")).renderPlanJson(createView()), warnings),
      );
    if (flags.annotations) await (await import("./apply-github.ts")).reportRefusal(io, flags, request, planned);
    if (failing) printFailing(io, flags, failing);
    return failing ? "invalid" : "refused";
  }
  if (asks) await ask();
  const { apply, confirmCluster } = await import("../engine/apply.ts");
  await confirmCluster(planned, await createReadSource(io));
  await records.keep(planned);

  const { connectToWrite } = await import("../live/client/http.ts");
  const { watchReads } = await import("../live/watched.ts");
  io.beginWriting();
  const adapter = watchWrites(
    watchReads((target) => connectToWrite(target, io.echoed), io),
    io.waits,
  );
  const { connect, progress } = records.journal.wrapConnection(adapter, createProgressReporter(io, flags, earlier));
  return apply(planned, connect, progress, io.clock);
}

/** Prints the outcome; returns the exit code, which text names where not all is done. */
export async function finish(
  io: Io,
  flags: ApplyFlags,
  request: RunRequest,
  planned: DecidedPlan,
  report: Report,
): Promise<number> {
  const found = getExitCode(report);
  const code = found === exitCodes.interrupted ? (io.stopped() ?? found) : found;
  if (flags.format === "json") {
    await writeBlocks(
      io.stdout,
      writesJson(
        (await import("../render/json/report.ts")).renderReportJson(createReportView(report)),
        createDiagnosticsView(planned.diagnostics, { files: planned.fileCount }),
      ),
    );
  } else if (report.outcomes.length > 0) {
    const more = code === exitCodes.done ? "" : `More: gate-sync explain ${code}\n`;
    const text = renderReportText(createReportView(report), chooseStyle(io.stdout, io, flags));
    io.stdout.write(`${text}\n${flags.quiet && code === exitCodes.done ? formatAccessCounts(planned) : ""}${more}`);
  }
  if (flags.annotations) await (await import("./apply-github.ts")).reportApplied(io, flags, request, report, code);
  return code;
}

/** In the place of the plan that --quiet leaves out; of a run that stopped, a part of it would be wrong. */
function formatAccessCounts({ plan, diagnostics, fileCount }: DecidedPlan): string {
  const { access } = createPlanView(plan, createPlanWarningsView(diagnostics, fileCount, plan.changes));
  return access && access.counts[0] !== "no change" ? `Access: ${access.counts.join(", ")}.\n` : "";
}

/** 6 once anything was or may have been written and not all of it is done and in effect; 1 or 5 where nothing was. */
export function getExitCode({ outcomes, verified }: Report): number {
  const kinds = outcomes.map(({ kind }) => kind);
  if (kinds.length === 0) return exitCodes.done;
  if (outcomes.some(({ cause }) => cause === "not-in-effect")) return exitCodes.partial;
  // Written is not enough: what could not be read back is not proven.
  if (kinds.every((kind) => kind === "done")) return verified ? exitCodes.done : exitCodes.failed;
  if (kinds.some((kind) => kind === "done" || kind === "unknown")) return exitCodes.partial;
  if (outcomes.some(({ cause }) => cause === "stale")) return exitCodes.stale;
  return kinds.includes("failed") ? exitCodes.failed : exitCodes.interrupted;
}
