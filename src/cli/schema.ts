import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { escapeAsJson } from "../json/invisible.ts";
import { escapeInvisible } from "../render/escape.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withServerOptions,
  withTargetChoice,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";

interface SchemaFlags extends CommonFlags {
  readonly live?: boolean;
}

export function defineSchema(program: Command, run: RunCommand) {
  const command = program.command("schema").description("print a JSON Schema; without a name, list them");
  withOutputOptions(withServerOptions(withTargetChoice(command)), ["text", "json"])
    .argument("[name]", "such as gate-sync, state, roles, plan")
    .option("--live", "of state: with the names that the target has, which editors then complete; nothing is written")
    .addHelpText("after", examples)
    .action((name: string | undefined, flags: SchemaFlags) =>
      run((io, flags) => schemaCommand(io, name, flags), flags),
    );
}

async function schemaCommand(io: Io, name: string | undefined, flags: SchemaFlags): Promise<number> {
  if (flags.live) return printLiveSchema(io, name, flags);
  const { listSchemas, readSchema } = await import("../load/schemas.ts");
  if (name !== undefined) {
    io.stdout.write(readSchema(name));
    return exitCodes.done;
  }
  const schemas = listSchemas();
  if (flags.format === "json") io.stdout.write(`${JSON.stringify(schemas, null, 2)}\n`);
  else for (const schema of schemas) io.stdout.write(`${schema.name.padEnd(16)}${schema.title}\n`);
  return exitCodes.done;
}

async function printLiveSchema(io: Io, name: string | undefined, flags: SchemaFlags): Promise<number> {
  if (name !== "state") {
    throw new RunError("usage", {
      what: "Only the schema of state files has names of a cluster.",
      fix: "Run gate-sync schema state --live.",
    });
  }
  const { createLiveSchema } = await import("../engine/live-schema.ts");
  const { schema, notes } = await createLiveSchema(readRequestFlags(io, [], flags), await createReadSource(io));
  for (const note of notes) io.stderr.write(`${escapeInvisible(note)}\n`);
  io.stdout.write(`${escapeAsJson(JSON.stringify(schema, null, 2))}\n`);
  return exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync schema
  $ gate-sync schema state > state.schema.json
  $ gate-sync schema state --live --target prod > .vscode/state.schema.json
  # first line of a state file, for editors to complete and check it:
  # yaml-language-server: $schema=state.schema.json
`;
