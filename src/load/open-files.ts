import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memoiseByObject } from "../json/memoise.ts";
import { isWithin, refuseToFollow } from "./boundary.ts";
import { configNames } from "./config-file.ts";
import type { FoundFile } from "./files.ts";
import { createFileSource, type ReadFiles, readSource } from "./read.ts";
import { createSharedFiles, type SharedFiles } from "./shared-files.ts";
import { parseDocuments } from "./yaml.ts";

/** Files as an editor has them: texts that are not saved count before what is on disk, and each is parsed once. */
export interface OpenFiles {
  /** @param text absent: what is on disk counts again */
  readonly setText: (absolute: string, text: string | undefined) => Promise<void>;
  /** For one look at all files of a folder. */
  readonly share: (folder: string) => SharedFiles;
}

interface KnownFile {
  /** The text of the editor, or what changes when the file on disk does. */
  readonly of: string;
  readonly read: ReadFiles;
}

export function createOpenFiles(): OpenFiles {
  const texts = new Map<string, string>();
  const known = new Map<string, KnownFile>();
  const parse = memoiseByObject(parseDocuments);
  const readFile = async (place: FoundFile): Promise<ReadFiles> => {
    const real = place.real ?? (await locate(place.absolute));
    const text = texts.get(real);
    const refused = text === undefined ? undefined : refuseToFollow(place, real);
    if (refused) return { problem: refused };
    const of = text ?? (await stampOf(real));
    const key = `${place.path}\0${real}`;
    const before = known.get(key);
    if (before && before.of === of) return before.read;
    const read = text === undefined ? await readSource(place) : createFileSource(place.path, Buffer.from(text));
    if (of !== undefined) known.set(key, { of, read });
    return read;
  };
  return {
    setText: async (absolute, text) => {
      const real = await locate(absolute);
      if (text === undefined) texts.delete(real);
      else texts.set(real, text);
    },
    share: (folder) => createSharedFiles(folder, undefined, { readFile, parse }),
  };
}

async function locate(absolute: string): Promise<string> {
  return await realpath(absolute).catch(() => absolute);
}

/** In nanoseconds: two edits may be within a millisecond. */
async function stampOf(real: string): Promise<string | undefined> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(real, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(" ");
  } catch {
    return undefined;
  }
}

/**
 * The nearest folder above a file that has a gate-sync.yaml.
 *
 * @param within folders that the search does not leave
 */
export function findConfigFolder(file: string, within: readonly string[]): string | undefined {
  for (let folder = dirname(file); isWithin(within, folder); folder = dirname(folder)) {
    if (configNames.some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}
