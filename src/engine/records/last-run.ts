import { join } from "node:path";
import { gitFrom } from "../../load/git.ts";
import { trackedBelow } from "../../load/tracked.ts";
import type { TargetSummary } from "../../model/plan.ts";
import { newestJournal } from "../../store/journal.ts";
import type { Request } from "../request.ts";
import { type KnownRun, knownRun, type UnreadableRun } from "./known-run.ts";

/**
 * Of the target with that name and address, by journals that git does not track; undefined where none knows of a run.
 *
 * @param stateDir absolute
 * @throws RunError `usage` for a folder that cannot be read, and for a journal of which the beginning cannot
 */
export async function lastRunOn(
  stateDir: string,
  target: Pick<TargetSummary, "name" | "url">,
  env: Request["env"],
): Promise<KnownRun | UnreadableRun | undefined> {
  const tracked = await trackedBelow(gitFrom(env), join(stateDir, "journal"));
  const journal = await newestJournal(stateDir, target, tracked);
  return journal && (knownRun(journal) ?? { name: journal.name, begin: journal.begin });
}
