import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { TestsView } from "../render/views/access-tests.ts";
import { plannedFlag, readAccessSource } from "./access-flags.ts";
import type { Command } from "./commander.ts";
import { createFindingReports, findingFormats } from "./finding-reports.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withFailOnOption,
  withServerOptions,
  withTargetsChoice,
} from "./options.ts";
import { createOutputReport } from "./outputs.ts";
import { readPageOptions } from "./page-options.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";
import { printFailing } from "./say.ts";

export function defineTest(program: Command, run: RunCommand) {
  const command = program
    .command("test")
    .description("check the files, or with --server what the server holds, against the access tests of the files")
    .argument("[state...]", "state files and folders, - for standard input; without them, `state` of the target");
  withReportOptions(withFailOnOption(withServerOptions(withTargetsChoice(command))), [
    "text",
    "json",
    "junit",
    "html",
    ...findingFormats,
    "dotenv",
  ])
    .option("--server", "test what the target's server holds, not the files")
    .option("--planned", plannedFlag)
    .option("--full", "report every principal that breaks a test")
    .addHelpText("after", help)
    .action((state: string[], flags: TestFlags) => run((io, flags) => testCommand(io, state, flags), flags));
}

interface TestFlags extends CommonFlags {
  readonly server?: boolean;
  readonly planned?: boolean;
}

async function testCommand(io: Io, state: readonly string[], flags: TestFlags): Promise<number> {
  const { runAccessTests } = await import("../engine/test.ts");
  const request = readRequestFlags(io, state, flags);
  const tested = await runAccessTests(request, await readAccessSource(io, flags));
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
product ships, which needs no server and no secret. With --server they are
evaluated for what the server holds, with --planned for what it would hold
after the plan, as plan itself does.

Exit codes: 0 all pass, 3 the files have errors, 4 a test fails.

Examples:
  $ gate-sync test
  $ gate-sync test access/ --product opensearch
  $ gate-sync test --format junit > access.xml
  $ gate-sync test --server --planned
`;
