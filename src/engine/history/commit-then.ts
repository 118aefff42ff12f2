import { resolve } from "node:path";
import { isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { openBase } from "../../load/base.ts";
import { openCommit, type StateCommit } from "../../load/commit.ts";
import { createGit, type Git } from "../../load/git.ts";
import { forDrift } from "../../load/git-messages.ts";
import { hasPlace } from "../../load/variables.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { Target } from "../../model/target.ts";
import { normalise } from "../../normalise/desired.ts";
import { openRepository } from "../open.ts";
import type { RunRequest } from "../request.ts";
import { readSettingsThen } from "./config-then.ts";

export interface CommitQuestion {
  readonly request: RunRequest;
  readonly target: Target;
  readonly dialect: Dialect;
  /** Only which entries there were is asked, so that secrets need no value; absent: they are looked up. */
  readonly secrets?: "leave" | "resolve";
}

export interface CommitThen {
  /** The whole hash. */
  readonly hash: string;
  readonly desired: DesiredState;
  /** Its state paths hold no files. */
  readonly isEmpty: boolean;
  /** It has no such target, or a gate-sync.yaml that cannot be read: the paths of today are read there. */
  readonly isOther: boolean;
}

/**
 * What the state files declared at a commit, by the variables of then and the other settings of today.
 *
 * @throws RunError `invalid` where they have errors; where there is no git, no repository, or no such commit in it
 */
export async function readCommit(
  ref: string,
  { request, target, dialect, secrets = "resolve" }: CommitQuestion,
): Promise<CommitThen> {
  const { hash, source, vars, isOther } = await openStateThen(createGit(request.env), ref, request, target);
  const { repository, diagnostics: shape } = await openRepository({ ...target, vars }, request, secrets, source);
  const { desired, diagnostics } = normalise(repository, dialect, target.families);
  // An entry that is out of the target's scope today may have been in scope then.
  const problems = [...shape, ...diagnostics.filter(({ code }) => code !== "out-of-scope")];
  if (problems.some(isError)) {
    const what = `The state files at ${ref} have errors.`;
    const why = `These are places in the files as they were at ${ref}, which is what the server is compared with. Name another commit by --applied-ref.`;
    throw new RunError("invalid", { what, why }, sortDiagnostics(problems.filter(isError)));
  }
  return { hash, desired, isEmpty: repository.fileCount === 0, isOther };
}

/**
 * The state files of the target at a commit: by the variables and the state paths of then, so that a folder that has got
 * another name since is the same; where none are known, of today.
 *
 * @throws RunError `invalid` where the variables of then have errors
 */
async function openStateThen(
  git: Git,
  ref: string,
  request: RunRequest,
  target: Target,
): Promise<StateCommit & Pick<Target, "vars"> & Pick<CommitThen, "isOther">> {
  const { cwd, configPath, flags } = request;
  const { state } = target;
  const isNamed = flags.statePaths.length > 0;
  if (isNamed && ![...target.vars.values()].some(hasPlace)) {
    return { ...(await openCommit(git, ref, { state, cwd })), vars: target.vars, isOther: false };
  }
  const base = await openBase(git, ref, { cwd, configPath }, forDrift);
  const then = await readSettingsThen(base, target.name, request, ref);
  const known = { vars: then?.vars ?? target.vars, isOther: then === undefined && !isNamed };
  const paths = isNamed ? undefined : then?.own.state;
  const today = state.map((path) => resolve(cwd, path));
  const isAsToday = paths?.length === today.length && paths.every((path) => today.includes(base.absolute(path)));
  return paths && !isAsToday
    ? { hash: base.hash, source: base.state(paths), ...known }
    : { ...(await openCommit(git, ref, { state, cwd })), ...known };
}
