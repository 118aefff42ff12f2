import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  collect,
  parsePortNumber,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withProductOptions,
  withStateOptions,
} from "./options.ts";

interface EmulatorFlags extends CommonFlags {
  readonly port: number;
  readonly engine?: string;
  readonly allowConfigModification?: boolean;
  readonly user?: readonly string[];
  readonly adminHeader?: string;
  readonly apiKeysFile?: string;
}

export function defineEmulator(program: Command, run: RunCommand) {
  const command = program
    .command("emulator")
    .description(
      "serve the administration API on loopback, in memory, from state files: for trying things and for tests",
    );
  withOutputOptions(withProductOptions(withStateOptions(command)), ["text", "json"])
    .option("--port <port>", "0 takes a free one", parsePortNumber, 9200)
    .option(
      "--engine <version>",
      "version of the search engine below, if not the release's own; PATCH of mappings and groups needs 6.4.0",
    )
    .option("--allow-config-modification", "let the config be changed, as the node setting does")
    .option(
      "--user <name:password[:what]>",
      "ask for credentials, and evaluate requests for data by the user's roles; may be repeated. WHAT: read or none, of the administration; or backend roles with commas between them, by which a user administers only if they lead to a role that may",
      collect,
    )
    .option(
      "--admin-header <name>",
      "a request with this header counts as one with the admin certificate that names its value",
    )
    .option("--api-keys-file <file>", "JSON file with the API keys that the server lists (OpenSearch from 3.7 on)")
    .option("--full", "show every message of a long list")
    .addHelpText("after", examples)
    .action((state: string[], flags: EmulatorFlags) => run((io, flags) => emulatorCommand(io, state, flags), flags));
}

async function emulatorCommand(io: Io, state: readonly string[], flags: EmulatorFlags): Promise<number> {
  const { emulate } = await import("../engine/emulate.ts");
  const emulator = await emulate(readRequestFlags(io, state, flags), {
    port: flags.port,
    ...(flags.engine !== undefined && { engine: flags.engine }),
    allowConfigModification: flags.allowConfigModification ?? false,
    users: flags.user ?? [],
    ...(flags.adminHeader !== undefined && { adminHeader: flags.adminHeader }),
    ...(flags.apiKeysFile !== undefined && { apiKeysFile: flags.apiKeysFile }),
  });
  if (flags.format === "json") io.stdout.write(`${JSON.stringify({ url: emulator.url })}\n`);
  else io.stdout.write(`${emulator.reported}\nlistening on ${emulator.url}   (Ctrl-C ends it; nothing is kept)\n`);
  await io.untilStopped();
  await emulator.close();
  return exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync emulator access/
  $ gate-sync plan --url http://127.0.0.1:9200 access/       elsewhere, then
  $ gate-sync emulator --port 0 --format json                prints its URL
  $ gate-sync emulator --engine 6.3.2 --release 6.x-25 --product gate access/
  $ gate-sync emulator --user admin:admin --user plan:plan:read
  $ gate-sync emulator --product opensearch --release 2.9 --admin-header x-admin
  $ gate-sync emulator --user ana:ana:analysts access/
  # then: curl -u ana:ana http://127.0.0.1:9200/hr-2026/_search
`;
