import { realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { getPosition, type SourceRange } from "../diagnostics/source.ts";
import type { Author } from "../model/drift.ts";
import { isShallow } from "./commit.ts";
import type { Git } from "./git.ts";

/**
 * Who changed the lines of each group of ranges last, by git: the one of the newest commit. Undefined where git does not
 * know: without git, outside of a repository, where one of the lines is not committed, and where all of them are older
 * than the fetched history.
 */
export async function findAuthors(
  git: Git,
  groups: readonly (readonly SourceRange[])[],
  cwd: string,
): Promise<readonly (Author | undefined)[]> {
  const byFile = new Map<string, Lines[]>();
  for (const range of groups.flat()) {
    byFile.set(range.file.path, [...(byFile.get(range.file.path) ?? []), linesOf(range)]);
  }
  const blamed = new Map<string, ReadonlyMap<number, Commit>>();
  for (const [path, lines] of byFile) blamed.set(path, await blame(git, resolve(cwd, path), lines));
  return groups.map((ranges) => {
    const commits = ranges.flatMap((range) => {
      const [first, last] = linesOf(range);
      const inFile = blamed.get(range.file.path);
      return Array.from({ length: last - first + 1 }, (_, at) => inFile?.get(first + at));
    });
    return newestOf(commits);
  });
}

/** The first and the last one, from 1. */
type Lines = readonly [number, number];

function linesOf({ file, start, end }: SourceRange): Lines {
  const first = getPosition(file, start).line;
  // A block ends where the next key begins.
  const text = file.text.slice(start, end).trimEnd();
  return [first, Math.max(first, getPosition(file, start + text.length).line)];
}

/** A commit that changed a line last. */
interface Commit extends Author {
  /** Seconds since 1970: when it was committed, and first written. Commits that were rebased together share the former. */
  readonly committed: number;
  readonly written: number;
  readonly kind: "known" | "uncommitted" | "older-than-fetched";
}

function newestOf(commits: readonly (Commit | undefined)[]): Author | undefined {
  if (commits.some((commit) => commit === undefined || commit.kind === "uncommitted")) return undefined;
  const known = commits.flatMap((commit) => (commit?.kind === "known" ? [commit] : []));
  const [newest] = known.sort((one, other) => other.committed - one.committed || other.written - one.written);
  return newest && { name: newest.name, commit: newest.commit };
}

/** One run for each file, however many lines of it are asked for. */
async function blame(git: Git, path: string, lines: readonly Lines[]): Promise<ReadonlyMap<number, Commit>> {
  const file = await realpath(path).catch(() => path);
  const folder = dirname(file);
  const wanted = [...new Set(lines.map((each) => each.join(",")))].flatMap((each) => ["-L", each]);
  const answer = await git.ask(folder, ["blame", "--porcelain", "--no-textconv", ...wanted, "--", basename(file)]);
  if (!answer.ok) return new Map();
  return readPorcelain(answer.bytes.toString("utf8"), await isShallow(git, folder));
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
      const { name = "", committed = 0, written = 0, isOldest } = facts.get(commit) ?? {};
      const kind = /^0+$/.test(commit) ? "uncommitted" : isOldest ? "older-than-fetched" : "known";
      return [line, { name, commit, committed, written, kind }];
    }),
  );
}
