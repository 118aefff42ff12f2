import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { TestsView } from "../render/views/access-tests.ts";
import type { Command } from "./commander.ts";
import { createFindingReports, findingFormats } from "./finding-reports.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withFailOnOption,
  withProductOptions,
  withTargetsChoice,
} from "./options.ts";
import { createOutputReport } from "./outputs.ts";
import { readPageOptions } from "./page-options.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";
import { printFailing } from "./say.ts";

export function defineTest(program: Command, run: RunCommand) {
  const command = program
    .command("test")
    .description("check the files against their access tests; no server and no secret is needed")
    .argument("[state...]", "state files and folders, - for standard input; without them, `state` of the target");
  withReportOptions(withFailOnOption(withProductOptions(withTargetsChoice(command))), [
    "text",
    "json",
    "junit",
    "html",
    ...findingFormats,
    "dotenv",
  ])
    .option("--full", "report every principal that breaks a test")
    .addHelpText("after", help)
    .action((state: string[], flags: CommonFlags) => run((io, flags) => testCommand(io, state, flags), flags));
}

async function testCommand(io: Io, state: readonly string[], flags: CommonFlags): Promise<number> {
  const { runAccessTests } = await import("../engine/test.ts");
  const request = readRequestFlags(io, state, flags);
  const tested = await runAccessTests(request);
  if (!flags.quiet && flags.format !== "json") for (const notice of tested.notices) io.stderr.write(`${notice}\n`);
  const view = (await import("../render/views/access-tests.ts")).createTestsView(tested);
  const { failing } = tested;
  const result = failing ? "invalid" : view.isPassed ? "done" : "refused";
  await writeReports(io, flags, { ...createTestReports(view, request, flags), ...createOutputReport({ result }) });
  if (flags.annotations) await (await import("./github-files.ts")).writeGithubFiles(io, { outputs: { result } });
  if (failing) printFailing(io, flags, failing);
  return exitCodes[result];
}

function createTestReports(
  view: TestsView,
  request: RunRequest,
  flags: CommonFlags,
): Readonly<Record<string, RenderReport>> {
  const list = async () => (await import("../render/views/findings.ts")).listTestFindings(view);
  return {
    text: async (style) => [`${(await import("../render/text/access-tests.ts")).renderTestsText(view, style)}\n`],
    json: async () => [encodeJson((await import("../render/json/access-tests.ts")).renderTestsJson(view))],
    junit: async () => [`${(await import("../render/junit/access-tests.ts")).renderTestsJunit(view)}\n`],
    html: async () =>
      (await import("../render/html/access-tests.ts")).renderTestsHtml(view, await readPageOptions(request, flags)),
    ...createFindingReports({ command: "test", request, list }),
  };
}

const help = `
Tests are in state files under access_tests:, or in files named
*.access-test.yaml. They are evaluated for what the files declare and the
product ships; plan evaluates them for what the server would hold.

Exit codes: 0 all pass, 3 the files have errors, 4 a test fails.

Examples:
  $ gate-sync test
  $ gate-sync test access/ --product opensearch
  $ gate-sync test --format junit > access.xml
`;
