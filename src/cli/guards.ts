import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, chooseStyle, type RunCommand, withOutputOptions } from "./options.ts";

export function defineGuards(program: Command, run: RunCommand) {
  const command = program
    .command("guards")
    .description("list what refuses a plan, from when on, and how that is set or waived");
  withOutputOptions(command, ["text", "json"])
    .addHelpText("after", examples)
    .action((flags: CommonFlags) => run((io, flags) => guardsCommand(io, flags), flags));
}

const examples = `
Examples:
  $ gate-sync guards
  $ gate-sync guards --format json
`;

async function guardsCommand(io: Io, flags: CommonFlags): Promise<number> {
  const { listGuards } = await import("../plan/guards/listed.ts");
  const { explainGuard } = await import("../engine/explain.ts");
  const { renderEntriesText } = await import("../render/text/explain.ts");
  const guards = listGuards();
  const text =
    flags.format === "json"
      ? JSON.stringify(guards, null, 2)
      : renderEntriesText(guards.map(explainGuard), chooseStyle(io.stdout, io, flags));
  io.stdout.write(`${text}\n`);
  return exitCodes.done;
}
