import { resolve } from "node:path";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { quoteForShell } from "../json/quoted.ts";
import { formatPath } from "../load/files.ts";
import type { FileUpdate } from "../model/file-update.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { ExportFlags } from "./export-flags.ts";
import type { Io } from "./io.ts";
import { chooseStyle, readBaselineFlags, readRequestFlags } from "./options.ts";
import { createReadSource } from "./read-source.ts";

/** `export --update`: 0 once the files say what the cluster has, 2 where something is left to the user. */
export async function updateCommand(io: Io, state: readonly string[], flags: ExportFlags): Promise<number> {
  refuseContradiction(flags);
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const { updateFiles } = await import("../engine/update.ts");
  const connect = await createReadSource(io);
  const { into, only } = flags;
  const absolute = resolve(io.cwd, into ?? "");
  const update = await updateFiles(
    {
      ...readRequestFlags(io, state, flags),
      options: {
        prune: flags.prune ?? false,
        shared: flags.editShared ?? false,
        ...(into !== undefined && { into: { absolute, shown: formatPath(io.cwd, absolute, into) } }),
      },
      ...(only && { only }),
      ...(flags.force && { force: true }),
      stateDir: getStateDir(io.cwd, flags.stateDir, flags.config),
      ...readBaselineFlags(flags),
    },
    { connect },
  );
  const isJson = flags.format === "json";
  const refusal = createUnsavedMessage(update.unsaved);
  // A dry run shows first what it would write.
  if (refusal && (!flags.dryRun || isJson)) throw refusal;
  const { createFileUpdateView } = await import("../render/views/file-update.ts");
  const view = createFileUpdateView(update, flags.dryRun ?? false);
  const { printDiffs, writeEdits } = await import("./file-edits.ts");
  if (!flags.quiet && !isJson) {
    for (const notice of view.notes) io.stderr.write(`${notice}\n`);
    await printDiffs(io.stdout, io, flags, update.edits);
  }
  if (!flags.dryRun) await writeEdits(update.edits);
  if (isJson) {
    const { renderFileUpdateJson } = await import("../render/json/file-update.ts");
    io.stdout.write(encodeJson(renderFileUpdateJson(view)));
  } else if (!flags.quiet || view.left.length > 0) {
    const { renderFileUpdateText } = await import("../render/text/file-update.ts");
    io.stdout.write(`${renderFileUpdateText(view, chooseStyle(io.stdout, io, flags))}\n`);
  }
  if (refusal) throw refusal;
  return update.left.length > 0 ? exitCodes.pending : exitCodes.done;
}

/** What is written over it, git could not bring back. */
function createUnsavedMessage([first, ...others]: FileUpdate["unsaved"]): RunError | undefined {
  if (!first) return undefined;
  const paths = [first, ...others].map(({ path }) => path);
  const added = `git add ${paths.map(quoteForShell).join(" ")}`;
  const what = first.reported
    ? `Whether git has the text of ${first.path} is unknown: ${first.reported}.`
    : `${paths.join(", ")} ${others.length > 0 ? "have" : "has"} text that git does not have: it is neither committed nor staged.`;
  return new RunError("usage", {
    what,
    why: "Git could not restore it once it is written over. No file was written.",
    fix: first.reported
      ? "Correct that, or write all the same: --force."
      : `Run ${added} first. To write all the same: --force.`,
  });
}

function refuseContradiction(flags: ExportFlags): void {
  const others = { out: "--out", snapshot: "--snapshot", as: "--as", oneFile: "--one-file" };
  const other = Object.entries(others).find(([flag]) => flag in flags);
  if (other) {
    throw new RunError("usage", {
      what: `--update edits the files of the target, and ${other[1]} writes others.`,
      fix: "Leave one of them out.",
    });
  }
  if (!flags.shared) return;
  throw new RunError("usage", {
    what: "--update is about one target.",
    why: "Files that several targets read would be changed several times.",
    fix: "Name one with --target.",
  });
}
