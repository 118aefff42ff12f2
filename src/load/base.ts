import { existsSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { locateReal } from "./boundary.ts";
import { locateStatePath, resolveCommit } from "./commit.ts";
import { configNames, locateConfigFile } from "./config-file.ts";
import { formatPath, inputPath } from "./files.ts";
import { type Git, getPathBelow } from "./git.ts";
import { createNoHistoryMessage, type GitQuestion } from "./git-messages.ts";
import { createFileSource, type FileSource, type ReadFiles } from "./read.ts";
import { parseStatePattern } from "./state-pattern.ts";
import { getPathInside, listFiles, listStateIn, type StatePath } from "./tree.ts";

/** gate-sync.yaml and state files as they were at a commit. */
export interface Base {
  /** The whole hash. */
  readonly hash: string;
  /** Whether there is a gate-sync.yaml today. */
  readonly hasConfig: boolean;
  /** gate-sync.yaml of then; absent where there was none, or none that is text. */
  readonly config?: SourceFile;
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
  const top = await locateStatePath(git, directory, cwd, asking);
  const hash = await resolveCommit(git, ref, top.root, asking);
  const names = configPath === undefined ? configNames : [posix.basename(configPath)];
  const create = async ({ absolute, inside }: Pick<StatePath, "absolute" | "inside">): Promise<Base> => {
    const place = { ...top, absolute, inside };
    const config = await configOf(git, { ...place, hash }, names, (name) => formatPath(cwd, resolve(absolute, name)));
    const below = (from: string) => (paths: readonly string[]) =>
      listStateIn(
        git,
        { root: top.root, hash, ref },
        paths.flatMap((path) => {
          if (path === inputPath) throw createNoHistoryMessage(asking);
          return statePath(place, from, path);
        }),
      );
    return {
      hash,
      hasConfig: today !== undefined,
      ...(config && { config }),
      read: async (path) => {
        // As state files are found, so that links are followed.
        const source = below(absolute)([path]);
        const { files } = await source.find();
        const file = files.find((one) => one.absolute === resolve(absolute, path));
        return file ? source.read(file) : { problem: createMissingDiagnostic(path, ref) };
      },
      absolute: (path) => resolve(absolute, path),
      state: below(absolute),
      named: below(cwd),
      moved: async () => {
        const files = await listFiles(git, { root: top.root, hash, ref }, "");
        const gone = files.filter(({ path }) => names.includes(posix.basename(path)) && !isThere(join(top.root, path)));
        const folders = gone.map(({ path }) => posix.dirname(path).replace(/^\.$/, ""));
        return Promise.all(folders.map((folder) => create({ absolute: join(top.root, folder), inside: folder })));
      },
    };
  };
  // A link on the way may be newer than the commit: the path as it is written goes first.
  const written = getWrittenPath(top.root, directory) ?? top.inside;
  const base = await create({ absolute: directory, inside: written });
  return base.config || written === top.inside ? base : create({ absolute: directory, inside: top.inside });
}

function getWrittenPath(root: string, directory: string): string | undefined {
  for (let above = directory; above !== dirname(above); above = dirname(above))
    if (locateReal(above) === root) return getPathBelow(above, directory);
  return undefined;
}

/** Without a link on its way. */
function isThere(path: string): boolean {
  return existsSync(path) && locateReal(path) === path;
}

async function configOf(
  git: Git,
  { root, inside, hash }: { readonly root: string; readonly inside: string; readonly hash: string },
  names: readonly string[],
  show: (name: string) => string,
): Promise<SourceFile | undefined> {
  for (const name of names) {
    const answer = await git.ask(root, ["cat-file", "blob", `${hash}:${posix.join(inside, name)}`]);
    if (answer.ok) return createFileSource(show(name), answer.bytes).file;
  }
  return undefined;
}

function createMissingDiagnostic(path: string, ref: string): Diagnostic {
  return createFileDiagnostic(path, "unreadable-file", {
    what: `There is no file ${path} at ${ref}.`,
    why: "gate-sync.yaml of then names it; the variables that it defined are unknown.",
  });
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
