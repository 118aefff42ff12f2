import { findLastRun } from "../artifacts/journal/file.ts";
import type { JournalOptions, RunJournal } from "../artifacts/journal/journal.ts";
import { openJournal } from "../artifacts/journal/journal.ts";
import { countOutcomes, isWhollyDone } from "../artifacts/journal/known-run.ts";
import { getStateDir } from "../artifacts/state-dir.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { PlanRequest } from "../engine/plan.ts";
import { summariseSource } from "../engine/source.ts";
import type { Target } from "../model/target.ts";
import { joinLines, wrap } from "../render/layout.ts";
import { renderMessageText } from "../render/text/message.ts";
import { describeUnfinished } from "../render/views/status.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, chooseStyle } from "./options.ts";

export function keepJournal(
  io: Io,
  flags: CommonFlags,
  { families }: Pick<PlanRequest, "families">,
  command: JournalOptions["command"],
): RunJournal {
  return openJournal({
    stateDir: getStateDir(io.cwd, flags.stateDir, flags.config),
    command,
    env: io.env,
    ...(families && { families }),
    now: io.today,
    stopped: () => io.stopped() !== undefined,
  });
}

/**
 * Reports what the last run left open, before anything is planned: so it is seen even where the server cannot be
 * reached.
 */
export async function reportUnfinished(io: Io, flags: CommonFlags, target: Target): Promise<void> {
  if (target.url === undefined) return;
  // A journal that cannot be read ends every command alike: an older run is never taken for the last one.
  const run = await findLastRun(getStateDir(io.cwd, flags.stateDir, flags.config), summariseSource(target), io.env);
  if (flags.quiet || flags.format === "json") return;
  if (!run || (run.plan && isWhollyDone(run))) return;
  const known = run.plan && { ending: run.ending, counts: countOutcomes(run) };
  const explained = { command: run.begin.command, began: run.begin.time, known };
  const { width } = chooseStyle(io.stderr, io, flags);
  io.stderr.write(`${joinLines(describeUnfinished(explained).flatMap((sentence) => wrap(sentence, width)))}\n`);
}

/** The outcome itself is right: only the record of it is incomplete. */
export function reportBroken(io: Io, flags: CommonFlags, journal: RunJournal): void {
  const why = journal.explainIncomplete();
  if (why === undefined) return;
  const userMessage = {
    what: "The journal could not be written to its end.",
    why: `${why}. What is reported of this run is right; gate-sync status will show less of it.`,
    fix: "Make room there. The next gate-sync apply reads the server first, as ever.",
  };
  io.stderr.write(`${renderMessageText(new RunError("failed", userMessage), chooseStyle(io.stderr, io, flags))}\n`);
}
