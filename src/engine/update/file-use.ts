// Which files several targets read: what is written into one of these is written for all of them.
import { join, resolve } from "node:path";
import { inputPath } from "../../load/files.ts";
import { isFoundIn, locateNewFile } from "../../load/new-file.ts";
import { isFolder, locateRealFile } from "../../load/read.ts";
import { parseStatePattern } from "../../load/state-pattern.ts";
import type { Target } from "../../model/target.ts";
import type { RunRequest } from "../request.ts";
import { searchState, searchTargets } from "../target-files.ts";

export interface FileUse {
  /** Of a file of the target, or a new one, by its absolute path: the names of other targets that read it, or would. */
  readonly othersOf: (absolute: string) => readonly string[];
  /** A state folder of the target in which no other target would read a new file; absolute. */
  readonly ownFolder?: string;
  /** Whether the new file would be read. */
  readonly isRead: boolean;
}

/**
 * @param files of the target, absolute
 * @param added a file that may not be there yet, absolute
 * @throws RunError where what another target reads cannot be known
 */
export async function findFileUse(
  request: RunRequest,
  target: Target,
  files: Iterable<string>,
  added: string | undefined,
): Promise<FileUse> {
  const { cwd, flags } = request;
  const others = await searchTargets(request, (name) => name !== target.name);
  const users = new Map<string, string[]>();
  for (const { name, found } of others) {
    for (const file of found.files) {
      const real = file.real ?? (await locateRealFile(file.absolute));
      users.set(real, [...(users.get(real) ?? []), name]);
    }
  }
  // By one name or another, it is the same file.
  const reals = new Map<string, string>();
  for (const file of files) reals.set(file, await locateRealFile(file).catch(() => file));
  const own = await searchState(request, target.state, flags.statePaths);
  const readersOfNew = async (absolute: string): Promise<readonly string[]> => {
    const place = await locateNewFile(absolute);
    return others.flatMap(({ name, found, paths }) =>
      isFoundIn(found, place) || paths.some((path) => resolve(cwd, path) === absolute) ? [name] : [],
    );
  };
  const readersOfAdded = added === undefined ? [] : await readersOfNew(added);
  const ownFolder = await findOwnFolder(target.state, cwd, readersOfNew);
  return {
    othersOf: (absolute) => {
      const real = reals.get(absolute);
      if (real !== undefined) return users.get(real) ?? [];
      return absolute === added ? readersOfAdded : [];
    },
    ...(ownFolder !== undefined && { ownFolder }),
    isRead: added !== undefined && isFoundIn(own, await locateNewFile(added)),
  };
}

/** The last that is named. */
async function findOwnFolder(
  state: readonly string[],
  cwd: string,
  findReaders: (absolute: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  for (const path of state.toReversed()) {
    if (path === inputPath || parseStatePattern(path)) continue;
    const folder = resolve(cwd, path);
    if ((await isFolder(folder)) && (await findReaders(join(folder, "overrides.yml"))).length === 0) return folder;
  }
  return undefined;
}
