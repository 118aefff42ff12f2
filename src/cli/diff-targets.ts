import { exitCodes } from "../diagnostics/failure.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { TargetDiffView } from "../render/views/target-diff.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, type RunCommand, readRequestFlags, withConfigOption, withTargetOptions } from "./options.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";

export function defineDiffTargets(program: Command, run: RunCommand) {
  const command = program
    .command("diff-targets")
    .description("show what differs between two targets of gate-sync.yaml: entries, and access; no server is asked")
    .argument("<target>", "the one to begin with")
    .argument("<other-target>", "the one that it is compared with");
  withReportOptions(withTargetOptions(command, withConfigOption), ["text", "json", "markdown"])
    .option("--full", "show every difference of a long list, and long values whole")
    .addHelpText("after", examples)
    .action((from: string, to: string, flags: CommonFlags) =>
      run((io) => diffTargetsCommand(io, [from, to], flags), flags),
    );
}

async function diffTargetsCommand(io: Io, names: readonly [string, string], flags: CommonFlags): Promise<number> {
  const { diffTargets } = await import("../engine/diff-targets.ts");
  const { createTargetDiffView } = await import("../render/views/target-diff.ts");
  const { places, notices, ...difference } = await diffTargets(readRequestFlags(io, [], flags), names);
  if (!flags.quiet && flags.format !== "json") for (const notice of notices) io.stderr.write(`${notice}\n`);
  const view = createTargetDiffView(difference, places);
  await writeReports(io, flags, createTargetDiffReports(view));
  return view.isEqual ? exitCodes.done : exitCodes.differing;
}

function createTargetDiffReports(view: TargetDiffView): Readonly<Record<string, RenderReport>> {
  return {
    text: async (style) => [`${(await import("../render/text/target-diff.ts")).renderTargetDiffText(view, style)}\n`],
    json: async () => [encodeJson((await import("../render/json/target-diff.ts")).renderTargetDiffJson(view))],
    markdown: async ({ full }) => [
      `${(await import("../render/markdown/target-diff.ts")).renderTargetDiffMarkdown(view, full)}\n`,
    ],
  };
}

const examples = `
Examples:
  $ gate-sync diff-targets dev prod                        exit 2 if they differ
  $ gate-sync diff-targets dev prod --family roles --full
  $ gate-sync diff-targets dev prod --format json
`;
