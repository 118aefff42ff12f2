import type { JournalOptions, RunJournal } from "../artifacts/journal/journal.ts";
import type { PlanRequest } from "../engine/plan.ts";
import type { KeptBackup, Report } from "../model/outcome.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./options.ts";

/** What a run leaves behind: a backup from before its first write, a journal of each. */
export interface Records {
  readonly journal: RunJournal;
  /** Before anything of a plan is sent. */
  readonly keep: (planned: Parameters<RunJournal["recordPlan"]>[0]) => Promise<void>;
  /** Once nothing more is sent; the backup, if there is anything to undo. */
  readonly end: (report: Report) => Promise<KeptBackup | undefined>;
  /** However the run came to its end. */
  readonly close: () => Promise<void>;
}

export async function keepRecords(
  io: Io,
  flags: CommonFlags,
  request: Pick<PlanRequest, "families">,
  command: JournalOptions["command"],
): Promise<Records> {
  const { keepBackup, settleKept } = await import("./keep-backup.ts");
  const { keepJournal, reportBroken } = await import("./keep-journal.ts");
  const journal = keepJournal(io, flags, request, command);
  let backup: KeptBackup | undefined;
  return {
    journal,
    async keep(planned) {
      const isFirst = backup === undefined;
      backup ??= await keepBackup(io, flags, planned);
      try {
        await journal.recordPlan(planned, backup?.name);
      } catch (error) {
        if (isFirst && backup) await settleKept(io, backup, []);
        throw error;
      }
    },
    async end(report) {
      await journal.end(report);
      if (!backup) return undefined;
      return (await settleKept(io, backup, report.outcomes)) ? backup : undefined;
    },
    async close() {
      await journal.end();
      reportBroken(io, flags, journal);
    },
  };
}
