// Which files several targets read: what is written into one of these is written for all of them.
import { join, resolve } from "node:path";
import { createBoundary } from "../../load/boundary.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { createConfigReader } from "../../load/configured-file.ts";
import { findStateFiles, inputPath } from "../../load/files.ts";
import { isFolder, locateRealFile } from "../../load/read.ts";
import { getPatternBase, parseStatePattern } from "../../load/state-pattern.ts";
import { listStatePaths, readSettings } from "../../load/target.ts";
import type { Target } from "../../model/target.ts";
import { findConfig, openSettings } from "../open.ts";
import type { RunRequest } from "../request.ts";

export interface FileUse {
  /** Of a file of the target, by its absolute path: the names of other targets that read it. */
  readonly othersOf: (absolute: string) => readonly string[];
  /** A state folder of the target of which no other target reads anything; absolute. */
  readonly ownFolder?: string;
  /** Whether a new file there would be read; absolute. */
  readonly isRead: (absolute: string) => boolean;
}

/**
 * @param files of the target, absolute
 * @throws RunError where what another target reads cannot be known
 */
export async function findFileUse(request: RunRequest, target: Target, files: Iterable<string>): Promise<FileUse> {
  const { cwd, configPath, env, flags } = request;
  const { found } = await findConfig(request);
  const users = new Map<string, string[]>();
  const otherPaths: string[] = [];
  if (found) {
    const read = createConfigReader(found.root, cwd);
    for (const name of listTargets(found.root).filter((one) => one !== target.name)) {
      const { root, settings } = await openSettings(found.root, name, read);
      const { own, directory } = readSettings({ config: { root, settings }, flags, env, cwd, secrets: "leave" });
      const paths = listStatePaths({ statePaths: [] }, own.state ?? [], cwd, directory);
      const reached = await findStateFiles(
        paths.filter((path) => path !== inputPath),
        cwd,
        { within: createBoundary(cwd, configPath, []) },
      );
      otherPaths.push(...paths.map((path) => resolve(cwd, getPatternBase(path))));
      for (const file of reached.files) {
        const real = file.real ?? (await locateRealFile(file.absolute));
        users.set(real, [...(users.get(real) ?? []), name]);
      }
    }
  }
  // By one name or another, it is the same file.
  const reals = new Map<string, string>();
  for (const file of files) reals.set(file, await locateRealFile(file).catch(() => file));
  const folders: string[] = [];
  for (const path of target.state) {
    if (path === inputPath || parseStatePattern(path)) continue;
    const folder = resolve(cwd, path);
    if (await isFolder(folder)) folders.push(folder);
  }
  const isApart = (folder: string) =>
    otherPaths.every((other) => !isBelow(other, folder) && !isBelow(folder, other) && other !== folder);
  const ownFolder = folders.findLast(isApart);
  return {
    othersOf: (absolute) => users.get(reals.get(absolute) ?? absolute) ?? [],
    ...(ownFolder !== undefined && { ownFolder }),
    isRead: (absolute) => folders.some((folder) => isBelow(absolute, folder)),
  };
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(join(folder, "/"));
}
