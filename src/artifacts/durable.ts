import { mkdir, mkdtemp, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { getErrno } from "../load/errno.ts";

export interface NewFile {
  /** Relative to the folder that it is written to. */
  readonly name: string;
  readonly text: string;
}

/**
 * Writes a file that only its owner may read, or replaces one. Whenever the machine dies, the file is complete, or it is
 * what it was before.
 *
 * @param place absolute
 */
export async function writeDurably(place: string, text: string): Promise<void> {
  await withDraft(dirname(place), async (draft) => {
    await writeSynced(join(draft, basename(place)), text);
    await rename(join(draft, basename(place)), place);
  });
}

/**
 * Writes a new folder with files in it and in folders below it. Whenever the machine dies, the folder is complete or absent.
 *
 * @param parent absolute
 * @param names for the folder: the first that is free is taken
 * @returns the name it has
 */
export async function writeFolderDurably(
  parent: string,
  names: Iterable<string>,
  files: readonly NewFile[],
): Promise<string> {
  return withDraft(parent, async (draft) => {
    const folder = join(draft, "folder");
    const folders = [folder, ...new Set(files.map(({ name }) => dirname(join(folder, name))))];
    for (const each of folders) await mkdir(each, { recursive: true, mode: 0o700 });
    for (const { name, text } of files) await writeSynced(join(folder, name), text);
    for (const each of folders) await syncFolder(each);
    for (const name of names) {
      try {
        await rename(folder, join(parent, name));
        return name;
      } catch (error) {
        if (!["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(getErrno(error) ?? "")) throw error;
      }
    }
    throw new Error("No name is free.");
  });
}

/** A new name in a folder survives a crash only once the folder is synced too. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, "r").catch(() => undefined);
  try {
    await opened?.sync();
  } catch {
    // Some file systems cannot; they store names otherwise, or not durably.
  } finally {
    await opened?.close();
  }
}

/** The message for a file of gate-sync that could not be written. */
export function createCannotWriteMessage(path: string, error: unknown): RunError {
  if (error instanceof RunError) return error;
  return new RunError("usage", {
    what: `${path === "" ? "An empty path" : path} cannot be written to.`,
    why: error instanceof Error ? error.message : String(error),
    fix: "Name another place, or make this one writable.",
  });
}

/** Works in a hidden folder of its own, so that no name collides: beside the result, as renaming works within one file system only. */
export async function withDraft<Result>(parent: string, work: (draft: string) => Promise<Result>): Promise<Result> {
  const draft = await mkdtemp(join(parent, ".gate-sync-"));
  try {
    const result = await work(draft);
    await syncFolder(parent);
    return result;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
