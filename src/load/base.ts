import { existsSync, readdirSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { locateReal } from "./boundary.ts";
import { isBeyondHead, locateThen, resolveCommit } from "./commit.ts";
import { configNames, locateConfigFile } from "./config-file.ts";
import { formatPath, inputPath } from "./files.ts";
import type { Git } from "./git.ts";
import { createNoHistoryMessage, type GitQuestion } from "./git-messages.ts";
import { type Commit, type Entry, listEntries, openSubmodule } from "./links-then.ts";
import type { FileSource, ReadFiles } from "./read.ts";
import { parseStatePattern } from "./state-pattern.ts";
import { createMissingDiagnostic, getPathInside, listStateIn, readFileIn, type StatePath } from "./tree.ts";

/** gate-sync.yaml and state files as they were at a commit. */
export interface Base {
  /** The whole hash. */
  readonly hash: string;
  /** Whether HEAD is known to lack it, or some commit before it. */
  readonly isBeyondHead: () => Promise<boolean>;
  /** Whether there is a gate-sync.yaml today. */
  readonly hasConfig: boolean;
  /** gate-sync.yaml of then, or why it cannot be read; absent where there was none. */
  readonly config?: ReadFiles;
  /** A file of then by its path relative to gate-sync.yaml. */
  readonly read: (path: string) => Promise<ReadFiles>;
  /** A path that is relative to gate-sync.yaml. */
  readonly absolute: (path: string) => string;
  /** The state files below these paths, which are relative to gate-sync.yaml and need not exist today. */
  readonly state: (paths: readonly string[]) => FileSource;
  /** State files by paths relative to the user's folder. */
  readonly named: (paths: readonly string[]) => FileSource;
  /** The same with each gate-sync.yaml of then that is there no more, or is reached through a link now. */
  readonly moved: () => Promise<readonly Base[]>;
}

/**
 * @param ref anything that git understands as one commit
 * @param asking which flag named it, for messages
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function openBase(
  git: Git,
  ref: string,
  { cwd, configPath }: { readonly cwd: string; readonly configPath?: string | undefined },
  asking: GitQuestion,
): Promise<Base> {
  const today = locateConfigFile(cwd, configPath);
  const directory = today ? dirname(today.absolute) : cwd;
  const top = await locateThen(git, ref, { path: directory, cwd }, asking);
  const commit = await resolveCommit(git, ref, top, asking);
  const { root, hash } = commit;
  const names = configPath === undefined ? configNames : [posix.basename(configPath)];
  const create = async ({ absolute, inside }: Pick<StatePath, "absolute" | "inside">): Promise<Base> => {
    const place = { ...top, absolute, inside };
    const readAt = (path: string) => {
      const below = getPathInside([place], resolve(absolute, path));
      return below === undefined
        ? undefined
        : readFileIn(git, commit, below, formatPath(cwd, resolve(absolute, path), path));
    };
    const config = names.reduce<ReadFiles | undefined>((found, name) => found ?? readAt(name), undefined);
    const below = (from: string) => (paths: readonly string[]) =>
      listStateIn(
        git,
        commit,
        paths.flatMap((path) => {
          if (path === inputPath) throw createNoHistoryMessage(asking);
          return statePath(place, from, path);
        }),
      );
    return {
      hash,
      isBeyondHead: () => isBeyondHead(git, commit),
      hasConfig: today !== undefined,
      ...(config && { config }),
      read: async (path) => readAt(path) ?? { problem: createMissingDiagnostic(path, ref, "gate-sync.yaml") },
      absolute: (path) => resolve(absolute, path),
      state: below(absolute),
      named: below(cwd),
      moved: async () => {
        const files = listFiles(git, commit, { kind: "folder", object: hash, path: "", root });
        const gone = files.filter(
          ({ path, kind }) => names.includes(posix.basename(path)) && !isThere(join(root, path), kind === "link"),
        );
        const folders = gone.map(({ path }) => posix.dirname(path).replace(/^\.$/, ""));
        return Promise.all(folders.map((folder) => create({ absolute: join(root, folder), inside: folder })));
      },
    };
  };
  let base = await create({ absolute: directory, inside: top.insides[0] ?? top.inside });
  for (const inside of top.insides.slice(1)) if (!base.config) base = await create({ absolute: directory, inside });
  return base;
}

/** With those of submodules. One that is not checked out was none that a run read. */
function listFiles(git: Git, commit: Commit, folder: Entry): readonly Entry[] {
  const head: Entry = { kind: "folder", object: "HEAD", path: "", root: commit.root };
  const isMissing = ({ path }: Entry) => {
    const absolute = join(commit.root, path);
    // A sparse checkout has not even its folder.
    if (!existsSync(absolute)) return listEntries(git, head, path)[0]?.kind === "submodule";
    return locateReal(absolute) === absolute && readdirSync(absolute).length === 0;
  };
  return listEntries(git, folder).flatMap((entry) => {
    if (entry.kind !== "submodule") return [entry];
    return isMissing(entry) ? [] : listFiles(git, commit, openSubmodule(git, commit, entry));
  });
}

/** Without a link on its way that was none. */
function isThere(path: string, wasLink: boolean): boolean {
  const fixed = wasLink ? dirname(path) : path;
  return existsSync(path) && locateReal(fixed) === fixed;
}

/** What leads out of the repository is no part of a commit. */
function statePath(top: StatePath, from: string, given: string): readonly StatePath[] {
  const pattern = parseStatePattern(given);
  const path = pattern?.base ?? given;
  const absolute = resolve(from, path);
  const inside = getPathInside([top], absolute);
  if (inside === undefined) return [];
  return [
    {
      absolute,
      path: join(path),
      inside: inside === "." ? "" : inside.replace(/\/$/, ""),
      ...(pattern && { matches: pattern.matches }),
    },
  ];
}
