import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import { type Io, writeBlocks } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  requestFrom,
  styleFor,
  withOutputOptions,
  withProductOptions,
  withStateOptions,
} from "./options.ts";
import { asJson } from "./say.ts";

export function defineValidate(program: Command, run: RunCommand) {
  const command = program.command("validate").description("judge the files; no server and no secret is needed");
  withOutputOptions(withProductOptions(withStateOptions(command)), ["text", "json"])
    .option("--full", "show every letter of a long list")
    .addHelpText("after", examples)
    .action((state: string[], flags: CommonFlags) => run((io) => validateCommand(io, state, flags), flags));
}

async function validateCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { validate } = await import("../engine/validate.ts");
  const { diagnostics, fileCount, notices, judgedFor, testsNotRun } = await validate(requestFrom(io, state, flags));
  const code = exitCodeOf(diagnostics);
  if (flags.format === "json") {
    await writeBlocks(
      io.stdout,
      asJson({ files: fileCount, judged_for: judgedFor, access_tests_not_run: testsNotRun }, diagnostics),
    );
    return code;
  }
  if (!flags.quiet) for (const notice of notices) io.stderr.write(`${notice}\n`);
  const { diagnosticsToText } = await import("../render/text.ts");
  const consequence = `Judged for ${judgedFor}; no server was asked.${notRun(testsNotRun)}`;
  const text = diagnosticsToText(diagnostics, { files: fileCount, consequence }, styleFor(io.stdout, io, flags));
  io.stdout.write(`${text}\n`);
  return code;
}

function notRun(tests: number): string {
  if (tests === 0) return "";
  const what = tests === 1 ? "1 access test was not run" : `${tests} access tests were not run`;
  return ` ${what}: nothing says for which product. Add \`product: opensearch\` (or search-guard) to the target.`;
}

/** What files ask for and do not hold is refused, as it is by plan and apply; the files themselves are right. */
function exitCodeOf(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(isError);
  if (errors.length === 0) return exitCodes.done;
  return errors.every(({ code }) => code === "failed-access-test") ? exitCodes.refused : exitCodes.invalid;
}

const examples = `
Examples:
  $ gate-sync validate
  $ gate-sync validate access/ --product opensearch
  $ gate-sync validate --format json
`;
