import { isError } from "../diagnostics/diagnostic.ts";
import { exitCodes } from "../diagnostics/failure.ts";
import { formatName } from "../render/escape.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, type RunCommand, readRequestFlags, withConfigOption, withTextOptions } from "./options.ts";
import { printAside } from "./say.ts";

interface FmtFlags extends CommonFlags {
  readonly check?: boolean;
}

export function defineFmt(program: Command, run: RunCommand) {
  const command = program
    .command("fmt")
    .description("lay out state files and gate-sync.yaml in one way; comments, words and their order stay")
    .argument("[path...]", "files and folders; without them, gate-sync.yaml and the state of all its targets");
  withTextOptions(withConfigOption(command))
    .option("--check", "write nothing, show what would be changed, and end with 2 if anything would")
    .addHelpText("after", examples)
    .action((paths: string[], flags: FmtFlags) => run((io, flags) => fmtCommand(io, paths, flags), flags));
}

async function fmtCommand(io: Io, paths: readonly string[], flags: FmtFlags): Promise<number> {
  const { formatFiles } = await import("../engine/fmt.ts");
  const { createDiagnosticsView } = await import("../render/views/diagnostics.ts");
  const { edits, fileCount, diagnostics } = await formatFiles(readRequestFlags(io, paths, flags));
  const { printDiffs, writeEdits } = await import("./file-edits.ts");
  if (flags.check) await printDiffs(io.stdout, io, flags, edits);
  else await writeEdits(edits, (path) => flags.quiet || io.stdout.write(`${formatName(path)}\n`));
  const [first, verb] = flags.check ? ["Nothing was written", "would be"] : ["", edits.length === 1 ? "was" : "were"];
  const count = fileCount === 1 ? "1 file" : `${fileCount} files`;
  const all = edits.length === 0 ? `${count}: nothing to change.` : `${edits.length} of ${count} ${verb} changed.`;
  const next =
    flags.check && edits.length > 0 ? ` ${first}; gate-sync fmt writes ${edits.length === 1 ? "it" : "them"}.` : "";
  const consequence = "A file with an error stays as it is.";
  printAside(io, flags, [], createDiagnosticsView(diagnostics, { files: fileCount, consequence }));
  if (!flags.quiet) io.stdout.write(`${all}${next}\n`);
  if (diagnostics.some(isError)) return exitCodes.invalid;
  return flags.check && edits.length > 0 ? exitCodes.differing : exitCodes.done;
}

const examples = `
Examples:
  $ gate-sync fmt                    gate-sync.yaml and all state files
  $ gate-sync fmt access/roles.yml
  $ gate-sync fmt --check            as CI does
`;
