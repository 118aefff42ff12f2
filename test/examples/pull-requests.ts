// Pull requests that the flows of examples/ plan and apply: a repository, a platform, and a server.

import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Harness, onHarness } from "../cli/harness.ts";
import { type GitHubJob, githubJob } from "../support/github.ts";
import { gitlabJob, includeComponent, withGitLab } from "../support/gitlab.ts";
import {
  commentOn,
  example,
  git,
  type Job,
  makeRepository,
  openPlatform,
  type Platform,
  writePrograms,
} from "../support/jobs.ts";

export const planAndApply = example("github-plan-and-apply.yml");
export const expecting = example("github-expect.yml");
/** What the example includes. */
export const [gitlab = { inputs: {} }] = example("gitlab-ci.yml").include;
export const gitlabJobs = includeComponent({
  "plan-stage": "test",
  "apply-stage": "deploy",
  image: "node:24",
  ...gitlab.inputs,
});

export const passwords = { reader: "Tuesday-9", writer: "Friday-13" };
const users = [
  { name: "reader", password: passwords.reader, rights: "read" },
  { name: "writer", password: passwords.writer, rights: "all" },
] as const;
const key = "a long random text";

/** One pull request on its way: `origin` is bare, and every job has a clone of its own. */
export interface Stage extends Harness {
  readonly platform: Platform;
  /** A fresh clone of a branch of origin. */
  clone(name: string, ref: string): string;
  /** As the platforms do it when the button is pressed. */
  merge(): void;
}

export interface Flow {
  readonly plan: (stage: Stage) => Promise<Job>;
  readonly apply: (stage: Stage) => Promise<Job>;
}

/** With what each step had in its environment. */
export interface GitHubFlow extends Flow {
  readonly plan: (stage: Stage) => Promise<GitHubJob>;
  readonly apply: (stage: Stage) => Promise<GitHubJob>;
}

const tenants = (entries: string) => `tenants:\n  kept: { description: Stays }\n${entries}`;
export const changed = tenants("  support: { description: Second line }\n  new: {}\n  a: {}\n  b: {}\n  c: {}\n");
export const emptied = tenants("");

/**
 * A repository that is applied; a branch that changes its tenants; and meanwhile a second merge. Where the branch is
 * merged is known before it is.
 *
 * @param branch what the branch makes of the tenants
 */
export function onStage(branch: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  const live = { kept: { description: "Stays" }, support: { description: "First line" }, a: {}, b: {}, c: {} };
  const old = tenants("  support: { description: First line }\n  a: {}\n  b: {}\n  c: {}\n");
  return onHarness({ users, product: "search-guard", state: { tenants: live } }, async (harness) => {
    const config = `targets: { prod: { url: "${harness.url}", state: [access/] } }\n`;
    // Merged and applied while the branch was written: a plan of the branch alone would take it back.
    const others = { "access/others.yml": "tenants: { others: { description: Elsewhere } }\n" };
    await byHand(harness, "tenants/others", { description: "Elsewhere" });
    const origin = join(harness.folder, "origin.git");
    const hashes = makeRepository(origin, [
      { ref: "first", files: { "gate-sync.yaml": config, "access/tenants.yml": old } },
      { ref: "main", from: "first", files: others },
      { ref: "change", from: "first", files: { "access/tenants.yml": branch } },
      { ref: "merged", from: "main", merge: "change", files: { "access/tenants.yml": branch } },
    ]);
    // Anybody who may push may take these names, too.
    for (const ref of ["tags/origin/main", "tags/main", "heads/origin/main", "heads/applied/prod"])
      git(origin, "update-ref", `refs/${ref}`, hashes.get("change") ?? "");
    mkdirSync(join(harness.folder, "ci"));
    const platform = openPlatform(join(harness.folder, "ci"), hashes.get("change") ?? "", origin);
    const clone = (name: string, ref: string) => {
      rmSync(join(harness.folder, name), { recursive: true, force: true });
      git(harness.folder, "clone", "-q", "-b", ref, origin, name);
      return join(harness.folder, name);
    };
    const merge = () => {
      platform.merged = hashes.get("merged") ?? "";
      git(origin, "update-ref", "refs/heads/main", platform.merged);
    };
    await work({ ...harness, platform, clone, merge });
  });
}

/** Where what follows a plan is tested: one that is made without a cluster, in a third of the time. */
export function replacePlan({ platform }: Stage): void {
  const npx =
    'for word; do case "$word" in markdown=*) echo planned >"${word#markdown=}";; esac; done; echo {} >gate-sync-plan.json\n';
  writePrograms(join(platform.folder, "programs"), { npx });
}

/** What lies in `.gate-sync/` of the artefacts. */
export function keptBy({ folder }: Platform): readonly string[] {
  const kept = ["gate-sync-backup-prod-1", "apply"].map((name) => join(folder, "artefacts", name, ".gate-sync"));
  return kept
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).filter((name) => name !== ".gitignore"));
}

export async function byHand({ url }: Harness, path: string, body: unknown): Promise<void> {
  const login = Buffer.from(`writer:${passwords.writer}`).toString("base64");
  const headers = { authorization: `Basic ${login}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/_searchguard/api/${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status}`);
}

const contexts = {
  github: {
    token: "ghs-1",
    repository: "us/access",
    run_attempt: 1,
    // Of a push, or of a run that was started by hand.
    event: {
      pull_request: { number: "", head: { sha: "", repo: { full_name: "" } } },
      repository: { default_branch: "main" },
    },
  },
  vars: { GATE_SYNC_READER: "reader", GATE_SYNC_WRITER: "writer" },
  secrets: { GATE_SYNC_READER_PASSWORD: passwords.reader, GATE_SYNC_PLAN_KEY: key },
};
const withoutSecrets = {
  ...contexts,
  vars: { GATE_SYNC_READER: "" },
  secrets: { GATE_SYNC_READER_PASSWORD: "", GATE_SYNC_PLAN_KEY: "" },
};
/** With what the environment prod adds. */
const contextsInProd = { ...contexts, secrets: { ...contexts.secrets, GATE_SYNC_WRITER_PASSWORD: passwords.writer } };

export function githubFlow(workflow: typeof planAndApply): GitHubFlow {
  return {
    plan: async ({ platform, clone }) => {
      // GitHub checks out what the merge would be.
      const cwd = clone("plan", "merged");
      const env = {
        GITHUB_EVENT_NAME: "pull_request",
        GITHUB_BASE_REF: "main",
        GITHUB_HEAD_REF: "change",
        GITHUB_SHA: git(cwd, "rev-parse", "HEAD"),
      };
      const full_name = platform.isOfFork ? "them/access" : "us/access";
      const pull_request = { number: 12, head: { sha: platform.head, repo: { full_name } } };
      // A fork's run has no secrets.
      const given = platform.isOfFork ? withoutSecrets : contexts;
      const github = { ...contexts.github, event: { ...contexts.github.event, pull_request } };
      const job = await githubJob(platform, workflow.jobs.plan.steps, { cwd, env, contexts: { ...given, github } });
      platform.hasSucceeded = job.code === 0;
      return job;
    },
    apply: ({ platform, clone }) => {
      const cwd = clone("apply", "main");
      const env = { GITHUB_EVENT_NAME: "push", GITHUB_REF_NAME: "main", GITHUB_SHA: git(cwd, "rev-parse", "HEAD") };
      const [, fingerprint = ""] = /Fingerprint: `(\w+)`/.exec(commentOn(platform) ?? "") ?? [];
      const given = { ...contextsInProd, inputs: { fingerprint } };
      return githubJob(platform, workflow.jobs.apply.steps, { cwd, env, contexts: given });
    },
  };
}

/** Started by hand on main, or on another branch. */
export const githubByHand = (branch = "main", target = "prod"): GitHubFlow => {
  const run = (name: "plan" | "apply", { platform, clone }: Stage) => {
    const cwd = clone(name, branch);
    const env = {
      GITHUB_EVENT_NAME: "workflow_dispatch",
      GITHUB_REF: `refs/heads/${branch}`,
      GITHUB_REF_NAME: branch,
      GITHUB_SHA: git(cwd, "rev-parse", "HEAD"),
    };
    const given = name === "plan" ? contexts : contextsInProd;
    const steps = JSON.parse(
      JSON.stringify(planAndApply.jobs[name].steps).replace(/"prod"|(?<=applied\/)prod/g, (word) =>
        word.replace("prod", target),
      ),
    );
    return githubJob(platform, steps, { cwd, env, contexts: given });
  };
  return { plan: (stage) => run("plan", stage), apply: (stage) => run("apply", stage) };
};

const web = {
  CI_PIPELINE_SOURCE: "web",
  CI_MERGE_REQUEST_IID: "",
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "",
};

/** From the web page, on main. */
export const gitlabByHand = (pipeline = 8): Flow => ({
  plan: async (stage) => {
    const job = await inGitLab(stage, "plan", "main", { ...web, CI_PIPELINE_ID: `${pipeline}` });
    stage.platform.hasSucceeded = job.code === 0;
    return job;
  },
  apply: async (stage) => {
    const more = { GATE_SYNC_WRITER: "writer", GATE_SYNC_WRITER_PASSWORD: passwords.writer };
    const job = await inGitLab(stage, "apply", "main", { ...web, ...more, CI_PIPELINE_ID: `${pipeline}` });
    if (job.code === 0) {
      stage.platform.applied = git(join(stage.folder, "apply"), "rev-parse", "HEAD");
      stage.platform.appliedBy = { pipeline: { id: pipeline }, finished_at: new Date().toISOString() };
    }
    return job;
  },
});

export const gitlabFlow: Flow = {
  plan: async (stage) => {
    const job = await inGitLab(stage, "plan", "change", { CI_MERGE_REQUEST_IID: "12" });
    stage.platform.hasSucceeded = job.code === 0;
    return job;
  },
  apply: async (stage) => {
    const job = await inGitLab(stage, "apply", "main", {
      GATE_SYNC_WRITER: "writer",
      GATE_SYNC_WRITER_PASSWORD: passwords.writer,
    });
    if (job.code === 0) stage.platform.applied = stage.platform.merged;
    return job;
  },
};

/** In a pipeline schedule. */
export const lookForDrift = (stage: Stage) => inGitLab(stage, "drift", "main", {});

async function inGitLab(
  { platform, clone }: Stage,
  name: "plan" | "apply" | "drift",
  at: string,
  more: Readonly<Record<string, string>>,
): Promise<Job> {
  const cwd = clone(name, at);
  const job = gitlabJobs[`gate-sync-${name}-prod`];
  if (!job) throw new Error(`The component has no job ${name}.`);
  return withGitLab(platform, (url) => {
    const env = {
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "3",
      CI_PROJECT_URL: "https://gitlab.example/us/access",
      CI_JOB_URL: "https://gitlab.example/us/access/-/jobs/70",
      CI_DEFAULT_BRANCH: "main",
      CI_COMMIT_SHA: git(cwd, "rev-parse", "HEAD"),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      GATE_SYNC_API_TOKEN: "glpat-1",
      GATE_SYNC_READER: "reader",
      GATE_SYNC_READER_PASSWORD: passwords.reader,
      GATE_SYNC_PLAN_KEY: key,
      ...more,
    };
    return gitlabJob(platform, name, job, { cwd, env });
  });
}

/** The first line of a comment of ours. */
export const marker = "<!-- gate-sync:prod -->";

/** 150 comments are there before ours, of people who quote it and of a bot that is not ours. */
export function onManyComments(bot: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  return onStage(changed, async (stage) => {
    const { comments } = stage.platform;
    for (let id = 1; id <= 149; id++)
      comments.push({ id, author: "ann", body: id === 3 ? `${marker}\n\nquoted` : "x" });
    comments.push({ id: 150, author: bot, body: `from another tool\n${marker}` });
    await work(stage);
  });
}

/** Two plans, the second over an older comment of ours: one comment, and all others as they were. */
export async function expectOneComment(
  { platform: { comments } }: Stage,
  bot: string,
  plan: () => Promise<unknown>,
): Promise<string> {
  const others = comments.map(({ body }) => body);
  expect(await plan()).toMatchObject({ code: 0 });
  expect(comments).toHaveLength(151);
  const [first = ""] = comments.slice(-1).map(({ body }) => body);
  expect(first.split("\n", 1)).toEqual([marker]);
  expect(first).toContain("**1 to create, 1 to change, in 1 request. 2 by this branch.**");
  comments.splice(150, 1, { id: 151, author: bot, body: `${marker}\n\nolder` });
  expect(await plan()).toMatchObject({ code: 0 });
  expect(comments.slice(150).map(({ body }) => body)).toEqual([first]);
  expect(comments.slice(0, 150).map(({ body }) => body)).toEqual(others);
  return first;
}
