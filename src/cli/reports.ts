import { writeReportFile } from "../artifacts/report-file.ts";
import { checkReportPlaces } from "../artifacts/report-place.ts";
import { getStateDir } from "../artifacts/state-dir.ts";
import { escapeAsJson } from "../json/invisible.ts";
import type { Style } from "../render/style.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import { type Io, writeBlocks } from "./io.ts";
import { type CommonFlags, chooseStyle, type ReportFile, withTextOptions } from "./options.ts";

/** One format of a result, in blocks. */
export type RenderReport = (style: Style) => Promise<Iterable<string>>;

/** `--format text --format html=report.html`: one format for standard output, any number for files where it takes any. */
export function withReportOptions(
  command: Command,
  formats: readonly string[],
  { takesFiles } = { takesFiles: true },
): Command {
  const parse = (value: string, previous: string): string => {
    const [format = "", ...rest] = value.split("=");
    if (!formats.includes(format)) throw new InvalidArgumentError(`Allowed choices are ${formats.join(", ")}.`);
    if (format === "github") {
      if (rest.length > 0) throw new InvalidArgumentError("github takes no file: GitHub Actions reads the output.");
      command.setOptionValue("annotations", true);
      return previous;
    }
    if (rest.length > 0 && !takesFiles)
      throw new InvalidArgumentError(`It takes no file: direct the output to one, as in --format ${format} > FILE.`);
    if (rest.length > 0) {
      const path = rest.join("=");
      if (path === "") throw new InvalidArgumentError(`After = it takes the name of a file, as in ${format}=report.`);
      const named = (command.getOptionValue("reports") ?? []) as readonly ReportFile[];
      command.setOptionValue("reports", [...named, { format, path }]);
      return previous;
    }
    if (command.getOptionValue("onStdout") !== undefined)
      throw new InvalidArgumentError("Standard output takes one format; the others go to files, as in json=plan.json.");
    command.setOptionValue("onStdout", format);
    return format;
  };
  const option = new Option(
    takesFiles ? "--format <format[=file]>" : "--format <format>",
    takesFiles ? "how the result is written, or written to a file; may be repeated" : "how the result is written",
  );
  const defined = withTextOptions(
    command.addOption(
      option
        .choices([...formats])
        .argParser(parse)
        .default("text"),
    ),
  );
  return formats.includes("html")
    ? defined.option(
        "--link-base <url>",
        "where a forge shows this commit's files, for links in html: https://…/blob/COMMIT",
      )
    : defined;
}

/**
 * Before anything is asked or done.
 *
 * @param command as it was parsed: what else it names is no place for a report
 */
export async function checkReports({ cwd, env }: Io, flags: CommonFlags, command: Command): Promise<void> {
  const named = command.options
    .filter((option) => /<(file|folder|path|snapshot)>/.test(option.flags))
    .flatMap((option): string | readonly string[] => command.getOptionValue(option.attributeName()) ?? []);
  await checkReportPlaces({ cwd, env }, flags.reports ?? [], {
    named: [...command.args, ...named],
    stateDir: getStateDir(cwd, flags.stateDir, flags.config),
  });
}

/** The result in each format that was asked for: the files first, as a run whose report is missing fails. */
export async function writeReports(
  io: Io,
  flags: CommonFlags,
  formats: Readonly<Record<string, RenderReport>>,
): Promise<void> {
  await writeReportFiles(io, flags, formats);
  const render = formats[flags.format];
  if (render) await writeBlocks(io.stdout, await render(chooseStyle(io.stdout, io, flags)));
  await writeAnnotations(io, flags, formats);
}

/** What GitHub Actions reads on standard output, below the text: there it is shown as a part of the log, too. */
export async function writeAnnotations(
  io: Io,
  flags: CommonFlags,
  { github }: Readonly<Record<string, RenderReport>>,
): Promise<void> {
  if (flags.annotations && github)
    for (const lines of await github(chooseStyle(io.stdout, io, flags))) io.command(lines);
}

/** The files alone. */
export async function writeReportFiles(
  io: Io,
  { reports = [], full = false, verbose = false }: CommonFlags,
  formats: Readonly<Record<string, RenderReport>>,
): Promise<void> {
  const style: Style = { color: false, width: 100, full, verbose };
  for (const { format, path } of reports) {
    const render = formats[format];
    if (render) await writeReportFile(io.cwd, path, hidden(io, await render(style)));
  }
}

function* hidden({ hide }: Io, blocks: Iterable<string>): Generator<string> {
  for (const block of blocks) yield escapeAsJson(hide(block));
}
