import { exitCodes } from "../diagnostics/failure.ts";
import type { AskedSource } from "../engine/access/asked-state.ts";
import type { RunRequest } from "../engine/request.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { AccessMapView } from "../render/views/access-map.ts";
import type { AccessSinceView } from "../render/views/access-since.ts";
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
      "--since <ref|snapshot|backup>",
      "who gained or lost what since: of files a commit, of a server or a snapshot an earlier snapshot, of a server a backup",
    )
    .option("--full", "show all of a long list, and long values whole")
    .addHelpText("after", mapExamples)
    .action((flags: MapFlags) => run((io, flags) => mapCommand(io, flags), flags));
}

interface MapFlags extends AccessFlags {
  readonly since?: string;
}

async function mapCommand(io: Io, flags: MapFlags): Promise<number> {
  const { since } = flags;
  const request = readAccessRequest(io, flags);
  const source = await readAccessSource(io, flags);
  if (since !== undefined) return sinceCommand(io, flags, request, { source, since });
  const { buildAccessMap } = await import("../engine/access/map.ts");
  const map = await buildAccessMap(request, source);
  printAccessNotices(io, flags, map.notices);
  const view = (await import("../render/views/access-map.ts")).createAccessMapView(map);
  await writeReports(io, flags, createMapReports(view, request, flags));
  return exitCodes.done;
}

interface Compared {
  readonly source: AskedSource | undefined;
  readonly since: string;
}

async function sinceCommand(
  io: Io,
  flags: MapFlags,
  request: RunRequest,
  { source, since }: Compared,
): Promise<number> {
  refuseEmpty("--since", since);
  const { compareSince } = await import("../engine/access/since.ts");
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const stateDir = getStateDir(io.cwd, flags.stateDir, flags.config);
  // A backup may repeat the login, which others may have written into the server.
  const compared = await compareSince({ ...request, stateDir, hideLogin: io.echoed }, source, since);
  printAccessNotices(io, flags, compared.notices);
  const view = (await import("../render/views/access-since.ts")).createAccessSinceView(compared);
  await writeReports(io, flags, createSinceReports(view, request, flags));
  return exitCodes.done;
}

function createSinceReports(
  view: AccessSinceView,
  request: RunRequest,
  flags: AccessFlags,
): Readonly<Record<string, RenderReport>> {
  return {
    text: async (style) => [`${(await import("../render/text/access-since.ts")).renderAccessSinceText(view, style)}\n`],
    json: async () => [encodeJson((await import("../render/json/access.ts")).renderAccessSinceJson(view))],
    csv: async () => [(await import("../render/csv/access-since.ts")).renderAccessSinceCsv(view)],
    markdown: async ({ full }) => [
      `${(await import("../render/markdown/access-since.ts")).renderAccessSinceMarkdown(view, full)}\n`,
    ],
    html: async () =>
      (await import("../render/html/access-since.ts")).renderAccessSinceHtml(
        view,
        await readPageOptions(request, flags),
      ),
  };
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
  $ gate-sync access map --server --since 20260301T081500.000Z-prod
`;
