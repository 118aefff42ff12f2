// The pull-request flows of examples/ as a runner does them: plan, review, merge, apply, against a server.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import {
  commentOn,
  example,
  git,
  githubJob,
  gitlabJob,
  type Job,
  makeRepository,
  openPlatform,
  type Platform,
  withGitLab,
} from "../support/jobs.ts";
import { type Harness, onHarness } from "./harness.ts";

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
interface Stage extends Harness {
  readonly platform: Platform;
  /** A fresh clone of a branch of origin. */
  clone(name: string, ref: string): string;
  /** As the platforms do it when the button is pressed. */
  merge(): void;
}

interface Flow {
  readonly plan: (stage: Stage) => Promise<Job>;
  readonly apply: (stage: Stage) => Promise<Job>;
}

const tenants = (entries: string) => `tenants:\n  kept: { description: Stays }\n${entries}`;
const changed = tenants("  support: { description: Second line }\n  new: {}\n  a: {}\n  b: {}\n  c: {}\n");
const emptied = tenants("");

/**
 * A repository that is applied; a branch that changes its tenants; and meanwhile a second merge. Where the branch is
 * merged is known before it is.
 *
 * @param branch what the branch makes of the tenants
 */
function onStage(branch: string, work: (stage: Stage) => Promise<void>): Promise<void> {
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
    mkdirSync(join(harness.folder, "ci"));
    const platform = openPlatform(join(harness.folder, "ci"), hashes.get("change") ?? "");
    const clone = (name: string, ref: string) => {
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

/** What lies in `.gate-sync/` of the artefacts. */
function keptBy({ folder }: Platform): readonly string[] {
  const kept = ["backup", "apply"].map((name) => join(folder, "artefacts", name, ".gate-sync"));
  return kept
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).filter((name) => name !== ".gitignore"));
}

async function byHand({ url }: Harness, path: string, body: unknown): Promise<void> {
  const login = Buffer.from(`writer:${passwords.writer}`).toString("base64");
  const headers = { authorization: `Basic ${login}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/_searchguard/api/${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status}`);
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
      // GitHub checks out what the merge would be.
      const cwd = clone("plan", "merged");
      return githubJob(platform, workflow.jobs.plan.steps, { cwd, env: { GITHUB_BASE_REF: "main" }, known });
    },
    apply: ({ platform, clone }) => {
      const cwd = clone("apply", "main");
      const env = { GITHUB_SHA: git(cwd, "rev-parse", "HEAD") };
      const [, typed = ""] = /Fingerprint: `(\w+)`/.exec(commentOn(platform) ?? "") ?? [];
      const given = { ...knownInProd, "inputs.fingerprint": typed };
      return githubJob(platform, workflow.jobs.apply.steps, { cwd, env, known: given });
    },
  };
}

const gitlabFlow: Flow = {
  plan: (stage) => inGitLab(stage, "plan", "change", { CI_MERGE_REQUEST_IID: "12" }),
  apply: (stage) =>
    inGitLab(stage, "apply", "main", {
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

const withFile = {
  "GitHub Actions": githubFlow(planAndApply),
  GitLab: gitlabFlow,
};
const byFingerprint = "GitHub Actions, by a fingerprint";
const withFingerprint = { [byFingerprint]: githubFlow(expecting) };
const all = Object.entries<Flow>({ ...withFile, ...withFingerprint });
const files = Object.entries<Flow>(withFile);

// Each of them starts a dozen programs, and may have to share the machine with every other test.
describe.skipIf(!canRun).concurrent("a pull request", { timeout: 180_000 }, () => {
  test.for(all)("is applied as it was reviewed, and then nothing is left to do: %s", ([, flow], { expect }) =>
    onStage(changed, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      expect(commentOn(stage.platform)).toContain("**1 to create, 1 to change, in 1 request.**");
      expect(stage.writes().slice(1)).toEqual([]);
      stage.merge();
      expect(await flow.apply(stage)).toMatchObject({
        code: 0,
        reported: expect.stringContaining("Read back: in sync."),
      });
      expect(stage.writes().slice(1)).toEqual(["PATCH /_searchguard/api/tenants"]);
      // With a plan file, the backup outlives the job.
      expect(keptBy(stage.platform)).toEqual(flow === withFingerprint[byFingerprint] ? [] : ["backups", "journal"]);
      const env = { GATE_SYNC_USERNAME: "reader", GATE_SYNC_PASSWORD: passwords.reader };
      const third = await gateSyncWithin(["plan", "--detailed-exitcode"], { cwd: join(stage.folder, "apply"), env });
      expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining("in sync") });
    }),
  );

  test.for(all)("ends with 5 and changes nothing where the cluster moved meanwhile: %s", ([name, flow], { expect }) =>
    onStage(changed, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      stage.merge();
      await byHand(stage, "tenants/support", { description: "By hand" });
      const before = stage.writes();
      const { code, reported } = await flow.apply(stage);
      expect({ code, writes: stage.writes() }).toEqual({ code: 5, writes: before });
      expect(reported).toContain(name in withFile ? "tenants/support" : "Run gate-sync plan again");
      expect(readdirSync(join(stage.folder, "apply"))).not.toContain(".gate-sync");
    }),
  );

  test.for(files)("fails with 4 where a guard refuses it, and shows why: %s", ([, flow], { expect }) =>
    onStage(emptied, async (stage) => {
      const { code } = await flow.plan(stage);
      expect({ code, writes: stage.writes().slice(1) }).toEqual({ code: 4, writes: [] });
      expect(commentOn(stage.platform)).toContain("guard deletions");
      // Merged all the same, it has no plan.
      stage.merge();
      expect((await flow.apply(stage)).code).not.toBe(0);
      expect(stage.writes().slice(1)).toEqual([]);
    }),
  );

  test.for(files)("has to be there: a commit that none brought is not applied: %s", ([, flow], { expect }) =>
    onStage(changed, async (stage) => {
      const { code, reported } = await flow.apply(stage);
      expect({ code, writes: stage.writes().slice(1) }).toEqual({ code: 1, writes: [] });
      expect(reported).toContain("Nothing is applied.");
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
