import { exitCodes } from "../diagnostics/failure.ts";
import { formatName } from "../render/escape.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  type RunCommand,
  readRequestFlags,
  withProductOptions,
  withStateOptions,
  withTargetChoice,
} from "./options.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";

interface ConvertFlags extends CommonFlags {
  readonly to: string;
  readonly out: string;
  readonly exact?: boolean;
}

export function defineConvert(program: Command, run: RunCommand) {
  const command = program
    .command("convert")
    .description("write the declared state for another product or release, and show what that does to access");
  withReportOptions(withProductOptions(withStateOptions(command, withTargetChoice)), ["text", "json", "markdown"])
    .requiredOption(
      "--to <product-release>",
      "opensearch, opensearch-2.19, search-guard-7, search-guard-7.x-38, search-guard-flx, gate-7.x",
    )
    .requiredOption("--out <folder>", "folder for the state files; new or empty")
    .option("--exact", "write out each built-in role and group that grants more in the other product")
    .option("--full", "show every line of a long list")
    .addHelpText("after", examples)
    .action((state: string[], flags: ConvertFlags) => run((io, flags) => convertCommand(io, state, flags), flags));
}

async function convertCommand(io: Io, state: readonly string[], flags: ConvertFlags): Promise<number> {
  const { convertFiles } = await import("../engine/convert.ts");
  const { refuseUnlessEmpty, writeToEmptyFolder } = await import("../artifacts/exported/files.ts");
  const { createConversionView } = await import("../render/views/conversion.ts");
  const { to, out: folder, exact = false } = flags;
  await refuseUnlessEmpty(io.cwd, folder);
  const request = { ...readRequestFlags(io, state, flags), to, folder, isExact: exact };
  const { conversion, files, places } = await convertFiles(request);
  await writeToEmptyFolder(io.cwd, folder, files);
  const view = createConversionView(conversion, places);
  await writeReports(io, flags, {
    text: async (style): Promise<readonly string[]> => [
      `${(await import("../render/text/conversion.ts")).renderConversionText(view, style)}\n`,
      `\nWrote ${files.length === 1 ? "1 file" : `${files.length} files`} to ${formatName(folder)}.\n`,
    ],
    json: async () => [
      encodeJson(
        (await import("../render/json/conversion.ts")).renderConversionJson(view, {
          folder,
          files: files.map(({ name }) => name),
        }),
      ),
    ],
    markdown: async ({ full }) => [
      `${(await import("../render/markdown/conversion.ts")).renderConversionMarkdown(view, full)}\n`,
    ],
  } satisfies Readonly<Record<string, RenderReport>>);
  return view.isEqual ? exitCodes.done : exitCodes.differing;
}

const examples = `
Exits with 2 where anyone gains or loses, or where that is unknown.

Examples:
  $ gate-sync convert --target prod --to opensearch-2.19 --out opensearch/
  $ gate-sync convert sgconfig --product search-guard --to opensearch --out new
  $ gate-sync convert --to opensearch --exact --out new --format json
`;
