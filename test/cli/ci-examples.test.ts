// The pull-request flows of examples/ as a runner does them: plan, review, merge, apply, against a server.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import {
  commentOn,
  example,
  git,
  githubJob,
  gitlabJob,
  type Job,
  openPlatform,
  type Platform,
  withGitLab,
} from "../support/jobs.ts";
import { type Ground, onGround } from "./ground.ts";

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const canRun = ["git", "bash", "curl"].every(has);
if (!canRun) console.warn("git, bash or curl is not installed: the pull-request flows of examples/ are not tested.");

const planAndApply = example("github-plan-and-apply.yml");
const expecting = example("github-expect.yml");
const gitlab = example("gitlab-ci.yml");

const passwords = { reader: "Tuesday-9", writer: "Friday-13" };
const users = [
  { name: "reader", password: passwords.reader, rights: "read" },
  { name: "writer", password: passwords.writer, rights: "all" },
] as const;
const key = "a long random text";

/** One pull request on its way: `origin` is bare, and every job has a clone of its own. */
interface Stage extends Ground {
  readonly platform: Platform;
  /** A fresh clone at a commit or branch of origin. */
  clone(name: string, at: string): string;
}

interface Flow {
  readonly plan: (stage: Stage) => Promise<Job>;
  readonly apply: (stage: Stage) => Promise<Job>;
}

const tenants = (entries: string) => `tenants:\n  kept: { description: Stays }\n${entries}`;
const changed = tenants("  support: { description: Second line }\n  new: {}\n");
const emptied = tenants("");

/**
 * A repository that is applied, a branch that changes one tenant and makes another, and meanwhile a second merge.
 *
 * @param branch what the branch makes of the tenants
 */
function onStage(branch: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  const live = { kept: { description: "Stays" }, support: { description: "First line" }, a: {}, b: {}, c: {} };
  const old = tenants("  support: { description: First line }\n  a: {}\n  b: {}\n  c: {}\n");
  return onGround({ users, product: "search-guard", state: { tenants: live } }, async (ground) => {
    const [folder, origin] = [join(ground.folder, "work"), join(ground.folder, "origin.git")];
    mkdirSync(join(folder, "access"), { recursive: true });
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
    const commit = () => {
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "x");
    };
    git(ground.folder, "init", "-q", "-b", "main", "--bare", "origin.git");
    git(folder, "init", "-q", "-b", "main");
    git(folder, "remote", "add", "origin", origin);
    write("gate-sync.yaml", `targets: { prod: { url: "${ground.url}", state: [access/] } }\n`);
    write("access/tenants.yml", old);
    commit();
    git(folder, "switch", "-q", "-c", "change");
    write("access/tenants.yml", branch === changed ? `${branch}  a: {}\n  b: {}\n  c: {}\n` : branch);
    commit();
    git(folder, "switch", "-q", "main");
    // Merged and applied while the branch was written: a plan of the branch alone would take it back.
    write("access/other.yml", "action_groups:\n  READ_LOGS: { allowed_actions: [read] }\n");
    commit();
    git(folder, "push", "-q", "origin", "main", "change");
    await byHand(ground, "actiongroups/READ_LOGS", { allowed_actions: ["read"] });
    mkdirSync(join(ground.folder, "ci"));
    const platform = openPlatform(join(ground.folder, "ci"));
    platform.head = git(folder, "rev-parse", "change");
    const clone = (name: string, at: string) => {
      git(ground.folder, "clone", "-q", origin, name);
      git(join(ground.folder, name), "checkout", "-q", "--detach", at);
      return join(ground.folder, name);
    };
    await work({ ...ground, platform, clone });
  });
}

async function byHand({ url }: Ground, path: string, body: unknown): Promise<void> {
  const login = Buffer.from(`writer:${passwords.writer}`).toString("base64");
  const headers = { authorization: `Basic ${login}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/_searchguard/api/${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status}`);
}

/** As the platforms do it when somebody presses the button. */
function merge({ platform, clone }: Stage): void {
  const folder = clone("merge", "origin/main");
  git(folder, "merge", "-q", "--no-ff", "-m", "Merge", "origin/change");
  git(folder, "push", "-q", "origin", "HEAD:main");
  platform.merged = git(folder, "rev-parse", "HEAD");
}

const known = {
  "github.token": "ghs-1",
  "github.repository": "us/access",
  "github.event.pull_request.number": "12",
  "vars.GATE_SYNC_READER": "reader",
  "vars.GATE_SYNC_WRITER": "writer",
  "secrets.GATE_SYNC_READER_PASSWORD": passwords.reader,
  "secrets.GATE_SYNC_PLAN_KEY": key,
};
/** What the environment prod adds. */
const knownInProd = { ...known, "secrets.GATE_SYNC_WRITER_PASSWORD": passwords.writer };

function githubFlow(workflow: typeof planAndApply): Flow {
  return {
    plan: ({ platform, clone }) => {
      const cwd = clone("plan", "origin/main");
      git(cwd, "merge", "-q", "--no-ff", "-m", "As GitHub checks out a pull request", "origin/change");
      return githubJob(platform, workflow.jobs.plan.steps, { cwd, env: { GITHUB_BASE_REF: "main" }, known });
    },
    apply: ({ platform, clone }) => {
      const cwd = clone("apply", "origin/main");
      const env = { GITHUB_SHA: git(cwd, "rev-parse", "HEAD") };
      const [, typed = ""] = /Fingerprint: `(\w+)`/.exec(commentOn(platform) ?? "") ?? [];
      const given = { ...knownInProd, "inputs.fingerprint": typed };
      return githubJob(platform, workflow.jobs.apply.steps, { cwd, env, known: given });
    },
  };
}

const gitlabFlow: Flow = {
  plan: (stage) => inGitLab(stage, "plan", "origin/change", { CI_MERGE_REQUEST_IID: "12" }),
  apply: (stage) =>
    inGitLab(stage, "apply", "origin/main", {
      GATE_SYNC_WRITER: "writer",
      GATE_SYNC_WRITER_PASSWORD: passwords.writer,
    }),
};

async function inGitLab(
  { platform, clone }: Stage,
  name: "plan" | "apply",
  at: string,
  more: Readonly<Record<string, string>>,
): Promise<Job> {
  const cwd = clone(name, at);
  let job: Job | undefined;
  await withGitLab(platform, async (url) => {
    const env = {
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "3",
      CI_DEFAULT_BRANCH: "main",
      CI_COMMIT_SHA: git(cwd, "rev-parse", "HEAD"),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      GATE_SYNC_API_TOKEN: "glpat-1",
      GATE_SYNC_READER: "reader",
      GATE_SYNC_READER_PASSWORD: passwords.reader,
      GATE_SYNC_PLAN_KEY: key,
      ...more,
    };
    job = await gitlabJob(platform, name, gitlab[name], { cwd, env });
  });
  if (job === undefined) throw new Error("No job ran.");
  return job;
}

const flows: Readonly<Record<string, Flow>> = {
  "GitHub Actions, with a plan file": githubFlow(planAndApply),
  "GitHub Actions, with a fingerprint": githubFlow(expecting),
  "GitLab, with a plan file": gitlabFlow,
};
const tellsPlan = (flow: Flow) => flow !== flows["GitHub Actions, with a fingerprint"];

describe.skipIf(!canRun).concurrent.for(Object.entries(flows))("%s", ([, flow]) => {
  test("what was reviewed is applied, and then nothing is left to do", ({ expect }) =>
    onStage(changed, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      expect(commentOn(stage.platform)).toContain("**1 to create, 1 to change, in 1 request.**");
      expect(stage.writes().slice(1)).toEqual([]);
      merge(stage);
      expect(await flow.apply(stage)).toMatchObject({ code: 0, said: expect.stringContaining("Read back: in sync.") });
      expect(stage.writes().slice(1)).toEqual(["PATCH /_searchguard/api/tenants"]);
      const env = { GATE_SYNC_USERNAME: "reader", GATE_SYNC_PASSWORD: passwords.reader };
      const third = await stage.run("plan --config apply/gate-sync.yaml --detailed-exitcode", env);
      expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining("in sync") });
    }));

  test("a change on the cluster between the two ends it with 5, and nothing is changed", ({ expect }) =>
    onStage(changed, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      merge(stage);
      await byHand(stage, "tenants/support", { description: "By hand" });
      const before = stage.writes();
      const { code, said } = await flow.apply(stage);
      expect({ code, writes: stage.writes() }).toEqual({ code: 5, writes: before });
      expect(said).toContain(tellsPlan(flow) ? "tenants/support" : "Run gate-sync plan again");
      expect(readdirSync(join(stage.folder, "apply"))).not.toContain(".gate-sync");
    }));

  test("what a guard refuses fails the pull request with 4, and its reviewers see why", ({ expect }) =>
    onStage(emptied, async (stage) => {
      const { code } = await flow.plan(stage);
      expect({ code, writes: stage.writes().slice(1) }).toEqual({ code: 4, writes: [] });
      expect(commentOn(stage.platform)).toContain("guard deletions");
      merge(stage);
      // Merged all the same, it has no plan.
      const applied = await flow.apply(stage);
      expect({ failed: applied.code !== 0, writes: stage.writes().slice(1) }).toEqual({ failed: true, writes: [] });
    }));
});

describe.skipIf(!canRun).concurrent("a commit that no pull request brought", () => {
  test.for([
    ["GitHub Actions", flows["GitHub Actions, with a plan file"]],
    ["GitLab", gitlabFlow],
  ] as const)("is not applied: %s", ([, flow], { expect }) =>
    onStage(changed, async (stage) => {
      await flow?.plan(stage);
      const { code, said } = (await flow?.apply(stage)) ?? {};
      expect({ code, writes: stage.writes().slice(1) }).toEqual({ code: 1, writes: [] });
      expect(said).toContain("Nothing is applied.");
    }),
  );
});

describe("the pull-request flows of examples/", () => {
  test.for([planAndApply, expecting])(
    "give a fork nothing, and the writer's password to the one job alone",
    (workflow, { expect }) => {
      const { plan, apply } = workflow.jobs;
      expect(plan.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
      expect(JSON.stringify(plan)).not.toContain("WRITER");
      expect(apply).toMatchObject({ environment: "prod", concurrency: { group: "gate-sync-prod", queue: "max" } });
      expect(plan.steps[0].with).toMatchObject({ "fetch-depth": 0, "persist-credentials": false });
      expect(workflow.permissions).toEqual({ contents: "read" });
    },
  );

  test("in GitLab too", ({ expect }) => {
    expect(gitlab.plan.rules[0].if).toContain("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID");
    expect(JSON.stringify(gitlab.plan)).not.toContain("WRITER");
    expect(gitlab.apply).toMatchObject({ environment: "prod", resource_group: "gate-sync-prod" });
    expect(gitlab.plan.variables).toEqual({ GIT_DEPTH: "0" });
  });
});
