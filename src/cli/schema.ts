import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, type RunCommand, withOutputOptions } from "./options.ts";

export function defineSchema(program: Command, run: RunCommand) {
  const command = program.command("schema").description("print a JSON Schema; without a name, list them");
  withOutputOptions(command.argument("[name]", "such as gate-sync, state, roles, plan"), ["text", "json"])
    .addHelpText("after", examples)
    .action((name: string | undefined, flags: CommonFlags) =>
      run((io, flags) => schemaCommand(io, name, flags), flags),
    );
}

async function schemaCommand(io: Io, name: string | undefined, flags: CommonFlags): Promise<number> {
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

const examples = `
Examples:
  $ gate-sync schema
  $ gate-sync schema state > state.schema.json
  # first line of a state file, for editors to complete and check it:
  # yaml-language-server: $schema=state.schema.json
`;
