import { realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { getPosition, type SourceRange } from "../diagnostics/source.ts";
import type { Author } from "../model/drift.ts";
import { isShallow } from "./commit.ts";
import type { Git } from "./git.ts";

/**
 * Who changed the first line of each range last, by git. A range is left out where git does not know: without git,
 * outside of a repository, for a line that is not committed, and for one older than the fetched history.
 */
export async function findAuthors(
  git: Git,
  ranges: readonly SourceRange[],
  cwd: string,
): Promise<ReadonlyMap<SourceRange, Author>> {
  const byFile = new Map<string, SourceRange[]>();
  for (const range of ranges) byFile.set(range.file.path, [...(byFile.get(range.file.path) ?? []), range]);
  const found = new Map<SourceRange, Author>();
  for (const [path, inFile] of byFile) {
    const lines = await authorsIn(git, resolve(cwd, path), inFile.map(lineOf));
    for (const range of inFile) {
      const author = lines.get(lineOf(range));
      if (author) found.set(range, author);
    }
  }
  return found;
}

function lineOf({ file, start }: SourceRange): number {
  return getPosition(file, start).line;
}

/** One run for each file, however many lines of it are asked for. */
async function authorsIn(git: Git, path: string, lines: readonly number[]): Promise<ReadonlyMap<number, Author>> {
  const file = await realpath(path).catch(() => path);
  const folder = dirname(file);
  const wanted = [...new Set(lines)].flatMap((line) => ["-L", `${line},${line}`]);
  const answer = await git.ask(folder, ["blame", "--porcelain", "--no-textconv", ...wanted, "--", basename(file)]);
  if (!answer.ok) return new Map();
  return linesOf(answer.bytes.toString("utf8"), await isShallow(git, folder));
}

/**
 * `HASH LINE-THEN LINE-NOW`, then the facts of a commit on its first line only, then the line itself after a tab.
 *
 * @param shallow the oldest commit of a shallow clone: git blames it for everything older
 */
function linesOf(porcelain: string, shallow: boolean): ReadonlyMap<number, Author> {
  const lines = new Map<number, string>();
  const names = new Map<string, string>();
  const oldest = new Set<string>();
  let commit = "";
  for (const line of porcelain.split("\n")) {
    const [, hash, now] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (hash !== undefined) {
      commit = hash;
      lines.set(Number(now), hash);
    } else if (line.startsWith("author ")) names.set(commit, line.slice("author ".length));
    else if (line === "boundary" && shallow) oldest.add(commit);
  }
  return new Map(
    [...lines].flatMap(([line, hash]): [number, Author][] => {
      const name = names.get(hash);
      const isCommitted = !/^0+$/.test(hash);
      return name === undefined || !isCommitted || oldest.has(hash) ? [] : [[line, { name, commit: hash }]];
    }),
  );
}
