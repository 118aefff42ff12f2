import { exitCodes } from "../diagnostics/failure.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  chooseStyle,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withTargetChoice,
} from "./options.ts";

export function defineTargets(program: Command, run: RunCommand) {
  const command = program
    .command("targets")
    .description("list the targets of gate-sync.yaml, what each ends up with, and where each setting comes from");
  withOutputOptions(withTargetChoice(command), ["text", "json"])
    .addHelpText("after", examples)
    .action((flags: CommonFlags) => run((io, flags) => targetsCommand(io, flags), flags));
}

async function targetsCommand(io: Io, flags: CommonFlags): Promise<number> {
  const { listTargetSettings } = await import("../engine/targets.ts");
  const { target, ...others } = flags;
  const targets = await listTargetSettings(readRequestFlags(io, [], others), target);
  if (flags.format === "json") {
    const { renderTargetsJson } = await import("../render/json/targets.ts");
    io.stdout.write(encodeJson(renderTargetsJson(targets)));
  } else {
    const { renderTargetsText } = await import("../render/text/targets.ts");
    const { createTargetsView } = await import("../render/views/targets.ts");
    io.stdout.write(`${renderTargetsText(createTargetsView(targets), chooseStyle(io.stdout, io, flags))}\n`);
  }
  return exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync targets                      all of them
  $ gate-sync targets --target prod        one of them
  $ gate-sync targets --format json
`;
