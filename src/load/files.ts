import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { createFileDiagnostic, type Diagnostic, getDiagnosticPath, isError } from "../diagnostics/diagnostic.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { type Boundary, refuseToFollow } from "./boundary.ts";
import { formatErrno, getErrno } from "./errno.ts";
import { isExample, isHiddenState, isOwnFile, isStateFile, warnUnreadFile } from "./file-names.ts";
import { toPrintable } from "./printable.ts";
import { getPatternBase, parseStatePattern, type StatePattern } from "./state-pattern.ts";

/** A file to read; `path` is how the user will see it named. */
export interface FoundFile {
  readonly absolute: string;
  readonly path: string;
  /** Its path without links, as it was when it was found; absent: not looked up. */
  readonly real?: string;
  /** Where it has to be once links are followed; absent: anywhere. */
  readonly within?: Boundary;
  /** A path that names this very file, and not a folder that holds it. */
  readonly isNamed?: true;
  /** It is no file, but standard input. */
  readonly isInput?: true;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Those that were looked into: a new file in one of them would be found. */
  readonly folders?: readonly SearchedFolder[];
  readonly notices?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface SearchedFolder {
  /** Without links. */
  readonly real: string;
  /** As the user will see it named. */
  readonly path: string;
  /** Whether a state file there is one of those that are looked for; its path as the user will see it. Absent: all are. */
  readonly isMeant?: (path: string) => boolean;
}

/**
 * The state files below the given paths, or that match them: those of one path in code-unit order, the paths as given. A file that is
 * reached twice, by two paths or through a symbolic link, is found once.
 *
 * @param last a file that is found as itself and after all others, also where it lies among them
 * @param within where all of it has to be; absent: anywhere
 */
export async function findStateFiles(
  paths: readonly string[],
  cwd: string,
  { last, within }: { readonly last?: string | undefined; readonly within?: Boundary | undefined } = {},
): Promise<FoundFiles> {
  const search: Search = { cwd, seen: new Set(), folders: [], diagnostics: [], notices: [], ...(within && { within }) };
  const kept = last === undefined ? [] : await filesOf(search, last);
  const files: FoundFile[] = [];
  for (const path of paths) for (const file of await filesOf(search, path)) files.push(file);
  const { folders, diagnostics, notices } = search;
  return { files: [...files, ...kept], folders, diagnostics, notices };
}

/** Relative to the user's folder, with forward slashes; a path outside that was given absolute stays absolute. */
export function formatPath(cwd: string, absolute: string, given = ""): string {
  const path = relative(cwd, absolute);
  if (isAbsolute(given) && path.startsWith("..")) return absolute;
  return path === "" ? "." : path.split(sep).join("/");
}

/** Hidden files, and folders of package managers, hold no state. */
export function isStateName(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

/** Those of the given paths of which nothing is there; of one with wildcards, the folder that it begins with. */
export async function listAbsentPaths(paths: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => stat(resolve(cwd, getPatternBase(path))).catch(() => undefined)));
  return paths.filter((_, at) => !found[at]);
}

interface Search {
  readonly cwd: string;
  readonly within?: Boundary;
  /** Real paths of files and folders that were reached already. */
  readonly seen: Set<string>;
  readonly folders: SearchedFolder[];
  readonly diagnostics: Diagnostic[];
  readonly notices: string[];
}

/** The state path of standard input. */
export const inputPath = "-";

async function filesOf(search: Search, given: string): Promise<readonly FoundFile[]> {
  if (given === inputPath) {
    // Files that it refers to are beside it: in the user's folder.
    const input = { absolute: resolve(search.cwd, "standard input"), path: "standard input" } as const;
    return once(search, { ...input, real: input.absolute, isNamed: true, isInput: true });
  }
  const pattern = parseStatePattern(given);
  return pattern ? matchingFiles(search, given, pattern) : filesBelow(search, given);
}

/** Of the files below its base those that it means, with what is wrong with them; what another path reached is left out. */
async function matchingFiles(
  search: Search,
  given: string,
  { base, matches }: StatePattern,
): Promise<readonly FoundFile[]> {
  const absolute = resolve(search.cwd, base);
  // A folder that this walk has seen is not yet read by another path: only its files that match are.
  const walk: Search = { ...search, seen: new Set(), folders: [], diagnostics: [], notices: [] };
  const all = await filesBelow(walk, base);
  const isMeant = (path: string) => matches(formatPath(absolute, resolve(search.cwd, path)));
  search.folders.push(...walk.folders.map((folder) => ({ ...folder, isMeant })));
  const meant = all.filter(({ path }) => isMeant(path));
  // What lies below a folder that cannot be read is not known.
  const problems = walk.diagnostics.filter(
    (one) => one.code !== "missing-state" && (isError(one) || isMeant(getDiagnosticPath(one))),
  );
  search.diagnostics.push(...problems);
  search.notices.push(...walk.notices);
  if (meant.length === 0 && !problems.some(isError)) search.diagnostics.push(nothingMatches(given));
  const found: FoundFile[] = [];
  for (const file of meant) found.push(...(await once(search, file)));
  return found;
}

async function filesBelow(search: Search, given: string): Promise<readonly FoundFile[]> {
  const absolute = resolve(search.cwd, given);
  const path = formatPath(search.cwd, absolute, given);
  const stats = await statOf(search, absolute, path, true);
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return await once(search, { absolute, path, isNamed: true });
  const found: FoundFile[] = [];
  const before = search.seen.size;
  const complaints = search.diagnostics.length;
  await visit(search, absolute, path, [], found);
  // A folder that another path covers already is no mistake, nor one whose problem was reported.
  const troubled = search.diagnostics.slice(complaints).some(({ severity }) => severity === "error");
  if (found.length === 0 && search.seen.size > before && !troubled) search.diagnostics.push(emptyFolder(path));
  return found.sort((a, b) => compareByCodeUnit(a.path, b.path));
}

/** @param above the real paths of the folders above */
async function visit(search: Search, folder: string, path: string, above: readonly string[], found: FoundFile[]) {
  try {
    const real = await realpath(folder);
    if (above.includes(real)) {
      search.diagnostics.push(loop(path));
      return;
    }
    if (search.seen.has(real)) return;
    search.seen.add(real);
    const refused = refuseToFollow({ ...search, absolute: folder, path }, real);
    if (refused) {
      search.diagnostics.push(refused);
      return;
    }
    const entries = await readdir(folder, { withFileTypes: true });
    search.folders.push({ real, path });
    for (const entry of entries.sort((a, b) => compareByCodeUnit(a.name, b.name))) {
      const { name } = entry;
      const file = { absolute: join(folder, name), path: path === "." ? name : `${path.replace(/\/$/, "")}/${name}` };
      if (isHiddenState(name)) search.notices.push(`${toPrintable(file.path)} is skipped: its name begins with a dot.`);
      if (!isStateName(name)) continue;
      // Only a link may lead to something else.
      const isLink = entry.isSymbolicLink();
      const stats = isLink ? await statOf(search, file.absolute, file.path, false) : entry;
      if (stats?.isDirectory()) await visit(search, file.absolute, file.path, [...above, real], found);
      else if (stats !== undefined) await take(search, isLink ? file : { ...file, real: join(real, name) }, found);
    }
  } catch (error) {
    search.diagnostics.push(unreadable(path, error));
  }
}

async function take(search: Search, file: FoundFile, found: FoundFile[]): Promise<void> {
  if (isOwnFile(file.path)) return;
  if (isStateFile(file.path)) {
    found.push(...(await once(search, file)));
    return;
  }
  if (isExample(file.path)) search.notices.push(`${toPrintable(file.path)} is skipped: it is an example.`);
  const warning = warnUnreadFile(file.path);
  if (warning) search.diagnostics.push(warning);
}

async function once(search: Search, file: FoundFile): Promise<readonly FoundFile[]> {
  // One that has gone meanwhile is complained about when it is read.
  const real = file.real ?? (await realpath(file.absolute).catch(() => file.absolute));
  if (search.seen.has(real)) return [];
  search.seen.add(real);
  return [search.within ? { ...file, within: search.within } : file];
}

/** Undefined where there is nothing to go on with; why was noted. */
async function statOf(search: Search, absolute: string, path: string, given: boolean): Promise<Stats | undefined> {
  try {
    return await stat(absolute);
  } catch (error) {
    const errno = getErrno(error);
    if (errno === "ELOOP") search.diagnostics.push(loop(path));
    else if (given && (errno === "ENOENT" || errno === "ENOTDIR")) search.diagnostics.push(missing(path));
    else if (isStateFile(path) || errno !== "ENOENT") search.diagnostics.push(unreadable(path, error));
    return undefined;
  }
}

function missing(path: string): Diagnostic {
  return createFileDiagnostic(path, "missing-state", {
    what: `There is no ${path}: no state file, no folder of them, and no plan.`,
    why: "What it was meant to hold would count as no longer declared.",
    fix: "Correct the path; if gate-sync.yaml lists it under state, take it out there.",
  });
}

function nothingMatches(pattern: string): Diagnostic {
  return createFileDiagnostic(pattern, "missing-state", {
    what: `No state file matches ${pattern}.`,
    why: "What it was meant to hold would count as no longer declared.",
    fix: "Correct the pattern: * and ? match within a name, ** any folders, {a,b} one or the other.",
  });
}

function emptyFolder(path: string): Diagnostic {
  return createFileDiagnostic(path, "missing-state", {
    what: `The folder ${path} holds no state file (.yml, .yaml or .json).`,
    why: "What it was meant to hold would count as no longer declared.",
    fix: "Correct the path, or remove it from state.",
  });
}

function loop(path: string): Diagnostic {
  return createFileDiagnostic(path, "symlink-loop", {
    what: `Through a symbolic link, ${path} leads back to itself or to a folder that holds it.`,
    why: "Following it would never end.",
    fix: "Remove the link, or point it at a folder that does not hold it.",
  });
}

function unreadable(path: string, error: unknown): Diagnostic {
  return createFileDiagnostic(path, "unreadable-file", {
    what: `${path} cannot be read: ${formatErrno(error)}.`,
    why: "What it declares is unknown, so the run stops.",
    fix: "Make it readable, or move it out of the state folder.",
  });
}
