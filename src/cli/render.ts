import { exitCodes } from "../diagnostics/failure.ts";
import { encodeJson } from "../render/json/encode.ts";
import { type Command, Option } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withProductOptions,
  withStateOptions,
  withTargetChoice,
  withTextOptions,
} from "./options.ts";

export function defineRender(program: Command, run: RunCommand) {
  const command = program
    .command("render")
    .description("show the state that a target ends up with, as state files; no server and no secret is needed");
  withTextOptions(
    withProductOptions(withStateOptions(command, withTargetChoice)).addOption(
      new Option("--format <format>", "how the result is written").choices(["yaml", "json"]).default("yaml"),
    ),
  )
    .addHelpText("after", examples)
    .action((state: string[], flags: CommonFlags) => run((io) => renderCommand(io, state, flags), flags));
}

async function renderCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { renderState } = await import("../engine/render.ts");
  const rendered = await renderState(readRequestFlags(io, state, flags));
  if (!flags.quiet && flags.format !== "json") for (const notice of rendered.notices) io.stderr.write(`${notice}\n`);
  if (flags.format === "json") {
    const { renderStateJson } = await import("../render/json/rendered.ts");
    io.stdout.write(encodeJson(renderStateJson(rendered)));
  } else {
    const { renderStateYaml } = await import("../artifacts/exported/rendered.ts");
    for (const part of renderStateYaml(rendered)) io.stdout.write(part);
  }
  return exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync render --target prod
  $ gate-sync render --target prod --family roles
  $ gate-sync render --target prod --format json
`;
