import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, type RunCommand, readRequestFlags } from "./options.ts";
import { withReportOptions, writeReports } from "./reports.ts";

export function defineReport(program: Command, run: RunCommand) {
  const command = program
    .command("report")
    .description("one report of several runs that shared their targets by --shard, with one exit code")
    .argument("<part...>", "what each run wrote with --format json=FILE; * matches several");
  withReportOptions(command, ["text", "json", "markdown", "junit", "html"])
    .option("--full", "show every target and every change of a long list")
    .addHelpText("after", examples)
    .action((parts: string[], flags: CommonFlags) => run((io, flags) => reportCommand(io, parts, flags), flags));
}

async function reportCommand(io: Io, paths: readonly string[], flags: CommonFlags): Promise<number> {
  const { listFleetParts, readFleetPart } = await import("../artifacts/fleet-part.ts");
  const { combineParts } = await import("../engine/fleet/combined.ts");
  const { decodeFleet } = await import("../render/json/fleet-decoded.ts");
  const { createFleetView } = await import("../render/views/fleet.ts");
  const { createFleetReports, withoutTargets } = await import("./plan-fleet.ts");
  const parts = [];
  for (const given of paths) {
    for (const path of await listFleetParts(io.cwd, given))
      parts.push({ ...decodeFleet(await readFleetPart(io.cwd, path)), path });
  }
  const view = createFleetView(parts[0]?.command ?? "plan", combineParts(parts));
  await writeReports(io, flags, createFleetReports(view, readRequestFlags(io, [], withoutTargets(flags)), flags));
  return view.exitCode;
}

const examples = `
Examples:
  $ gate-sync drift --all-targets --shard 0/16 --format json=part-0.json
  $ gate-sync report part-*.json
  $ gate-sync report part-*.json --format junit=drift.xml
`;
