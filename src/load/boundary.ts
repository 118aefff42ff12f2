import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { getPatternBase } from "./state-pattern.ts";

/** The real paths in which a file has to be; a link that leads out of all of them is not followed. */
export type Boundary = readonly string[];

/**
 * The root of the git work tree that a folder is in: the nearest folder above, by real paths, that has `.git`, be it a
 * folder or a file. Git itself also takes a folder for a repository that has only what every branch may bring.
 */
export function findRepository(folder: string): string | undefined {
  for (let above = realOf(folder); ; above = dirname(above)) {
    if (existsSync(join(above, ".git"))) return above;
    if (above === dirname(above)) return undefined;
  }
}

/**
 * The repository, else the folder itself.
 *
 * @param folder absolute: of gate-sync.yaml, or the current one
 */
export function findRepositoryAround(folder: string): Boundary {
  return [findRepository(folder) ?? realOf(folder)];
}

/**
 * The same for a run, and what its command line names: that is the user's own decision.
 *
 * @param configPath `--config`
 * @param named relative to `cwd`
 */
export function createBoundary(cwd: string, configPath: string | undefined, named: readonly string[]): Boundary {
  const folder = configPath === undefined ? cwd : dirname(resolve(cwd, configPath));
  return [...findRepositoryAround(folder), ...named.map((path) => realOf(resolve(cwd, getPatternBase(path))))];
}

/** A folder alone. */
export function createFolderBoundary(folder: string): Boundary {
  return [realOf(folder)];
}

/** @param real as `realpath` gives it */
export function isWithin(boundary: Boundary, real: string): boolean {
  return boundary.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
}

/**
 * Whether a path begins in one of the folders, and a link on it leads out of all of them. A path that is written to lead
 * elsewhere is its writer's own decision: who reads the setting sees it.
 *
 * @param absolute without `..`
 */
export function leavesByLink(boundary: Boundary, absolute: string): boolean {
  // What is not there, reading it says.
  if (!existsSync(absolute) || isWithin(boundary, realOf(absolute))) return false;
  for (let above = dirname(absolute); ; above = dirname(above)) {
    if (boundary.includes(realOf(above))) return true;
    if (above === dirname(above)) return false;
  }
}

/** The files that what a branch may bring can have read: those of repositories, and those that `secret_files` names. */
export interface Readable {
  /** Of these none with a name that begins with a dot: that is where git, and programs with logins, keep theirs. */
  readonly within: Boundary;
  /** Without links. */
  readonly secretFiles: Boundary;
  /** Where the paths of gate-sync.yaml begin. */
  readonly directory: string;
}

/** @param secretFiles absolute; none behind a link of a repository, as a branch may bring it */
export function createReadable(
  cwd: string,
  configPath: string | undefined,
  secretFiles: readonly string[] = [],
): Readable {
  const directory = configPath === undefined ? cwd : dirname(resolve(cwd, configPath));
  const within = findRepositoryAround(directory);
  return {
    directory,
    within,
    secretFiles: secretFiles.filter((path) => !isReachedByLinkOfRepository(path)).map(realOf),
  };
}

/** Wherever a repository has it: of gate-sync.yaml, or of other state files. */
function isReachedByLinkOfRepository(absolute: string): boolean {
  return listFoldersOfLinks(absolute).some((folder) => findRepository(folder) !== undefined);
}

/** Whether a branch can bring neither a file nor a link on the way to it. */
export function isOutOfReach(absolute: string, within: Boundary): boolean {
  const folders = [...listFoldersOfLinks(absolute), dirname(locateReal(absolute))];
  return folders.every((folder) => !isWithin(within, folder) && findRepository(folder) === undefined);
}

/** Where the links on the way to a file are, without links: one name after the other, as the system follows them. */
function listFoldersOfLinks(absolute: string): readonly string[] {
  const folders: string[] = [];
  const { root } = parse(absolute);
  let at = root;
  const names = absolute.slice(root.length).split(sep);
  // More lead to no file: they are in a circle.
  while (names.length > 0 && folders.length <= 40) {
    const path = resolve(at, names.shift() ?? "");
    if (isLink(path)) {
      folders.push(at);
      const to = readlinkSync(path);
      names.unshift(...to.split(sep));
      if (isAbsolute(to)) at = root;
    } else at = path;
  }
  return folders;
}

/** What cannot be looked at cannot be read either. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The same for one file, which may be in a repository of its own, or in none. */
export function addOwnRepository(readable: Readable, absolute: string): Readable {
  return { ...readable, within: [...readable.within, ...findRepositoryAround(dirname(realOf(absolute)))] };
}

/** @param real as `realpath` gives it */
export function mayBeRead(real: string, { within, secretFiles }: Readable): boolean {
  return isWithin(secretFiles, real) || within.some((root) => isWithin([root], real) && !isHiddenBelow(root, real));
}

/** A whole machine is no repository. */
function isHiddenBelow(root: string, real: string): boolean {
  return (
    root === dirname(root) ||
    relative(root, real)
      .split(sep)
      .some((name) => name.startsWith("."))
  );
}

/** The path without links also where it, or a folder above it, is not there. */
export function locateReal(absolute: string): string {
  const real = realOf(absolute);
  return real !== absolute || existsSync(absolute) || absolute === dirname(absolute)
    ? real
    : join(locateReal(dirname(absolute)), basename(absolute));
}

/** What looks like a file there is what the kernel says of itself and of processes: environments, and memory. */
export function isOfTheKernel(real: string): boolean {
  return /^\/(proc|sys)(\/|$)/.test(real);
}

/**
 * What is wrong where a path leads out of the repository, or into what git or a program with a login keeps there: nothing of
 * that is shown. A name that begins with a dot is followed where the path itself has it, and to gate-sync.yaml.
 *
 * @param absolute as it was written
 * @param real as `realpath` gives it
 */
export function refuseToFollow(
  { absolute, path, within }: { readonly absolute: string; readonly path: string; readonly within?: Boundary },
  real: string,
): Diagnostic | undefined {
  const roots = within?.filter((root) => isWithin([root], real));
  if (roots?.length === 0) return refuseOutside(path);
  return !roots || roots.some((root) => !isHiddenByLink(root, real, absolute)) ? undefined : refuseHidden(path);
}

function isHiddenByLink(root: string, real: string, absolute: string): boolean {
  const isOwn = /^\.?gate-sync\.ya?ml$/.test(basename(real));
  const names = relative(root, real).split(sep);
  return names.some((name, at) => {
    // A volume of Kubernetes has names with two dots.
    if (!/^\.[^.]/.test(name)) return false;
    // Whatever its case: on some systems it is that folder all the same.
    return name.toLowerCase() === ".git" || (!isOwn && !isWritten(join(root, ...names.slice(0, at + 1)), absolute));
  });
}

/** Whether the path has the name of that file or folder, and no link in its place. */
function isWritten(real: string, absolute: string): boolean {
  const above = dirname(absolute);
  if (above === absolute) return false;
  return (basename(absolute) === basename(real) && realOf(above) === dirname(real)) || isWritten(real, above);
}

const whyNoFile =
  "Who may change the repository could show files of this machine in the plan, or write them to the cluster.";

function refuseOutside(path: string): Diagnostic {
  return createFileDiagnostic(path, "outside-repository", {
    what: `${path} leads out of the repository, and is not read.`,
    why: whyNoFile,
    fix: "Put a copy of the file in the repository. A file elsewhere is read where the command line names it.",
  });
}

function refuseHidden(path: string): Diagnostic {
  return createFileDiagnostic(path, "outside-repository", {
    what: `${path} leads to a file of git, or to one with a name on its path that begins with a dot, and is not read.`,
    why: whyNoFile,
    fix: "Give what it leads to a name without that dot, or write the path of the file itself instead of the link.",
  });
}

/** The path without links; as it was given where nothing is there, as reading it says so. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
