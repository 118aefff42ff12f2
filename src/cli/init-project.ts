// What the project on a forge has to be given, so that the jobs can run there.

import type { Forge } from "../engine/init.ts";
import { quoteForShell } from "../json/quoted.ts";
import { formatName } from "../render/escape.ts";
import { capitalise } from "../render/views/words.ts";

/** A variable or a rule of the project, and what it is to be. */
export interface ProjectSetting {
  readonly name: string;
  readonly what: string;
  /** By which the forge's own program makes it, as lines of a shell. */
  readonly commands: readonly string[];
  /** What the commands leave open; absent where they say all. */
  readonly comment?: string;
  /** Only the merge needs it, and what comes after. */
  readonly isForMerge?: true;
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
  const environment = `'repos/{owner}/{repo}/environments/${target}`;
  const secret = (name: string, what: string, comment?: string) => ({
    name,
    what,
    commands: [`gh secret set ${name}`],
    ...(comment !== undefined && { comment }),
  });
  return [
    {
      name: "GATE_SYNC_READER",
      what: `variable: ${reader}`,
      commands: ["gh variable set GATE_SYNC_READER --body ci-plan"],
      comment: "Variable: a user of the cluster that only reads.",
    },
    secret("GATE_SYNC_READER_PASSWORD", "secret", "Secrets; gh asks for the first: paste line by line."),
    {
      name: "GATE_SYNC_PLAN_KEY",
      what: `secret: what ${makeKey} prints`,
      commands: [`${makeKey} | gh secret set GATE_SYNC_PLAN_KEY`],
    },
    ...variables.map((name) => {
      const what = describeSecret(name, listLacking(name));
      return secret(name, what, `${name}: ${what}`);
    }),
    {
      name: "GATE_SYNC_WRITER",
      what: `variable of an environment ${target}, for ${mainBranch} alone: ${describeWriter(applyAs)}`,
      commands: [
        `gh api -X PUT ${environment}' \\`,
        "  -F 'deployment_branch_policy[protected_branches]=false' \\",
        "  -F 'deployment_branch_policy[custom_branch_policies]=true'",
        `gh api ${environment}/deployment-branch-policies' \\`,
        `  -f name=${quoteForShell(mainBranch)}`,
        `gh variable set GATE_SYNC_WRITER --env ${target} --body ${quoteForShell(applyAs ?? "USER")}`,
      ],
      comment: `An environment ${target}, for ${mainBranch} alone, with the user of apply_as${hintWriter(applyAs)}.`,
      isForMerge: true,
    },
    {
      name: "GATE_SYNC_WRITER_PASSWORD",
      what: "secret of that environment",
      commands: [`gh secret set GATE_SYNC_WRITER_PASSWORD --env ${target}`],
      isForMerge: true,
    },
    createRule(mainBranch, "a rule", "pull requests only, plan has to pass, a push takes approvals back"),
  ];
}

function listForGitlab({ target, mainBranch, applyAs, variables }: Project): readonly ProjectSetting[] {
  const masked = (name: string, what: string, comment?: string, flags = "") => ({
    name,
    what,
    commands: ['(read -rs it; printf %s "$it") |', `  glab variable set ${name} --masked --raw${flags}`],
    ...(comment !== undefined && { comment }),
  });
  const ofTarget = ` --protected --scope ${target}`;
  const token = "a project access token, role Developer, scope api";
  return [
    {
      name: "GATE_SYNC_READER",
      what: reader,
      commands: ["glab variable set GATE_SYNC_READER ci-plan"],
      comment: "A user of the cluster that only reads.",
    },
    masked("GATE_SYNC_READER_PASSWORD", "masked", "Its password, typed unseen: paste line by line."),
    {
      name: "GATE_SYNC_PLAN_KEY",
      what: `masked: what ${makeKey} prints`,
      commands: [`${makeKey} | tr -d '\\n' |`, "  glab variable set GATE_SYNC_PLAN_KEY --masked"],
    },
    masked("GATE_SYNC_API_TOKEN", `masked: ${token}`, `${capitalise(token)}.`),
    ...variables.map((name) => masked(name, "masked", `${name}, which the state files need.`)),
    {
      name: "GATE_SYNC_WRITER",
      what: `protected, for the environment ${target}: ${describeWriter(applyAs)}`,
      commands: [`glab variable set GATE_SYNC_WRITER ${quoteForShell(applyAs ?? "USER")}${ofTarget}`],
      comment: `For the environment ${target} alone, the user of apply_as${hintWriter(applyAs)}.`,
      isForMerge: true,
    },
    { ...masked("GATE_SYNC_WRITER_PASSWORD", "the same, and masked", undefined, ofTarget), isForMerge: true },
    {
      name: "a schedule",
      what: `a pipeline for ${mainBranch} each night, which looks for drift`,
      commands: [`glab schedule create --ref ${quoteForShell(mainBranch)} --cron '0 3 * * *' --description drift`],
      comment: "Looks for drift each night.",
      isForMerge: true,
    },
    createRule(mainBranch, "protected", "merge requests only, and only where the pipeline succeeds"),
  ];
}

/** What a project asks of its branches is more than this: no command replaces it. */
function createRule(mainBranch: string, kind: string, what: string): ProjectSetting {
  return {
    name: mainBranch,
    what: `${kind}: ${what}`,
    commands: [],
    comment: `By hand, ${mainBranch}: ${what}.`,
    isForMerge: true,
  };
}

function hintWriter(applyAs: string | undefined): string {
  return applyAs === undefined ? ": name it in gate-sync.yaml, too" : "";
}

function describeSecret(name: string, lacking: readonly string[]): string {
  return lacking.length === 0
    ? "secret; the workflows have it under env"
    : `secret; in ${lacking.join(" and ")}, under env of each step of gate-sync, write ${name}: \${{ secrets.${name} }}`;
}

const reader = "a user that only reads, such as ci-plan";
const makeKey = "openssl rand -hex 32";

function describeWriter(applyAs: string | undefined): string {
  return applyAs === undefined
    ? "the user that applies; name it in apply_as of gate-sync.yaml, too"
    : `${formatName(applyAs)}, as apply_as in gate-sync.yaml has it`;
}

/** By which a branch becomes a request to merge it. */
export const requestCommands = { github: "gh pr create --fill", gitlab: "glab mr create --fill" } as const;

/** @param isInSync whether the plan of what is there now has nothing to do */
export function describeFirstRequest(isInSync: boolean): string {
  return isInSync ? "Its job shows that all is in sync." : "Read the plan that its job shows.";
}

export function describeMerge(forge: Forge, target: string): string {
  return forge === "gitlab"
    ? "Then merge it: each merge is applied."
    : `Then merge it: each merge is applied, and sets the tag applied/${target}, without which the nightly drift job fails.`;
}
