// What the project on a forge has to be given, so that the jobs can run there.
import type { Forge } from "../engine/init.ts";
import { formatName } from "../render/escape.ts";

/** A variable or a rule of the project, and what it is to be. */
export interface ProjectSetting {
  readonly name: string;
  readonly what: string;
}

interface Project {
  readonly forge: Forge;
  /** The target that the jobs are about. */
  readonly target: string;
  readonly mainBranch: string;
  /** The user of `apply_as`. */
  readonly applyAs: string | undefined;
  /** Secrets that the state files refer to. */
  readonly variables: readonly string[];
  /** The workflows that do not pass such a secret on. */
  readonly listLacking: (variable: string) => readonly string[];
}

export function listProjectSettings(project: Project): readonly ProjectSetting[] {
  return project.forge === "github" ? listForGithub(project) : listForGitlab(project);
}

function listForGithub({ target, mainBranch, applyAs, variables, listLacking }: Project): readonly ProjectSetting[] {
  return [
    { name: "GATE_SYNC_READER", what: `variable: ${reader}` },
    { name: "GATE_SYNC_READER_PASSWORD", what: "secret" },
    { name: "GATE_SYNC_PLAN_KEY", what: `secret: what ${makeKey} prints` },
    ...variables.map((name) => ({ name, what: describeSecret(name, listLacking(name)) })),
    {
      name: "GATE_SYNC_WRITER",
      what: `variable of an environment ${target}, for ${mainBranch} alone: ${describeWriter(applyAs)}`,
    },
    { name: "GATE_SYNC_WRITER_PASSWORD", what: "secret of that environment" },
    { name: mainBranch, what: "a rule: pull requests only, plan has to pass, a push takes approvals back" },
  ];
}

function listForGitlab({ target, mainBranch, applyAs, variables }: Project): readonly ProjectSetting[] {
  return [
    { name: "GATE_SYNC_READER", what: reader },
    { name: "GATE_SYNC_READER_PASSWORD", what: "masked" },
    { name: "GATE_SYNC_PLAN_KEY", what: `masked: what ${makeKey} prints` },
    { name: "GATE_SYNC_API_TOKEN", what: "masked: a project access token, role Developer, scope api" },
    ...variables.map((name) => ({ name, what: "masked" })),
    { name: "GATE_SYNC_WRITER", what: `protected, for the environment ${target}: ${describeWriter(applyAs)}` },
    { name: "GATE_SYNC_WRITER_PASSWORD", what: "the same, and masked" },
    { name: mainBranch, what: "protected: merge requests only, and only where the pipeline succeeds" },
    { name: "a schedule", what: `a pipeline for ${mainBranch} each night, which looks for drift` },
  ];
}

function describeSecret(name: string, lacking: readonly string[]): string {
  return lacking.length === 0
    ? "secret; the workflows have it under env"
    : `secret; under env of ${lacking.join(" and ")} write ${name}: \${{ secrets.${name} }}`;
}

const reader = "a user that only reads, such as ci-plan";
const makeKey = "openssl rand -hex 32";

function describeWriter(applyAs: string | undefined): string {
  return applyAs === undefined
    ? "the user that applies; name it in apply_as of gate-sync.yaml, too"
    : `${formatName(applyAs)}, as apply_as in gate-sync.yaml has it`;
}

/** What is left to do there. `isInSync`: whether the plan of what is there now has nothing to do. */
export function describeFirstRequest(forge: Forge, target: string, isInSync: boolean): string {
  const request = forge === "gitlab" ? "merge request" : "pull request";
  const plan = isInSync ? ": its plan is in sync" : ", and read its plan";
  const merge =
    forge === "gitlab"
      ? "Merge it, and every merge is applied from then on."
      : `Merge it: the job makes the tag applied/${target}, without which the nightly drift job fails, and every merge is applied from then on.`;
  return `Then open the ${request}${plan}. ${merge}`;
}
