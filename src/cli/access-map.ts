import { exitCodes } from "../diagnostics/failure.ts";
import { encodeJson } from "../render/json/encode.ts";
import {
  type AccessFlags,
  printAccessNotices,
  readAccessRequest,
  readAccessSource,
  withAccessOptions,
} from "./access-flags.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { chooseStyle, type RunCommand } from "./options.ts";

export function defineAccessMap(command: Command, run: RunCommand): void {
  const map = command
    .command("map")
    .description("who may do what: every principal, with all indices and tenants that roles name, and the cluster");
  withAccessOptions(map, ["text", "json", "csv"])
    .addHelpText("after", mapExamples)
    .action((flags: AccessFlags) => run((io) => mapCommand(io, flags), flags));
}

async function mapCommand(io: Io, flags: AccessFlags): Promise<number> {
  const { buildAccessMap } = await import("../engine/access/map.ts");
  const map = await buildAccessMap(readAccessRequest(io, flags), await readAccessSource(io, flags));
  printAccessNotices(io, flags, map.notices);
  const view = (await import("../render/views/access-map.ts")).createAccessMapView(map);
  if (flags.format === "json") {
    const { renderAccessMapJson } = await import("../render/json/access.ts");
    io.stdout.write(encodeJson(renderAccessMapJson(view)));
  } else if (flags.format === "csv") {
    const { renderAccessMapCsv } = await import("../render/csv/access-map.ts");
    io.stdout.write(renderAccessMapCsv(view));
  } else {
    const { renderAccessMapText } = await import("../render/text/access-map.ts");
    io.stdout.write(`${renderAccessMapText(view, chooseStyle(io.stdout, io, flags))}\n`);
  }
  return exitCodes.done;
}

const mapExamples = `
Examples:
  $ gate-sync access map
  $ gate-sync access map --server --format csv
`;
