import { resolve } from "node:path";
import { openBase } from "../../load/base.ts";
import { openCommit, type StateCommit } from "../../load/commit.ts";
import type { Git } from "../../load/git.ts";
import type { GitQuestion } from "../../load/git-messages.ts";
import type { Target } from "../../model/target.ts";
import type { RunRequest } from "../request.ts";
import { listStateThen } from "./config-then.ts";

/**
 * The state files of a target at a commit: by the state paths of then, so that a folder that has got another name since
 * is the same; where none are known, of today.
 *
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function openStateThen(
  git: Git,
  ref: string,
  { cwd, configPath, flags }: RunRequest,
  target: Target,
  asking: GitQuestion,
): Promise<StateCommit> {
  if (flags.statePaths.length === 0) {
    const base = await openBase(git, ref, { cwd, configPath }, asking);
    const then = listStateThen(base, target.name);
    if (
      then &&
      !isSame(
        then.map(base.absolute),
        target.state.map((path) => resolve(cwd, path)),
      )
    ) {
      return { hash: base.hash, source: base.state(then) };
    }
  }
  return openCommit(git, ref, { state: target.state, cwd }, asking);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path) => other.includes(path));
}
