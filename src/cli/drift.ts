import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { createDriftView, type DriftView } from "../render/views/drift.ts";
import { createPlanWarningsView } from "../render/views/plan-warnings.ts";
import type { Command } from "./commander.ts";
import { createFindingReports, findingFormats } from "./finding-reports.ts";
import type { Io } from "./io.ts";
import {
  type CommandOutcome,
  type CommonFlags,
  type RunCommand,
  readBaselineFlags,
  readRequestFlags,
  withBaselineOptions,
  withServerOptions,
  withStateDirOption,
  withStateOptions,
} from "./options.ts";
import { createOutputReport, type RunOutputs } from "./outputs.ts";
import { readPageOptions } from "./page-options.ts";
import { createReadSource } from "./read-source.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";
import { printAside, writesJson } from "./say.ts";

export function defineDrift(program: Command, run: RunCommand) {
  const command = program
    .command("drift")
    .description("show what differs from the cluster, and whether git or the cluster changed; nothing is written");
  const withFlags = withStateDirOption(withServerOptions(withStateOptions(command)));
  withReportOptions(withBaselineOptions(withFlags, "what differs from it on the cluster was changed there"), [
    "text",
    "json",
    "markdown",
    "junit",
    "html",
    ...findingFormats,
    "dotenv",
  ])
    .option(
      "--api-keys",
      "list the API keys of the server, and exit 2 for one that api_keys of the target does not name",
    )
    .option("--full", "show every difference of a long list, and long values whole")
    .addHelpText("after", examples)
    .action((state: string[], flags: DriftFlags) => run((io, flags) => driftCommand(io, state, flags), flags));
}

interface DriftFlags extends CommonFlags {
  readonly apiKeys?: boolean;
}

async function driftCommand(io: Io, state: readonly string[], flags: DriftFlags): Promise<CommandOutcome> {
  const { reportDrift } = await import("../engine/drift.ts");
  const connectToRead = await createReadSource(io);
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const request = {
    ...readRequestFlags(io, state, flags),
    hideLogin: io.echoed,
    stateDir: getStateDir(io.cwd, flags.stateDir, flags.config),
    ...readBaselineFlags(flags),
    ...(flags.apiKeys && { listsApiKeys: true }),
  };
  const drifted = await reportDrift(request, { connect: connectToRead });

  const warnings = createPlanWarningsView(drifted.diagnostics, drifted.fileCount, drifted.report.changes);
  printAside(io, flags, drifted.notices, warnings);
  const view = createDriftView(drifted.report, warnings);
  const result = drifted.report.ceased !== undefined || view.isDrift ? "pending" : "done";
  const changes = view.families.flatMap(({ differences }) => differences.filter(({ isDrift }) => isDrift)).length;
  const outputs: RunOutputs = { changes, result };
  await writeReports(io, flags, { ...createDriftReports(view, request, flags), ...createOutputReport(outputs) });
  if (flags.annotations) await appendToGithub(io, view, outputs);
  return { exitCode: exitCodes[result], unknownPasswords: view.unknownPasswords };
}

function createDriftReports(
  view: DriftView,
  request: RunRequest,
  flags: CommonFlags,
): Readonly<Record<string, RenderReport>> {
  const list = async () => (await import("../render/views/findings.ts")).listDriftFindings(view);
  return {
    text: async (style) => [`${(await import("../render/text/drift.ts")).renderDriftText(view, style)}\n`],
    json: async () => writesJson((await import("../render/json/drift.ts")).renderDriftJson(view), view.warnings),
    markdown: async () => [`${(await import("../render/markdown/drift.ts")).renderDriftMarkdown(view)}\n`],
    junit: async () => [`${(await import("../render/junit/drift.ts")).renderDriftJunit(view)}\n`],
    html: async () =>
      (await import("../render/html/drift.ts")).renderDriftHtml(view, await readPageOptions(request, flags)),
    ...createFindingReports({ command: "drift", request, list }),
  };
}

async function appendToGithub(io: Io, view: DriftView, outputs: RunOutputs): Promise<void> {
  const { writeGithubFiles } = await import("./github-files.ts");
  const { renderDriftMarkdown } = await import("../render/markdown/drift.ts");
  await writeGithubFiles(io, { summary: renderDriftMarkdown(view), outputs });
}

const examples = `
Examples:
  $ gate-sync drift --applied-ref applied/prod   exit 2 if the cluster changed
  $ gate-sync drift --baseline plan.json         since that plan was applied
  $ gate-sync drift --target prod                since the last run here
  $ gate-sync drift --applied-ref HEAD --format junit > drift.xml
`;
