import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { AccessMapView } from "../render/views/access-map.ts";
import {
  type AccessFlags,
  printAccessNotices,
  readAccessRequest,
  readAccessSource,
  refuseEmpty,
  withAccessSource,
} from "./access-flags.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { type RunCommand, withStateDirOption } from "./options.ts";
import { readPageOptions } from "./page-options.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";

export function defineAccessMap(command: Command, run: RunCommand): void {
  const map = command
    .command("map")
    .description("who may do what: every principal, with all indices and tenants that roles name, and the cluster");
  withReportOptions(withStateDirOption(withAccessSource(map)), ["text", "json", "csv", "markdown", "html"])
    .option(
      "--since <snapshot|backup|ref>",
      "say first what has changed since: a snapshot, the name of a backup, or a commit",
    )
    .option("--full", "show all of a long list, and long values whole")
    .addHelpText("after", mapExamples)
    .action((flags: MapFlags) => run((io) => mapCommand(io, flags), flags));
}

interface MapFlags extends AccessFlags {
  readonly since?: string;
}

async function mapCommand(io: Io, flags: MapFlags): Promise<number> {
  const { buildAccessMap } = await import("../engine/access/map.ts");
  const request = readAccessRequest(io, flags);
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const { since: name } = flags;
  refuseEmpty("--since", name);
  const since = name === undefined ? undefined : { name, stateDir: getStateDir(io.cwd, flags.stateDir, flags.config) };
  const map = await buildAccessMap(request, await readAccessSource(io, flags), since);
  printAccessNotices(io, flags, map.notices);
  const view = (await import("../render/views/access-map.ts")).createAccessMapView(map);
  await writeReports(io, flags, createMapReports(view, request, flags));
  return exitCodes.done;
}

function createMapReports(
  view: AccessMapView,
  request: RunRequest,
  flags: AccessFlags,
): Readonly<Record<string, RenderReport>> {
  return {
    text: async (style) => [`${(await import("../render/text/access-map.ts")).renderAccessMapText(view, style)}\n`],
    json: async () => [encodeJson((await import("../render/json/access.ts")).renderAccessMapJson(view))],
    csv: async () => [(await import("../render/csv/access-map.ts")).renderAccessMapCsv(view)],
    markdown: async () => [`${(await import("../render/markdown/access-map.ts")).renderAccessMapMarkdown(view)}\n`],
    html: async () =>
      (await import("../render/html/access-map.ts")).renderAccessMapHtml(view, await readPageOptions(request, flags)),
  };
}

const mapExamples = `
Examples:
  $ gate-sync access map
  $ gate-sync access map --server --format csv
  $ gate-sync access map --format html=access.html
  $ gate-sync access map --since reviewed/2026-q3
`;
