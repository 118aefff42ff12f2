import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { findRepository } from "./boundary.ts";
import { formatPath, inputPath } from "./files.ts";
import { type Git, type GitWords, getPathBelow } from "./git.ts";
import {
  createAmbiguousRefMessage,
  createDubiousMessage,
  createNoGitMessage,
  createNoHistoryMessage,
  createNoRepositoryMessage,
  createSeveralRepositoriesMessage,
  createUnknownRefMessage,
  failGit,
  forDrift,
  type GitQuestion,
} from "./git-messages.ts";
import type { FileSource } from "./read.ts";
import { parseStatePattern } from "./state-pattern.ts";
import { listStateIn, type StatePath } from "./tree.ts";

export interface StateCommit {
  /** The whole hash. */
  readonly hash: string;
  readonly source: FileSource;
}

/**
 * The state files as they were at a commit; the work tree is neither touched nor read.
 *
 * @param ref whatever git understands as one commit
 * @param state the paths of today, relative to `cwd`; each of them exists
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function openCommit(
  git: Git,
  ref: string,
  { state, cwd }: { readonly state: readonly string[]; readonly cwd: string },
): Promise<StateCommit> {
  const places: (StatePath & { readonly root: string })[] = [];
  for (const path of state) places.push(await locateStatePath(git, path, cwd, forDrift));
  const [first, ...rest] = places;
  if (first === undefined) throw new RunError("usage", { what: "No state path is named." });
  const other = rest.find(({ root }) => root !== first.root);
  if (other) throw createSeveralRepositoriesMessage(first.path, other.path, forDrift);
  const hash = await resolveCommit(git, ref, first.root, forDrift);
  return { hash, source: listStateIn(git, { root: first.root, hash, ref }, places) };
}

/** The whole hash of a commit. */
export async function resolveCommit(git: Git, ref: string, root: string, asking: GitQuestion): Promise<string> {
  // No commit name begins like an option; git gets `--end-of-options` as well, and afterwards the hash alone.
  const named = !ref.startsWith("-");
  const words: GitWords = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const answer = named ? await git.ask(root, words) : undefined;
  const hash = answer?.ok ? answer.bytes.toString("utf8").trim() : "";
  if (/^[0-9a-f]{40,64}$/.test(hash)) {
    const refs = await listRefs(git, root, ref);
    if (refs.length > 1) throw createAmbiguousRefMessage(ref, refs, asking);
    return hash;
  }
  throw createUnknownRefMessage(ref, named && (await isShallow(git, root)), asking);
}

/**
 * The full names of the refs that a name may stand for, where they are different objects. Git takes a tag before a branch, and anybody
 * who may push can make a tag called `origin/main`.
 */
async function listRefs(git: Git, root: string, ref: string): Promise<readonly string[]> {
  const [name = ""] = /^(?:(?!@\{)[^~^:])*/.exec(ref) ?? [];
  if (name === "" || name === "HEAD" || name === "@" || name.startsWith("refs/")) return [];
  const names = ["", "tags/", "heads/", "remotes/"].map((kind) => `refs/${kind}${name}`);
  const all = [...names, `refs/remotes/${name}/HEAD`];
  // Of a tag with a text, the commit counts.
  const format = "--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname)";
  const answer = await git.ask(root, ["for-each-ref", format, ...all]);
  if (!answer.ok) throw failGit(answer.reported);
  const found = answer.bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [object = "", refname = ""] = line.split(" ");
      // Patterns are for what is below them, too.
      return all.includes(refname) ? [{ refname, object }] : [];
    });
  return new Set(found.map(({ object }) => object)).size > 1 ? found.map(({ refname }) => refname) : [];
}

/** Whether only the last commits of the history were fetched. */
export async function isShallow(git: Git, root: string): Promise<boolean> {
  const answer = await git.ask(root, ["rev-parse", "--is-shallow-repository"]);
  return answer.ok && answer.bytes.toString("utf8").trim() === "true";
}

/** Where a state path is in its repository, by real paths: links on the way make no difference. */
export async function locateStatePath(
  git: Git,
  given: string,
  cwd: string,
  asking: GitQuestion,
): Promise<StatePath & { readonly root: string }> {
  if (given === inputPath) throw createNoHistoryMessage(asking);
  const pattern = parseStatePattern(given);
  const absolute = resolve(cwd, pattern?.base ?? given);
  const path = formatPath(cwd, absolute, given);
  const isFolder = (await stat(absolute)).isDirectory();
  const real = isFolder ? await realpath(absolute) : join(await realpath(dirname(absolute)), basename(absolute));
  const root = findRepository(isFolder ? real : dirname(real));
  if (root === undefined) throw createNoRepositoryMessage(path, asking);
  const opened = await git.open(root);
  if (!opened.ok) {
    if (opened.missing) throw createNoGitMessage(asking);
    if (/dubious ownership/.test(opened.reported)) throw createDubiousMessage(path);
    throw /not a git repository|cannot use bare repository/.test(opened.reported)
      ? createNoRepositoryMessage(path, asking)
      : failGit(opened.reported);
  }
  return { absolute, path, inside: getPathBelow(root, real), root, ...(pattern && { matches: pattern.matches }) };
}
