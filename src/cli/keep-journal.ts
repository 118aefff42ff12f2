import { RunError } from "../diagnostics/failure.ts";
import type { PlanRequest } from "../engine/plan.ts";
import type { JournalOptions, RunJournal } from "../engine/records/journal.ts";
import { openJournal } from "../engine/records/journal.ts";
import { countsOf, isWhollyDone } from "../engine/records/known-run.ts";
import { lastRunOn } from "../engine/records/last-run.ts";
import { summaryOf } from "../engine/source.ts";
import type { Target } from "../model/target.ts";
import { letterToText, unfinishedLines } from "../render/text.ts";
import { stateDirOf } from "../store/state-dir.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, styleFor } from "./options.ts";
import { version } from "./version.ts";

export function keepJournal(
  io: Io,
  flags: CommonFlags,
  { families }: Pick<PlanRequest, "families">,
  command: JournalOptions["command"],
): RunJournal {
  return openJournal({
    stateDir: stateDirOf(io.cwd, flags.stateDir, flags.config),
    command,
    by: `gate-sync ${version}`,
    env: io.env,
    ...(families && { families }),
    now: io.today,
    stopped: io.stopped,
  });
}

/** Before anything is planned, so that it is told even where the server cannot be reached: what the last run left open. */
export async function tellUnfinished(io: Io, flags: CommonFlags, target: Target): Promise<void> {
  if (target.url === undefined) return;
  // A journal that cannot be read ends every command alike: an older run is never taken for the last one.
  const run = await lastRunOn(stateDirOf(io.cwd, flags.stateDir, flags.config), summaryOf(target), io.env);
  if (flags.quiet || flags.format === "json") return;
  if (!run || (run.plan && isWhollyDone(run))) return;
  const known = run.plan && { ending: run.ending, counts: countsOf(run) };
  const told = { command: run.begin.command, began: run.begin.time, known };
  io.stderr.write(`${unfinishedLines(told, styleFor(io.stderr, io, flags))}\n`);
}

/** What was done is told as done all the same: only the record of it is not whole. */
export function tellBroken(io: Io, flags: CommonFlags, journal: RunJournal): void {
  const why = journal.broken();
  if (why === undefined) return;
  const letter = {
    what: "The journal could not be written to its end.",
    why: `${why}. What is reported of this run is right; gate-sync status will know less of it.`,
    fix: "Make room there. The next gate-sync apply reads the server first, as ever.",
  };
  io.stderr.write(`${letterToText(new RunError("failed", letter), styleFor(io.stderr, io, flags))}\n`);
}
