import { RunError } from "../../diagnostics/failure.ts";
import { listDeclaredFamilies } from "../../live/wanted.ts";
import { type Base, openBase } from "../../load/base.ts";
import { createGit } from "../../load/git.ts";
import { forBase, type GitQuestion } from "../../load/git-messages.ts";
import { loadRepository } from "../../load/repository.ts";
import { type Family, families } from "../../model/names.ts";
import { getMode, type Mode, type Policies } from "../../model/policy.ts";
import type { Repository } from "../../model/repository.ts";
import type { Since } from "../../model/since.ts";
import type { Target } from "../../model/target.ts";
import type { RunRequest } from "../request.ts";
import { readSettingsThen } from "./config-then.ts";
import { listChangedCredentials } from "./credentials.ts";
import { findReferences } from "./references.ts";
import { compareWritten } from "./written.ts";

/**
 * Which families are managed now that were not at a commit, by gate-sync.yaml and the state files of then. What
 * cannot be read there was never applied, and counts as not declared: one family too many is better than one too few.
 *
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function findBecameManaged(
  ref: string,
  request: RunRequest,
  target: Target,
  now: Repository,
  asking: GitQuestion = forBase,
): Promise<Since> {
  const { cwd, configPath, env } = request;
  const base = await openBase(createGit(env), ref, { cwd, configPath }, asking);
  const earlier = await readThen(base, request, target);
  const then = earlier?.modes ?? unknown;
  const today = listModes(now, target.families);
  const turned = families.flatMap((family): Since["turned"] => {
    const was = then.get(family) ?? "undeclared";
    return today.get(family) !== "manage" || was === "manage" ? [] : [{ family, was }];
  });
  const ceased = families.filter((family) => {
    const was = then.get(family);
    const is = today.get(family);
    return (was === "manage" || was === "adopt") && (is === undefined || is === "observe");
  });
  const changedUsers = earlier ? listChangedCredentials(earlier.repository, now) : [];
  const written =
    asking === forBase &&
    earlier &&
    compareWritten(earlier.repository, now, new Set([...then.keys()].filter((one) => today.has(one))));
  const references = earlier && then.get("config") !== "observe" ? findReferences(earlier.repository) : undefined;
  return {
    ref,
    commit: base.hash,
    turned,
    ceased,
    changedUsers,
    ...(references && { references }),
    ...(written && { written }),
  };
}

type Modes = ReadonlyMap<Family, Mode>;

const unknown: Modes = new Map();

async function readThen(
  base: Base,
  request: RunRequest,
  target: Target,
): Promise<{ readonly modes: Modes; readonly repository: Repository } | undefined> {
  const { cwd, env, flags } = request;
  const then = await readSettingsThen(base, target.name, request, base.hash).catch(ignoreInvalid);
  // A target or a gate-sync.yaml that was not there yet managed nothing.
  if (then === undefined) return undefined;
  const { own, vars } = then;
  const named = flags.statePaths.length > 0;
  const state = named ? flags.statePaths : (own.state ?? []);
  const source = named ? base.named(state) : base.state(state);
  const { waivers } = target;
  const { repository } = await loadRepository({ state, waivers, cwd, vars, env, secrets: "leave", source });
  return { modes: listModes(repository, own.families ?? {}), repository };
}

function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof RunError) || error.kind !== "invalid") throw error;
}

/** Of the families that the files declare. */
export function listModes(repository: Repository, policies: Policies): Modes {
  const isNative = repository.documents.some(
    ({ form, sections }) => form === "native" && sections.some(({ family }) => family === "config"),
  );
  const unsaid = (family: Family): Mode => (family === "config" && isNative ? "observe" : getMode(family));
  return new Map(listDeclaredFamilies(repository).map((family) => [family, policies[family]?.mode ?? unsaid(family)]));
}
