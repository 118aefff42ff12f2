import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { jsonText } from "../render/json-text.ts";
import type { Command } from "./commander.ts";
import { doorToRead } from "./door.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  requestFrom,
  styleFor,
  withOutputOptions,
  withServerOptions,
  withTargetOptions,
} from "./options.ts";

export function defineDoctor(program: Command, run: RunCommand) {
  const command = program
    .command("doctor")
    .description("say what the server is, who we are to it, and what can be done there; nothing is written");
  withOutputOptions(withServerOptions(withTargetOptions(command)), ["text", "json"])
    .addHelpText("after", examples)
    .action((flags: CommonFlags) => run((io) => doctorCommand(io, flags), flags));
}

async function doctorCommand(io: Io, flags: CommonFlags): Promise<number> {
  const { diagnose } = await import("../engine/doctor.ts");
  const connectToRead = await doorToRead(io);
  const diagnosis = await diagnose(requestFrom(io, [], flags), connectToRead);
  if (flags.format === "json") {
    const { diagnosisToJson } = await import("../render/doctor-json.ts");
    io.stdout.write(jsonText(diagnosisToJson(diagnosis)));
  } else {
    const { diagnosisToText, letterToText } = await import("../render/text.ts");
    io.stdout.write(`${diagnosisToText(diagnosis, styleFor(io.stdout, io, flags))}\n`);
    const style = styleFor(io.stderr, io, flags);
    for (const letter of diagnosis.problems) {
      io.stderr.write(`${letterToText(new RunError("failed", letter), style)}\n`);
    }
  }
  return diagnosis.usable.apply ? exitCodes.done : exitCodes.failed;
}

const examples = `
Examples:
  $ gate-sync doctor                               the only target there is
  $ gate-sync doctor --target prod --family roles  only what concerns roles
  $ gate-sync doctor --url https://search.example:9200 --format json
`;
