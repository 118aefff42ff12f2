import { dirname, join, posix, relative, sep } from "node:path";
import { createFileDiagnostic, type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { isOwnFile, isStateFile } from "./file-names.ts";
import { type FoundFile, isStateName } from "./files.ts";
import type { Git, GitAnswer } from "./git.ts";
import { type Commit, type Entry, isCircle, isDangling, listEntries, locateIn, openSubmodule } from "./links-then.ts";
import { createFileSource, createUnreadableDiagnostic, type FileSource, type ReadFiles } from "./read.ts";
import type { StatePattern } from "./state-pattern.ts";

/** A state path of today, and the same path from the top of a repository; the top itself is "". */
export interface StatePath {
  readonly absolute: string;
  readonly path: string;
  readonly inside: string;
  /** Of a pattern: whether a file below is meant. */
  readonly matches?: StatePattern["matches"];
}

/**
 * The state files of a commit, found and ordered as those of the work tree are. A path that the commit does not have
 * declares nothing there: it is newer.
 */
export function listStateIn(git: Git, commit: Commit, places: readonly StatePath[]): FileSource {
  const objects = new Map<FoundFile, Entry>();
  return {
    find: async () => {
      const seen = new Set<string>();
      const diagnostics: Diagnostic[] = [];
      const followed = follower(git, commit, diagnostics);
      for (const place of places) {
        const found: [FoundFile, Entry][] = [];
        const reached = [...followed(place.inside, [])];
        // As a folder is walked: by which of several ways a file is reached first.
        const key = ({ path }: Reached) => path.replaceAll("/", "\0");
        for (const { path, entry } of reached.sort((a, b) => compareByCodeUnit(key(a), key(b)))) {
          const below = path === place.inside ? "" : place.inside === "" ? path : path.slice(place.inside.length + 1);
          if (seen.has(entry.path) || (below !== "" && !isState(below))) continue;
          if (place.matches && !place.matches(below)) continue;
          seen.add(entry.path);
          found.push([fileAt(place, below), entry]);
        }
        for (const [file, entry] of found.sort(([a], [b]) => compareByCodeUnit(a.path, b.path)))
          objects.set(file, entry);
      }
      return { files: [...objects.keys()], diagnostics: sortDiagnostics(diagnostics) };
    },
    read: async (file) => {
      const entry = objects.get(file);
      const answer = entry ? readEntry(git, entry) : { ok: false as const, reported: "" };
      return answer.ok
        ? createFileSource(file.path, answer.bytes)
        : { problem: createUnreadableDiagnostic(file.path, answer.reported) };
    },
    readItems: async (absolute, state) => {
      const inside = getPathInside(places, absolute);
      const path = posix.join(posix.dirname(state.path), relative(dirname(state.absolute), absolute));
      const read = inside === undefined ? undefined : readFileIn(git, commit, inside, path);
      return read ?? { problem: createMissingDiagnostic(path, commit.ref, "A state file") };
    },
    // One that git does not keep, or did not yet, is read as it is today: so are the values of all secrets.
    beside: (absolute) => {
      const inside = getPathInside(places, absolute);
      const { entry } = inside === undefined ? {} : locateIn(git, commit, inside);
      const answer = entry && readEntry(git, entry);
      return answer?.ok ? answer.bytes.toString("utf8") : undefined;
    },
  };
}

/** A file of a commit by its path from the top of the repository; undefined where there was none. */
export function readFileIn(git: Git, commit: Commit, inside: string, path: string): ReadFiles | undefined {
  const { entry, why } = locateIn(git, commit, inside);
  if (entry === undefined)
    return why === undefined ? undefined : { problem: createUnreadableDiagnostic(path, `at ${commit.ref} ${why}`) };
  const answer = readEntry(git, entry);
  if (answer.ok) return createFileSource(path, answer.bytes);
  return { problem: createUnreadableDiagnostic(path, `at ${commit.ref} it is no file`) };
}

/** @param by what names it */
export function createMissingDiagnostic(path: string, ref: string, by: string): Diagnostic {
  return createFileDiagnostic(path, "unreadable-file", {
    what: `There is no file ${path} at ${ref}.`,
    why: `${by} of then names it; what it held is unknown.`,
  });
}

/** A file of today from the top of the repository; undefined where it lies outside. */
export function getPathInside(places: readonly StatePath[], file: string): string | undefined {
  const place = places.find(({ absolute }) => file.startsWith(`${absolute}${sep}`)) ?? places[0];
  if (place === undefined) return undefined;
  const inside = posix.join(place.inside, relative(place.absolute, file).split(sep).join("/"));
  return posix.isAbsolute(inside) || /^\.\.(\/|$)/.test(inside) ? undefined : inside;
}

function fileAt({ absolute, path }: StatePath, below: string): FoundFile {
  if (below === "") return { absolute, path };
  return { absolute: join(absolute, below), path: path === "." ? below : `${path.replace(/\/$/, "")}/${below}` };
}

/** @param below from the state path down */
function isState(below: string): boolean {
  return isVisible(below) && !isOwnFile(below) && isStateFile(below);
}

function isVisible(below: string): boolean {
  return below.split("/").every(isStateName);
}

function readEntry(git: Git, { root, object }: Entry): GitAnswer {
  return git.askNow(root, ["cat-file", "blob", object]);
}

/** What a path leads to, by the path under which it is reached and by where it lies. */
interface Reached {
  readonly path: string;
  readonly entry: Entry;
}

/** Gives the files of a path with links followed, as long as they stay in the repository. */
function follower(git: Git, commit: Commit, diagnostics: Diagnostic[]) {
  /** @param above where the links above led */
  const follow = (path: string, above: readonly string[]): readonly Reached[] => {
    const { entry: top, why } = locateIn(git, commit, path);
    const cause = top && above.includes(top.path) ? isCircle : why;
    if (cause !== undefined && (isStateFile(path) || (cause !== isDangling && posix.extname(path) === "")))
      diagnostics.push(createUnreadableDiagnostic(path, `at ${commit.ref} ${cause}`));
    if (top === undefined || cause !== undefined) return [];
    const found = top.kind === "file" ? [{ path: top.path, entry: top }] : list(top, top.path, [top.path, ...above]);
    return found.map(({ path: below, entry }) => ({ path: posix.join(path, below.slice(top.path.length)), entry }));
  };
  const list = (folder: Entry, start: string, above: readonly string[]): readonly Reached[] =>
    listEntries(git, folder).flatMap((entry) => {
      const { kind, path } = entry;
      if (kind === "file") return [{ path, entry }];
      if (!isVisible(posix.relative(`/${start}`, `/${path}`))) return [];
      return kind === "link" ? follow(path, above) : list(openSubmodule(git, commit, entry), start, above);
    });
  return follow;
}
