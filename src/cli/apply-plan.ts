import { exitCodes } from "../diagnostics/failure.ts";
import type { Planned } from "../engine/plan.ts";
import type { Report } from "../model/outcome.ts";
import { planBlocks, reportToText } from "../render/text.ts";
import { doorToRead } from "./door.ts";
import { type Io, writeBlocks } from "./io.ts";
import type { Records } from "./keep-records.ts";
import { type CommonFlags, styleFor } from "./options.ts";
import { progressTold } from "./progress.ts";
import { asJson, sayAside } from "./say.ts";

export interface ApplyFlags extends CommonFlags {
  readonly yes?: boolean;
  readonly allow?: readonly string[];
  readonly live?: string;
  readonly expect?: string;
}

export interface Steps {
  /** How many requests of this run are done already. */
  readonly earlier: number;
  readonly ask: () => Promise<void>;
  readonly records: Records;
}

/** Shows the plan, asks, runs it. */
export async function applyPlanned(
  io: Io,
  flags: ApplyFlags,
  planned: Planned,
  { earlier, ask, records }: Steps,
): Promise<Report | "refused"> {
  const { plan: shown, diagnostics } = planned;
  const isText = flags.format !== "json";
  const asks = shown.operations.length > 0 && !flags.yes && flags.expect === undefined;
  const isRefused = shown.violations.length > 0;
  sayAside(io, flags, { notices: planned.notices, diagnostics, files: planned.fileCount });
  // Whoever is asked has seen what about, and whoever is refused sees why, whatever else is to be quiet.
  if (isText ? !flags.quiet || asks || isRefused : asks && io.interactive) {
    const output = isText ? io.stdout : io.stderr;
    const gap = shown.operations.length > 0 && !isRefused ? "\n" : "";
    await writeBlocks(output, planBlocks(shown, styleFor(output, io, flags)));
    output.write(gap);
  }
  if (isRefused) {
    if (!isText)
      await writeBlocks(io.stdout, asJson((await import("../render/json.ts")).planToJson(shown), diagnostics));
    return "refused";
  }
  if (asks) await ask();
  const { apply, confirmCluster } = await import("../engine/apply.ts");
  await confirmCluster(planned, await doorToRead(io));
  await records.keep(planned);

  const { connectToWrite } = await import("../live/client/http.ts");
  const { watched } = await import("../live/watched.ts");
  io.beginWriting();
  const door = watched((target) => connectToWrite(target, io.echoed), io.watch);
  const { connect, progress } = records.journal.around(door, progressTold(io, flags, earlier));
  return apply(planned, connect, progress, io.clock);
}

/** Tells what came of it. */
export async function finish(io: Io, flags: ApplyFlags, planned: Planned, report: Report): Promise<number> {
  if (flags.format === "json") {
    await writeBlocks(io.stdout, asJson((await import("../render/json.ts")).reportToJson(report), planned.diagnostics));
  } else if (report.outcomes.length > 0) {
    io.stdout.write(`${reportToText(report, styleFor(io.stdout, io, flags))}\n`);
  }
  return exitCodeOf(report);
}

/** 6 once anything was or may have been written and not all of it is done and in effect; 1 or 5 where nothing was. */
export function exitCodeOf({ outcomes, verified }: Report): number {
  const kinds = outcomes.map(({ kind }) => kind);
  if (kinds.length === 0) return exitCodes.done;
  if (outcomes.some(({ cause }) => cause === "not-in-effect")) return exitCodes.partial;
  // Written is not enough: what could not be read back is not proven.
  if (kinds.every((kind) => kind === "done")) return verified ? exitCodes.done : exitCodes.failed;
  if (kinds.some((kind) => kind === "done" || kind === "unknown")) return exitCodes.partial;
  if (outcomes.some(({ cause }) => cause === "stale")) return exitCodes.stale;
  return kinds.includes("failed") ? exitCodes.failed : exitCodes.interrupted;
}
