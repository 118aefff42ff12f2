import { join } from "node:path";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { escapeInvisible } from "../render/escape.ts";
import { encodeJson } from "../render/json/encode.ts";
import { joinLines, wrap } from "../render/layout.ts";
import { type Command, Option } from "./commander.ts";
import type { ExportFlags } from "./export-flags.ts";
import type { Io } from "./io.ts";
import {
  chooseStyle,
  collect,
  type RunCommand,
  readRequestFlags,
  withBaselineOptions,
  withOutputOptions,
  withServerOptions,
  withStateDirOption,
  withTargetOptions,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";

export function defineExport(program: Command, run: RunCommand) {
  const command = program
    .command("export")
    .description("write what the cluster holds as state files, or as a snapshot")
    .argument("[state...]", "with --update: state files and folders; without them, `state` of the target");
  const withServer = withStateDirOption(withServerOptions(withTargetOptions(command)));
  const why = "with --update, what the files changed since then stays";
  withBaselineOptions(withOutputOptions(withServer, ["text", "json"]), why)
    .option("--out <folder>", "folder for the state files; new or empty")
    .option("--one-file", "all resource types in one file")
    .option("--snapshot <file>", "the server's raw answers, secrets masked: what plan --live reads")
    .addOption(new Option("--as <form>", "custom resources of the OpenSearch operator instead").choices(["operator"]))
    .option("--operator-cluster <name>", "with --as operator, the OpenSearchCluster that the resources are for")
    .option("--update", "take what was changed on the cluster into the state files that declare it")
    .option("--dry-run", "with --update: show the diff, and write nothing")
    .option("--prune", "with --update: remove from the files what was applied and is not on the cluster any more")
    .option("--force", "with --update: also write files with text that git does not have")
    .addOption(sharedOption())
    .option("--into <file>", "with --update: the state file for new entries")
    .option("--only <address>", "with --update: only this entry, as in roles/hr_reader; may be repeated", collect)
    .addHelpText("after", examples)
    .action((state: string[], flags: ExportFlags) => run((io, flags) => exportCommand(io, state, flags), flags));
}

/** `shared` is what the runs of several targets share. */
function sharedOption(): Option {
  const option = new Option(
    "--shared",
    "with --update: edit files that other targets read, too, and write no overrides",
  );
  return Object.assign(option, { attributeName: () => "editShared" });
}

async function exportCommand(io: Io, state: readonly string[], given: ExportFlags): Promise<number> {
  if (given.update) return (await import("./export-update.ts")).updateCommand(io, state, given);
  const ofUpdate = {
    ...{ dryRun: "--dry-run", prune: "--prune", editShared: "--shared", into: "--into", only: "--only" },
    ...{ force: "--force", appliedRef: "--applied-ref", baseline: "--baseline", stateDir: "--state-dir" },
  };
  const alone = Object.entries(ofUpdate).find(([flag]) => flag in given);
  if (alone)
    throw new RunError("usage", { what: `${alone[1]} goes with --update.`, fix: "Add it, or leave this out." });
  if (state.length > 0) {
    throw new RunError("usage", {
      what: "State files are named for --update.",
      fix: "Name a folder to write to with --out, or add --update.",
    });
  }
  const flags = given.shared ? withOwnPlace(given) : given;
  const { exportState, takeSnapshot } = await import("../engine/export.ts");
  const connectToRead = await createReadSource(io);
  const { refuseUnlessEmpty, writeNewFile, writeToEmptyFolder } = await import("../artifacts/exported/files.ts");
  const request = readRequestFlags(io, [], flags);
  if (flags.out !== undefined) await refuseUnlessEmpty(io.cwd, flags.out);
  if (flags.snapshot !== undefined) {
    const { writeSnapshot } = await import("../artifacts/snapshot.ts");
    const snapshot = await takeSnapshot(request, connectToRead);
    await writeSnapshot(io.cwd, flags.snapshot, snapshot);
    result(io, flags, { snapshot: flags.snapshot }, [
      `Wrote ${flags.snapshot}: what ${snapshot.target.url} holds, secrets masked.`,
    ]);
  }
  if (flags.out === undefined) {
    if (flags.snapshot !== undefined) return exitCodes.done;
    throw new RunError("usage", {
      what: "Nothing says where to export to.",
      fix: "Name a new folder with --out DIR, or a file with --snapshot FILE.",
    });
  }
  const folder = flags.out;
  if (flags.as === "operator") return exportResources(io, flags, folder);
  const asked = { ...request, oneFile: flags.oneFile ?? false, folder };
  const { files, secrets, summary, configFile } = await exportState(asked, connectToRead);
  await writeToEmptyFolder(io.cwd, folder, files);
  const isConfigured = configFile !== undefined && (await writeNewFile(io.cwd, configFile));
  result(io, flags, { files: files.map(({ name }) => name), config_file: isConfigured, secrets, summary }, [
    ...summary,
    `Wrote ${files.length === 1 ? "1 file" : `${files.length} files`} to ${flags.out}.`,
    ...(isConfigured
      ? ["Wrote gate-sync.yaml: the server's URL, product and release, and where its state files are."]
      : []),
    ...(secrets.length === 0
      ? []
      : ["Secrets were left out; set these before planning:", ...secrets.map((name) => `  ${name}`)]),
  ]);
  return exitCodes.done;
}

async function exportResources(io: Io, flags: ExportFlags, folder: string): Promise<number> {
  if (flags.operatorCluster === undefined) {
    throw new RunError("usage", {
      what: "Nothing says which OpenSearchCluster the resources are for.",
      fix: "Name it with --operator-cluster NAME.",
    });
  }
  const { exportForOperator } = await import("../engine/export.ts");
  const { writeToEmptyFolder } = await import("../artifacts/exported/files.ts");
  const request = readRequestFlags(io, [], flags);
  const { files, cannotHold } = await exportForOperator(request, flags.operatorCluster, await createReadSource(io));
  await writeToEmptyFolder(io.cwd, folder, files);
  const names = files.map(({ name }) => name);
  result(io, flags, { files: names, cannot_hold: cannotHold }, [
    `Wrote ${files.length === 1 ? "1 file" : `${files.length} files`} to ${folder}.`,
    ...(cannotHold.length === 0
      ? []
      : ["The operator's resources cannot hold these:", ...cannotHold.map((one) => `  ${escapeInvisible(one)}`)]),
  ]);
  return exitCodes.done;
}

/** Each of several targets goes to a folder or file of its own. */
function withOwnPlace(flags: ExportFlags): ExportFlags {
  const { target: [name = ""] = [], out, snapshot } = flags;
  if (!/^[\w@-][\w.@-]*$/.test(name)) {
    throw new RunError("usage", {
      what: `The target ${JSON.stringify(name)} has a name that is no name of a folder.`,
      fix: "Export it alone, with --target and --out.",
    });
  }
  return {
    ...flags,
    ...(out !== undefined && { out: join(out, name) }),
    ...(snapshot !== undefined && { snapshot: join(snapshot, `${name}.json`) }),
  };
}

function result(io: Io, flags: ExportFlags, json: object, lines: readonly string[]): void {
  if (flags.format === "json") io.stdout.write(encodeJson({ format_version: 1, ...json }));
  else if (!flags.quiet) {
    const { width } = chooseStyle(io.stdout, io, flags);
    for (const line of lines) io.stdout.write(`${joinLines(wrap(escapeInvisible(line), width, 2))}\n`);
  }
}

const examples = `
Examples:
  $ gate-sync export --url https://search.example:9200 --out access/
  $ gate-sync export --target prod --family roles --out access/
  $ gate-sync export --target prod --snapshot prod.json
  $ gate-sync export --target prod --update --dry-run
  $ gate-sync export --target prod --update --applied-ref applied/prod
`;
