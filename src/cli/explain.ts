import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import { type Io, writeBlocks } from "./io.ts";
import { type CommonFlags, chooseStyle, type RunCommand, withOutputOptions } from "./options.ts";

export function defineExplain(program: Command, run: RunCommand) {
  const command = program
    .command("explain")
    .description("explain a code, a lint rule, a guard, an exit code, a key or a topic");
  withOutputOptions(command.argument("[word]", "what a message names; without it, list everything"), ["text", "json"])
    .addHelpText("after", examples)
    .action((word: string | undefined, flags: CommonFlags) =>
      run((io, flags) => explainCommand(io, word, flags), flags),
    );
}

async function explainCommand(io: Io, word: string | undefined, flags: CommonFlags): Promise<number> {
  const { findEntries, listReference } = await import("../engine/explain.ts");
  const { renderEntriesText, renderReferenceText } = await import("../render/text/explain.ts");
  const reference = listReference();
  const found = word === undefined ? reference : findEntries(reference, word);
  const style = chooseStyle(io.stdout, io, flags);
  const text =
    flags.format === "json"
      ? JSON.stringify(found, null, 2)
      : word === undefined || word === "topics"
        ? renderReferenceText(found, style)
        : renderEntriesText(found, style);
  await writeBlocks(io.stdout, [`${text}\n`]);
  return exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync explain
  $ gate-sync explain unknown-field
  $ gate-sync explain deletions
  $ gate-sync explain 5
  $ gate-sync explain max_body_size
  $ gate-sync explain saved-plans
`;
