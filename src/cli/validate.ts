import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import type { Validation } from "../engine/validate.ts";
import { formatName } from "../render/escape.ts";
import type { DiagnosticsView } from "../render/views/diagnostics.ts";
import type { Command } from "./commander.ts";
import { createFindingReports, findingFormats } from "./finding-reports.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withFailOnOption,
  withProductOptions,
  withStateOptions,
} from "./options.ts";
import { createOutputReport } from "./outputs.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";
import { printFailing, writesJson } from "./say.ts";

export function defineValidate(program: Command, run: RunCommand) {
  const command = program.command("validate").description("check the files; no server and no secret is needed");
  withReportOptions(withFailOnOption(withProductOptions(withStateOptions(command))), [
    "text",
    "json",
    "junit",
    ...findingFormats,
    "dotenv",
  ])
    .option("--fix", "fix what has one safe answer in the files, and show the diff first")
    .option("--dry-run", "with --fix: show the diff, and write nothing")
    .option("--full", "show every message of a long list")
    .addHelpText("after", examples)
    .action((state: string[], flags: ValidateFlags) => run((io, flags) => validateCommand(io, state, flags), flags));
}

interface ValidateFlags extends CommonFlags {
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

async function validateCommand(io: Io, state: readonly string[], flags: ValidateFlags): Promise<number> {
  const { validate } = await import("../engine/validate.ts");
  const request = readRequestFlags(io, state, flags);
  if (flags.fix || flags.dryRun) await fix(io, request, flags);
  const validation = await validate(request);
  const { diagnostics, fileCount, notices, evaluatedFor, testsNotRun, testsLeftToPlan, failing } = validation;
  const { createDiagnosticsView } = await import("../render/views/diagnostics.ts");
  const consequence = `Checked for ${evaluatedFor}; no server was asked.${notRun(testsNotRun)}${formatLeft(testsLeftToPlan)}`;
  const view = createDiagnosticsView(diagnostics, { files: fileCount, consequence });
  if (!flags.quiet && flags.format !== "json") for (const notice of notices) io.stderr.write(`${notice}\n`);
  const ended = resultOf(diagnostics);
  const result = failing && ended !== "invalid" ? "invalid" : ended;
  const reports = { ...createValidationReports(view, validation, request), ...createOutputReport({ result }) };
  await writeReports(io, flags, reports);
  if (flags.annotations) await (await import("./github-files.ts")).writeGithubFiles(io, { outputs: { result } });
  if (failing) printFailing(io, flags, failing);
  return exitCodes[result];
}

/** What is left is validated afterwards, as the files then are. */
async function fix(io: Io, request: RunRequest, flags: ValidateFlags): Promise<void> {
  if (!flags.fix)
    throw new RunError("usage", { what: "--dry-run goes with --fix.", fix: "Add --fix, or leave it out." });
  if (flags.shared) {
    throw new RunError("usage", {
      what: "--fix is about one target.",
      why: "Files that several targets read would be changed several times.",
      fix: "Name one with --target.",
    });
  }
  const { fixFiles } = await import("../engine/fix.ts");
  const { edits, count, left } = await fixFiles(request);
  const { printDiffs, writeEdits } = await import("./file-edits.ts");
  const output = flags.format === "text" ? io.stdout : io.stderr;
  if (!flags.quiet) await printDiffs(output, io, flags, edits);
  if (!flags.dryRun) await writeEdits(edits);
  if (flags.quiet) return;
  const [problems, places] = [
    count === 1 ? "1 problem" : `${count} problems`,
    edits.length === 1 ? "1 file" : `${edits.length} files`,
  ];
  const done = flags.dryRun
    ? `${problems} in ${places} would be fixed; nothing was written.`
    : `Fixed ${problems} in ${places}; what they declare is the same.`;
  const nothing = left.length === 0 ? "Nothing to fix: no message has one safe answer." : "Nothing was fixed.";
  output.write(`${count === 0 ? nothing : done}\n`);
  for (const { path, count: open, why } of left)
    output.write(
      `${formatName(path)}: ${open === 1 ? "1 problem is" : `${open} problems are`} left, because ${why}.\n`,
    );
  output.write("\n");
}

function createValidationReports(
  view: DiagnosticsView,
  { fileCount, evaluatedFor, testsNotRun, testsLeftToPlan }: Validation,
  request: RunRequest,
): Readonly<Record<string, RenderReport>> {
  const list = async () => (await import("../render/views/findings.ts")).listDiagnosticFindings(view);
  return {
    text: async (style) => [`${(await import("../render/text/diagnostics.ts")).renderDiagnosticsText(view, style)}\n`],
    json: async () =>
      writesJson(
        {
          files: fileCount,
          evaluated_for: evaluatedFor,
          access_tests_not_run: testsNotRun,
          access_tests_left_to_plan: testsLeftToPlan,
        },
        view,
      ),
    junit: async () => [
      `${(await import("../render/junit/diagnostics.ts")).renderDiagnosticsJunit("validate", view)}\n`,
    ],
    ...createFindingReports({ command: "validate", request, list }),
  };
}

function notRun(tests: number): string {
  if (tests === 0) return "";
  const what = tests === 1 ? "1 access test was not run" : `${tests} access tests were not run`;
  return ` ${what}: nothing says for which product. Add \`product: opensearch\` (or search-guard) to the target.`;
}

function formatLeft(tests: number): string {
  if (tests === 0) return "";
  return ` ${tests === 1 ? "1 access test is" : `${tests} access tests are`} unknown: only a part is declared; plan decides.`;
}

/** What files ask for and do not hold is refused, as it is by plan and apply; the files themselves are right. */
function resultOf(diagnostics: readonly Diagnostic[]): "done" | "refused" | "invalid" {
  const errors = diagnostics.filter(isError);
  if (errors.length === 0) return "done";
  return errors.every(({ code }) => code === "failed-access-test") ? "refused" : "invalid";
}

const examples = `
Examples:
  $ gate-sync validate
  $ gate-sync validate access/ --product opensearch
  $ gate-sync validate --fix --dry-run
  $ gate-sync validate --format json
`;
