import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import type { Validation } from "../engine/validate.ts";
import type { DiagnosticsView } from "../render/views/diagnostics.ts";
import type { Command } from "./commander.ts";
import { createFindingReports, findingFormats } from "./finding-reports.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withProductOptions,
  withStateOptions,
} from "./options.ts";
import { createOutputReport } from "./outputs.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";
import { writesJson } from "./say.ts";

export function defineValidate(program: Command, run: RunCommand) {
  const command = program.command("validate").description("check the files; no server and no secret is needed");
  withReportOptions(withProductOptions(withStateOptions(command)), [
    "text",
    "json",
    "junit",
    ...findingFormats,
    "dotenv",
  ])
    .option("--full", "show every message of a long list")
    .addHelpText("after", examples)
    .action((state: string[], flags: CommonFlags) => run((io, flags) => validateCommand(io, state, flags), flags));
}

async function validateCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { validate } = await import("../engine/validate.ts");
  const request = readRequestFlags(io, state, flags);
  const validation = await validate(request);
  const { diagnostics, fileCount, notices, evaluatedFor, testsNotRun } = validation;
  const { createDiagnosticsView } = await import("../render/views/diagnostics.ts");
  const consequence = `Checked for ${evaluatedFor}; no server was asked.${notRun(testsNotRun)}`;
  const view = createDiagnosticsView(diagnostics, { files: fileCount, consequence });
  if (!flags.quiet && flags.format !== "json") for (const notice of notices) io.stderr.write(`${notice}\n`);
  const result = resultOf(diagnostics);
  const reports = { ...createValidationReports(view, validation, request), ...createOutputReport({ result }) };
  await writeReports(io, flags, reports);
  if (flags.annotations) await (await import("./github-files.ts")).writeGithubFiles(io, { outputs: { result } });
  return exitCodes[result];
}

function createValidationReports(
  view: DiagnosticsView,
  { fileCount, evaluatedFor, testsNotRun }: Validation,
  request: RunRequest,
): Readonly<Record<string, RenderReport>> {
  const list = async () => (await import("../render/views/findings.ts")).listDiagnosticFindings(view);
  return {
    text: async (style) => [`${(await import("../render/text/diagnostics.ts")).renderDiagnosticsText(view, style)}\n`],
    json: async () =>
      writesJson({ files: fileCount, evaluated_for: evaluatedFor, access_tests_not_run: testsNotRun }, view),
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
  $ gate-sync validate --format json
`;
