import { exitCodes } from "../diagnostics/failure.ts";
import { isDrift } from "../model/drift.ts";
import { createDiagnosticsView } from "../render/views/diagnostics.ts";
import { createDriftView, type DriftView } from "../render/views/drift.ts";
import type { Command } from "./commander.ts";
import { type Io, writeBlocks } from "./io.ts";
import {
  type CommonFlags,
  chooseStyle,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withServerOptions,
  withStateDirOption,
  withStateOptions,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";
import { printAside, writesJson } from "./say.ts";

interface DriftFlags extends CommonFlags {
  readonly appliedRef?: string;
  readonly baseline?: string;
}

export function defineDrift(program: Command, run: RunCommand) {
  const command = program
    .command("drift")
    .description("show what differs from the cluster, and whether git or the cluster changed; nothing is written");
  withOutputOptions(withStateDirOption(withServerOptions(withStateOptions(command))), [
    "text",
    "json",
    "markdown",
    "junit",
  ])
    .option(
      "--applied-ref <ref>",
      "the commit that was applied last: what differs from it on the cluster was changed there",
    )
    .option("--baseline <plan>", "the reviewed plan that was applied last, instead of a commit")
    .option("--full", "show every difference of a long list, and long values whole")
    .addHelpText("after", examples)
    .action((state: string[], flags: DriftFlags) => run((io) => driftCommand(io, state, flags), flags));
}

async function driftCommand(io: Io, state: readonly string[], flags: DriftFlags): Promise<number> {
  const { reportDrift } = await import("../engine/drift.ts");
  const connectToRead = await createReadSource(io);
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const { appliedRef, baseline } = flags;
  const request = {
    ...readRequestFlags(io, state, flags),
    hideLogin: io.echoed,
    stateDir: getStateDir(io.cwd, flags.stateDir, flags.config),
    ...(appliedRef !== undefined && { appliedRef }),
    ...(baseline !== undefined && { baseline }),
  };
  const drifted = await reportDrift(request, { connect: connectToRead });

  const warnings = createDiagnosticsView(drifted.diagnostics, { files: drifted.fileCount });
  printAside(io, flags, drifted.notices, warnings);
  await writeBlocks(io.stdout, await rendered(io, flags, createDriftView(drifted.report, warnings)));
  return drifted.report.ceased !== undefined || drifted.report.differences.some(isDrift)
    ? exitCodes.pending
    : exitCodes.done;
}

async function rendered(io: Io, flags: DriftFlags, view: DriftView): Promise<Iterable<string>> {
  switch (flags.format) {
    case "json":
      return writesJson((await import("../render/json/drift.ts")).renderDriftJson(view), view.warnings);
    case "markdown":
      return [`${(await import("../render/markdown/drift.ts")).renderDriftMarkdown(view)}\n`];
    case "junit":
      return [`${(await import("../render/junit/drift.ts")).renderDriftJunit(view)}\n`];
    default:
      return [
        `${(await import("../render/text/drift.ts")).renderDriftText(view, chooseStyle(io.stdout, io, flags))}\n`,
      ];
  }
}

const examples = `
Examples:
  $ gate-sync drift --applied-ref applied/prod   exit 2 if the cluster changed
  $ gate-sync drift --baseline plan.json         since that plan was applied
  $ gate-sync drift --target prod                since the last run here
  $ gate-sync drift --applied-ref HEAD --format junit > drift.xml
`;
