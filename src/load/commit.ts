import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { formatPath, inputPath } from "./files.ts";
import type { Git } from "./git.ts";
import {
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
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const answer = named ? await git.ask(root, words) : undefined;
  const hash = answer?.ok ? answer.bytes.toString("utf8").trim() : "";
  if (/^[0-9a-f]{40,64}$/.test(hash)) return hash;
  throw createUnknownRefMessage(ref, named && (await isShallow(git, root)), asking);
}

/** Whether only the last commits of the history were fetched. */
export async function isShallow(git: Git, folder: string): Promise<boolean> {
  const answer = await git.ask(folder, ["rev-parse", "--is-shallow-repository"]);
  return answer.ok && answer.bytes.toString("utf8").trim() === "true";
}

/**
 * Where a state path is in its repository. Git itself finds it, so that symbolic links on the way make no difference.
 */
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
  const answer = await git.ask(isFolder ? absolute : dirname(absolute), [
    "rev-parse",
    "--show-toplevel",
    "--show-prefix",
  ]);
  if (!answer.ok) {
    if (answer.missing) throw createNoGitMessage(asking);
    if (/dubious ownership/.test(answer.reported)) throw createDubiousMessage(path);
    throw /not a git repository/.test(answer.reported)
      ? createNoRepositoryMessage(path, asking)
      : failGit(answer.reported);
  }
  const [root = "", prefix = ""] = answer.bytes.toString("utf8").split("\n");
  // A bare repository has no work tree, and so no state files.
  if (root === "") throw createNoRepositoryMessage(path, asking);
  const inside = isFolder ? prefix.replace(/\/$/, "") : `${prefix}${basename(absolute)}`;
  return { absolute, path, inside, root: join(root), ...(pattern && { matches: pattern.matches }) };
}
