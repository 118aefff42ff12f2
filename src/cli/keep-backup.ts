import { relative, resolve } from "node:path";
import { saveBackup } from "../artifacts/backup/backup.ts";
import { settleBackup } from "../artifacts/backup/file.ts";
import { getStateDir } from "../artifacts/state-dir.ts";
import { quoteForShell } from "../json/quoted.ts";
import { createAddress } from "../model/names.ts";
import type { KeptBackup, Outcome } from "../model/outcome.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./options.ts";

/** What the plan was made from, on the disk; undefined for a plan that sends nothing. */
export async function keepBackup(io: Io, flags: CommonFlags, planned: DecidedPlan): Promise<KeptBackup | undefined> {
  const backup = await saveBackup(planned, getStateDir(io.cwd, flags.stateDir, flags.config), io.today());
  if (!backup) return undefined;
  const { name, folder } = backup;
  return { name, folder: relative(io.cwd, folder), undo: formatUndoLine(name, flags, planned) };
}

/** Once the run is over, or could not begin: a rollback undoes what was written, and nothing else. False for nothing. */
export async function settleKept(io: Io, { folder }: KeptBackup, outcomes: readonly Outcome[]): Promise<boolean> {
  const written = outcomes
    .filter(({ kind }) => kind === "done" || kind === "unknown")
    .flatMap(({ operation: { family, names } }) => names.map((name) => createAddress(family, name)));
  await settleBackup(resolve(io.cwd, folder), new Set(written));
  return written.length > 0;
}

/** With what led this run to its target; how to log in is not repeated. */
export function formatUndoLine(
  backup: string,
  { target, config, stateDir, url }: CommonFlags,
  { plan, target: { name, isOneOfSeveral } }: Pick<DecidedPlan, "plan" | "target">,
): string {
  const flags = [
    // A default target may be another one when the line is used.
    ["--target", target || isOneOfSeveral ? name : undefined],
    ["--config", config],
    ["--state-dir", stateDir],
    ["--url", url && plan.target.url],
  ] as const;
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoteForShell(value)]));
  return ["gate-sync", "rollback", backup, ...given].join(" ");
}
