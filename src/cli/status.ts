import { relative } from "node:path";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import type { Status } from "../model/status.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  chooseStyle,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withServerOptions,
  withStateDirOption,
  withTargetOptions,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";

export function defineStatus(program: Command, run: RunCommand) {
  const command = program
    .command("status")
    .description("say what the last run of apply or rollback did, and what the server holds of what it left open");
  withOutputOptions(withStateDirOption(withServerOptions(withTargetOptions(command))), ["text", "json"])
    .option("--full", "name all that is open, however much it is")
    .addHelpText("after", examples)
    .action((flags: CommonFlags) => run((io, flags) => statusCommand(io, flags), flags));
}

async function statusCommand(io: Io, flags: CommonFlags): Promise<number> {
  const { readStatus } = await import("../engine/status.ts");
  const connectToRead = await createReadSource(io);
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const stateDir = getStateDir(io.cwd, flags.stateDir, flags.config);
  const found = await readStatus({ ...readRequestFlags(io, [], flags), hideLogin: io.echoed, stateDir }, connectToRead);
  const shown: Status = { ...found, stateDir: relative(io.cwd, stateDir) || "." };
  const { renderMessageText } = await import("../render/text/message.ts");
  const { renderStatusText } = await import("../render/text/status.ts");
  const { createStatusView } = await import("../render/views/status.ts");
  const view = createStatusView(shown);
  if (flags.format === "json") {
    const { renderStatusJson } = await import("../render/json/status.ts");
    io.stdout.write(encodeJson(renderStatusJson(view)));
  } else {
    io.stdout.write(`${renderStatusText(view, chooseStyle(io.stdout, io, flags))}\n`);
    if (shown.unread) {
      io.stderr.write(
        `${renderMessageText(new RunError("failed", shown.unread), chooseStyle(io.stderr, io, flags))}\n`,
      );
    }
  }
  if (shown.unread) return exitCodes.failed;
  return view.isUnfinished ? exitCodes.pending : exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync status                       of the only target of gate-sync.yaml
  $ gate-sync status --target prod         exit 2 when something is left open
  $ gate-sync status --state-dir records --format json
`;
