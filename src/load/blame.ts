import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { getPosition, type SourceRange } from "../diagnostics/source.ts";
import { findLineChanges } from "../json/line-changes.ts";
import type { Author } from "../model/drift.ts";
import { findRepository } from "./boundary.ts";
import { isShallow } from "./commit.ts";
import { type Git, getPathBelow } from "./git.ts";
import { failGit } from "./git-messages.ts";
import { createFileSource } from "./read.ts";

/**
 * Who changed the lines of each group of ranges last, by git: the one of the newest commit. Undefined where git does not
 * know: without git, outside of a repository, where HEAD does not have one of the lines, and where all of them are older
 * than the fetched history.
 */
export async function findAuthors(
  git: Git,
  groups: readonly (readonly SourceRange[])[],
  cwd: string,
): Promise<{ readonly authors: readonly (Author | undefined)[]; readonly notes: readonly string[] }> {
  const byPath = new Map<string, SourceRange[]>();
  for (const range of groups.flat()) {
    const ranges = byPath.get(range.file.path);
    if (ranges) ranges.push(range);
    else byPath.set(range.file.path, [range]);
  }
  const blamed = new Map<string, ReadonlyMap<number, Commit>>();
  const notes = new Set<string>();
  for (const [path, ranges] of byPath) {
    const commits = await blame(git, resolve(cwd, path), ranges).catch((error: unknown) => {
      if (!(error instanceof RunError)) throw error;
      const { what, why = "", fix = "" } = error.userMessage;
      notes.add(`Who changed what is unknown. ${[what, why, fix].filter(Boolean).join(" ")}`);
    });
    if (commits) blamed.set(path, commits);
  }
  const authors = groups.map((ranges) => {
    const commits = ranges.flatMap((range) =>
      listLines(linesOf(range)).map((line) => blamed.get(range.file.path)?.get(line)),
    );
    return newestOf(commits);
  });
  return { authors, notes: [...notes] };
}

/** More are too many arguments: then all lines are asked for. */
const mostRanges = 1000;

/** The first and the last one, from 1. */
type Lines = readonly [number, number];

function linesOf({ file, start, end }: SourceRange): Lines {
  const first = getPosition(file, start).line;
  // A block ends where the next key begins.
  const text = file.text.slice(start, end).trimEnd();
  return [first, Math.max(first, getPosition(file, start + text.length).line)];
}

function listLines([first, last]: Lines): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** A commit that changed a line last. */
interface Commit extends Author {
  /** Seconds since 1970: when it was committed, and first written. Commits that were rebased together share the former. */
  readonly committed: number;
  readonly written: number;
  readonly isOlderThanFetched: boolean;
}

function newestOf(commits: readonly (Commit | undefined)[]): Author | undefined {
  if (commits.some((commit) => commit === undefined)) return undefined;
  const known = commits.flatMap((commit) => (commit?.isOlderThanFetched === false ? [commit] : []));
  const [newest] = known.sort((one, other) => other.committed - one.committed || other.written - one.written);
  return newest && { name: newest.name, commit: newest.commit };
}

/** One run for each file, however many lines of it are asked for: by the lines of HEAD, as git is not to read the work tree. */
async function blame(git: Git, path: string, places: readonly SourceRange[]): Promise<ReadonlyMap<number, Commit>> {
  const real = await realpath(path).catch(() => path);
  const root = findRepository(dirname(real));
  if (root === undefined) return new Map();
  const inside = getPathBelow(root, real);
  const head = await git.ask(root, ["cat-file", "blob", `HEAD:${inside}`]);
  const committed = head.ok ? createFileSource(path, head.bytes).file : undefined;
  if (!committed) return new Map();
  const linesThen = pairLines(splitLines(committed.text), splitLines(places[0]?.file.text ?? ""));
  const wanted = places.flatMap((range) => {
    const then = listLines(linesOf(range)).flatMap((line) => linesThen.get(line) ?? []);
    return then.length === 0 ? [] : [`${then[0]},${then.at(-1)}`];
  });
  if (wanted.length === 0) return new Map();
  const ranges = new Set(wanted);
  const options = ranges.size > mostRanges ? [] : [...ranges].flatMap((each) => ["-L", each]);
  const answer = await git.ask(root, [
    "blame",
    "--porcelain",
    "--encoding=UTF-8",
    "--no-textconv",
    // A list of commits to pass over may be of the branch that it hides.
    "--no-ignore-revs-file",
    ...options,
    "HEAD",
    "--",
    inside,
  ]);
  if (!answer.ok) throw failGit(answer.reported);
  const commits = readPorcelain(answer.bytes.toString("utf8"), await isShallow(git, root));
  return new Map(
    [...linesThen].flatMap(([line, then]) => {
      const commit = commits.get(then);
      return commit ? [[line, commit] as const] : [];
    }),
  );
}

function splitLines(text: string): readonly string[] {
  return text.replace(/\n$/, "").split(/\r?\n/);
}

/** The lines of now that were there then, from 1: by each its line of then. */
function pairLines(then: readonly string[], now: readonly string[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const end = { from: then.length, to: then.length, newFrom: now.length, newTo: now.length };
  let [line, newLine] = [1, 1];
  for (const { from, to, newTo } of [...findLineChanges(then, now), end]) {
    while (line <= from) pairs.set(newLine++, line++);
    [line, newLine] = [to + 1, newTo + 1];
  }
  return pairs;
}

/**
 * `HASH LINE-THEN LINE-NOW`, then the facts of a commit on its first line only, then the line itself after a tab.
 *
 * @param shallow the oldest commit of a shallow clone: git blames it for everything older
 */
function readPorcelain(porcelain: string, shallow: boolean): ReadonlyMap<number, Commit> {
  const lines = new Map<number, string>();
  const facts = new Map<string, { name: string; committed: number; written: number; isOldest: boolean }>();
  let hash = "";
  for (const line of porcelain.split("\n")) {
    const [, begun, now] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (begun !== undefined) {
      hash = begun;
      lines.set(Number(now), hash);
      if (!facts.has(hash)) facts.set(hash, { name: "", committed: 0, written: 0, isOldest: false });
      continue;
    }
    const fact = facts.get(hash);
    if (!fact) continue;
    if (line.startsWith("author ")) fact.name = line.slice("author ".length);
    else if (line.startsWith("author-time ")) fact.written = Number(line.slice("author-time ".length));
    else if (line.startsWith("committer-time ")) fact.committed = Number(line.slice("committer-time ".length));
    else if (line === "boundary" && shallow) fact.isOldest = true;
  }
  return new Map(
    [...lines].map(([line, commit]) => {
      const { name = "", committed = 0, written = 0, isOldest = false } = facts.get(commit) ?? {};
      return [line, { name, commit, committed, written, isOlderThanFetched: isOldest }];
    }),
  );
}
