import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import { type Io, writeBlocks } from "./io.ts";
import {
  type CommonFlags,
  chooseStyle,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withProductOptions,
  withStateOptions,
} from "./options.ts";
import { writesJson } from "./say.ts";

export function defineValidate(program: Command, run: RunCommand) {
  const command = program.command("validate").description("check the files; no server and no secret is needed");
  withOutputOptions(withProductOptions(withStateOptions(command)), ["text", "json"])
    .option("--full", "show every message of a long list")
    .addHelpText("after", examples)
    .action((state: string[], flags: CommonFlags) => run((io) => validateCommand(io, state, flags), flags));
}

async function validateCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { validate } = await import("../engine/validate.ts");
  const { diagnostics, fileCount, notices, evaluatedFor, testsNotRun } = await validate(
    readRequestFlags(io, state, flags),
  );
  const { createDiagnosticsView } = await import("../render/views/diagnostics.ts");
  const consequence = `Checked for ${evaluatedFor}; no server was asked.${notRun(testsNotRun)}`;
  const view = createDiagnosticsView(diagnostics, { files: fileCount, consequence });
  const code = exitCodeOf(diagnostics);
  if (flags.format === "json") {
    await writeBlocks(
      io.stdout,
      writesJson({ files: fileCount, evaluated_for: evaluatedFor, access_tests_not_run: testsNotRun }, view),
    );
    return code;
  }
  if (!flags.quiet) for (const notice of notices) io.stderr.write(`${notice}\n`);
  const { renderDiagnosticsText } = await import("../render/text/diagnostics.ts");
  io.stdout.write(`${renderDiagnosticsText(view, chooseStyle(io.stdout, io, flags))}\n`);
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
