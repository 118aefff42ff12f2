import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { escapeInvisible } from "../render/escape.ts";
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
  withTargetOptions,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";

interface DoctorFlags extends CommonFlags {
  readonly hardening?: boolean;
  readonly role?: string;
}

export function defineDoctor(program: Command, run: RunCommand) {
  const command = program
    .command("doctor")
    .description("show what the server is, which identity gate-sync has there, and what it may do; nothing is written");
  withOutputOptions(withServerOptions(withTargetOptions(command)), ["text", "json"])
    .option("--hardening", "print the node settings that let the role of this login read only")
    .option("--role <name>", "with --hardening: of this role")
    .addHelpText("after", examples)
    .action((flags: DoctorFlags) => run((io, flags) => doctorCommand(io, flags), flags));
}

async function doctorCommand(io: Io, flags: DoctorFlags): Promise<number> {
  if (flags.hardening || flags.role !== undefined) return printHardening(io, flags);
  const { diagnose } = await import("../engine/doctor.ts");
  const connectToRead = await createReadSource(io);
  const diagnosis = await diagnose(readRequestFlags(io, [], flags), connectToRead);
  const { createDoctorView } = await import("../render/views/doctor.ts");
  const view = createDoctorView(diagnosis);
  if (flags.format === "json") {
    const { renderDoctorJson } = await import("../render/json/doctor.ts");
    io.stdout.write(encodeJson(renderDoctorJson(view)));
  } else {
    const { renderDoctorText } = await import("../render/text/doctor.ts");
    const { renderMessageText } = await import("../render/text/message.ts");
    io.stdout.write(`${renderDoctorText(view, chooseStyle(io.stdout, io, flags))}\n`);
    const style = chooseStyle(io.stderr, io, flags);
    for (const userMessage of view.problems) {
      io.stderr.write(`${renderMessageText(new RunError("failed", userMessage), style)}\n`);
    }
  }
  return diagnosis.usable.apply ? exitCodes.done : exitCodes.failed;
}

async function printHardening(io: Io, { hardening, role, ...flags }: DoctorFlags): Promise<number> {
  if (!hardening || flags.format === "json") {
    const what = hardening ? "--hardening prints lines of YAML, not JSON." : "--role goes with --hardening.";
    throw new RunError("usage", { what, fix: "Run gate-sync doctor --hardening --role NAME." });
  }
  const { createHardening } = await import("../engine/hardening.ts");
  const { lines, warning } = await createHardening(readRequestFlags(io, [], flags), await createReadSource(io), role);
  if (warning !== undefined) io.stderr.write(`${escapeInvisible(warning)}\n`);
  io.stdout.write(`${lines.join("\n")}\n`);
  return exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync doctor                               the only target there is
  $ gate-sync doctor --target prod --family roles  only what concerns roles
  $ gate-sync doctor --url https://search.example:9200 --format json
  $ gate-sync doctor --hardening --role ci_plan    lines for opensearch.yml
`;
