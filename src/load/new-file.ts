// Whether a state file that is not there yet would be read.
import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isOwnFile, isStateFile } from "./file-names.ts";
import { type FoundFiles, isStateName } from "./files.ts";

export interface FileToAdd {
  /** The nearest folder above that is there; without links. */
  readonly folder: string;
  /** The names below it, that of the file last. */
  readonly below: readonly string[];
}

/** @param absolute of a file that is not there */
export async function locateNewFile(absolute: string): Promise<FileToAdd> {
  const below: string[] = [];
  for (let path = absolute; ; path = dirname(path)) {
    below.unshift(basename(path));
    const folder = await realpath(dirname(path)).catch(() => undefined);
    if (folder !== undefined || dirname(path) === path) return { folder: folder ?? path, below };
  }
}

/** Whether a search that was made would find it as well. */
export function isFoundIn({ folders = [] }: Pick<FoundFiles, "folders">, { folder, below }: FileToAdd): boolean {
  const rest = below.join("/");
  if (!below.every(isStateName) || !isStateFile(rest) || isOwnFile(rest)) return false;
  return folders.some(({ real, path, isMeant }) => real === folder && (isMeant?.(`${path}/${rest}`) ?? true));
}
