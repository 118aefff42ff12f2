import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { AccessMapView } from "../render/views/access-map.ts";
import {
  type AccessFlags,
  printAccessNotices,
  readAccessRequest,
  readAccessSource,
  withAccessSource,
} from "./access-flags.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import type { RunCommand } from "./options.ts";
import { readPageOptions } from "./page-options.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";

export function defineAccessMap(command: Command, run: RunCommand): void {
  const map = command
    .command("map")
    .description("who may do what: every principal, with all indices and tenants that roles name, and the cluster");
  withReportOptions(withAccessSource(map), ["text", "json", "csv", "markdown", "html"])
    .option("--full", "show all of a long list, and long values whole")
    .addHelpText("after", mapExamples)
    .action((flags: AccessFlags) => run((io) => mapCommand(io, flags), flags));
}

async function mapCommand(io: Io, flags: AccessFlags): Promise<number> {
  const { buildAccessMap } = await import("../engine/access/map.ts");
  const request = readAccessRequest(io, flags);
  const map = await buildAccessMap(request, await readAccessSource(io, flags));
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
`;
