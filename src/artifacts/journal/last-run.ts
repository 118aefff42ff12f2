import { join } from "node:path";
import { createGit } from "../../load/git.ts";
import { listTrackedBelow } from "../../load/tracked.ts";
import type { TargetSummary } from "../../model/plan.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { findNewestJournal } from "./file.ts";
import { type KnownRun, parseKnownRun, type UnreadableRun } from "./known-run.ts";

/**
 * Of the target with that name and address, by journals that git does not track; undefined where none knows of a run.
 *
 * @param stateDir absolute
 * @throws RunError `usage` for a folder that cannot be read, and for a journal of which the beginning cannot
 */
export async function findLastRun(
  stateDir: string,
  target: Pick<TargetSummary, "name" | "url">,
  env: Surroundings["env"],
): Promise<KnownRun | UnreadableRun | undefined> {
  const tracked = await listTrackedBelow(createGit(env), join(stateDir, "journal"));
  const journal = await findNewestJournal(stateDir, target, tracked);
  return journal && (parseKnownRun(journal) ?? { name: journal.name, begin: journal.begin });
}
