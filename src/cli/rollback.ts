import type { PlanRequest } from "../engine/plan.ts";
import { parseAllowedRule } from "./allowed-rule.ts";
import type { ApplyFlags } from "./apply-plan.ts";
import { carryOutPlan } from "./carry-out.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type RunCommand,
  readRequestFlags,
  withAccessOption,
  withOutputOptions,
  withServerOptions,
  withStateDirOption,
  withTargetOptions,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";

export function defineRollback(program: Command, run: RunCommand) {
  const command = program
    .command("rollback")
    .description("undo one run of apply: plan against its backup, show it, ask, apply")
    .argument("[backup]", "name of the backup; without it, the newest of the target");
  withOutputOptions(withAccessOption(withStateDirOption(withServerOptions(withTargetOptions(command)))), [
    "text",
    "json",
  ])
    .option("--yes", "do not ask; needed without a terminal")
    .option(
      "--allow <rule>",
      "waive a guard for this run: deletions, deletions=roles; may be repeated",
      parseAllowedRule,
    )
    .option("--full", "show every change of a long plan, and long values whole")
    .addHelpText("after", examples)
    .action((backup: string | undefined, flags: ApplyFlags) =>
      run((io, flags) => rollbackCommand(io, backup, flags), flags),
    );
}

async function rollbackCommand(io: Io, backup: string | undefined, flags: ApplyFlags): Promise<number> {
  const { planRollback } = await import("../engine/rollback.ts");
  const connectToRead = await createReadSource(io);
  const { formatUndoLine } = await import("./keep-backup.ts");
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const stateDir = getStateDir(io.cwd, flags.stateDir, flags.config);
  const request: PlanRequest = {
    ...readRequestFlags(io, [], flags),
    hideLogin: io.echoed,
    allowed: flags.allow ?? [],
    withoutAccess: flags.access === false,
  };
  // Found once: a backup that this very run makes is newer.
  let name = backup;
  const planner = async (again: PlanRequest) => {
    const planned = await planRollback(
      { ...again, stateDir, ...(name !== undefined && { backup: name }) },
      connectToRead,
    );
    name = planned.backup.name;
    return { ...planned, again: formatUndoLine(name, flags, planned) };
  };
  return carryOutPlan(io, flags, request, planner, "rollback");
}

const examples = `
Examples:
  $ gate-sync rollback                         what the last run changed
  $ gate-sync rollback --target prod --yes     in a pipeline
  $ gate-sync rollback 20260301T081500.000Z-prod --allow deletions
`;
