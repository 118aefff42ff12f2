import { dirname, join, posix, relative, sep } from "node:path";
import { createFileDiagnostic, type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { isOwnFile, isStateFile } from "./file-names.ts";
import { type FoundFile, isStateName } from "./files.ts";
import { type Git, getPathspec } from "./git.ts";
import { createSubmoduleMessage, failGit } from "./git-messages.ts";
import { createFileSource, createUnreadableDiagnostic, type FileSource } from "./read.ts";
import type { StatePattern } from "./state-pattern.ts";

/** A state path of today, and the same path from the top of its repository; the top itself is "". */
export interface StatePath {
  readonly absolute: string;
  readonly path: string;
  readonly inside: string;
  /** Of a pattern: whether a file below is meant. */
  readonly matches?: StatePattern["matches"];
}

/** A commit by its whole hash; `ref` is how the user called it. */
export interface Commit {
  readonly root: string;
  readonly hash: string;
  readonly ref: string;
}

/** One line of `git ls-tree`; `path` from the top of the repository. */
interface Entry {
  readonly kind: "file" | "link" | "submodule";
  readonly object: string;
  readonly path: string;
}

/**
 * The state files of a commit, found and ordered as those of the work tree are. A path that the commit does not have
 * declares nothing there: it is newer.
 */
export function listStateIn(git: Git, commit: Commit, places: readonly StatePath[]): FileSource {
  const objects = new Map<FoundFile, string>();
  return {
    find: async () => {
      const seen = new Set<string>();
      const diagnostics: Diagnostic[] = [];
      const followed = follower(git, commit, diagnostics);
      for (const place of places) {
        const found: [FoundFile, string][] = [];
        for (const { path, entry } of await followed(place.inside, [])) {
          const below = path === place.inside ? "" : place.inside === "" ? path : path.slice(place.inside.length + 1);
          if (seen.has(entry.path) || (below !== "" && !isState(below))) continue;
          if (place.matches && !place.matches(below)) continue;
          seen.add(entry.path);
          found.push([fileAt(place, below), entry.object]);
        }
        for (const [file, object] of found.sort(([a], [b]) => compareByCodeUnit(a.path, b.path)))
          objects.set(file, object);
      }
      return { files: [...objects.keys()], diagnostics: sortDiagnostics(diagnostics) };
    },
    read: async (file) => {
      const answer = await git.ask(commit.root, ["cat-file", "blob", objects.get(file) ?? ""]);
      return answer.ok
        ? createFileSource(file.path, answer.bytes)
        : { problem: createUnreadableDiagnostic(file.path, answer.reported) };
    },
    readItems: async (absolute, state) => {
      const inside = getPathInside(places, absolute);
      const path = posix.join(posix.dirname(state.path), relative(dirname(state.absolute), absolute));
      const source = inside === undefined ? undefined : listStateIn(git, commit, [{ absolute, path, inside }]);
      const [file] = (await source?.find())?.files ?? [];
      return source && file ? source.read(file) : { problem: createMissingItemsMessage(path, commit.ref) };
    },
    // One that git does not keep, or did not yet, is read as it is today: so are the values of all secrets.
    beside: (absolute) => {
      const inside = getPathInside(places, absolute);
      const object = inside === undefined ? undefined : `${commit.hash}:${inside}`;
      const answer = object === undefined ? undefined : git.askNow(commit.root, ["cat-file", "blob", object]);
      return answer?.ok ? answer.bytes.toString("utf8") : undefined;
    },
  };
}

function createMissingItemsMessage(path: string, ref: string): Diagnostic {
  return createFileDiagnostic(path, "unreadable-file", {
    what: `There is no file ${path} at ${ref}.`,
    why: "A state file of then names it; what it generated is unknown.",
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
  return below.split("/").every(isStateName) && !isOwnFile(below) && isStateFile(below);
}

/** The file of a path, or all files below it. */
export async function listFiles(git: Git, { root, hash }: Commit, path: string): Promise<readonly Entry[]> {
  const below = path === "" ? [] : ["--", getPathspec(path)];
  const answer = await git.ask(root, ["ls-tree", "-r", "-z", "--full-tree", hash, ...below]);
  if (!answer.ok) throw failGit(answer.reported);
  return answer.bytes.toString("utf8").split("\0").flatMap(entryOf);
}

function entryOf(line: string): readonly Entry[] {
  const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
  if (mode === undefined || object === undefined || path === undefined) return [];
  return [{ kind: mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file", object, path }];
}

/** What a path leads to, by the path under which it is reached and by where it lies. */
interface Reached {
  readonly path: string;
  readonly entry: Entry;
}

/** Gives the files of a path with links followed, as long as they stay in the repository. */
function follower(git: Git, commit: Commit, diagnostics: Diagnostic[]) {
  /** @param above where the links above led */
  const follow = async (start: string, above: readonly string[]): Promise<readonly Reached[]> => {
    const reached: Reached[] = [];
    for (const entry of await listFiles(git, commit, start)) {
      const { kind, path } = entry;
      if (kind === "submodule") throw createSubmoduleMessage(path, commit.ref);
      if (kind === "file") {
        reached.push({ path, entry });
        continue;
      }
      const target = await targetOf(git, commit, entry);
      if (target === undefined || [start, ...above].includes(target)) {
        if (isStateFile(path))
          diagnostics.push(createUnreadableDiagnostic(path, `at ${commit.ref} it is a link that leads nowhere`));
        continue;
      }
      for (const found of await follow(target, [start, ...above])) {
        reached.push({ path: path + found.path.slice(target.length), entry: found.entry });
      }
    }
    return reached;
  };
  return follow;
}

/** Where a link leads, from the top of the repository; undefined where that is outside of it. */
async function targetOf(git: Git, { root }: Commit, { path, object }: Entry): Promise<string | undefined> {
  const answer = await git.ask(root, ["cat-file", "blob", object]);
  const written = answer.ok ? answer.bytes.toString("utf8") : "/";
  const target = posix.join(posix.dirname(path), written);
  if (posix.isAbsolute(written) || /^\.\.(\/|$)/.test(target)) return undefined;
  return target === "." || target === "./" ? "" : target.replace(/\/$/, "");
}
