// The pull-request flows of examples/ as a runner does them: plan, review, merge, apply, against a server.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import { commentOn, failRequests, git, type Platform } from "../support/jobs.ts";
import {
  byHand,
  changed,
  emptied,
  expecting,
  type Flow,
  githubByHand,
  githubFlow,
  gitlabByHand,
  gitlabFlow,
  gitlabJobs,
  keptBy,
  onStage,
  passwords,
  planAndApply,
} from "./pull-requests.ts";

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const canRun = ["git", "bash"].every(has);
if (!canRun) console.warn("git or bash is not installed: the pull-request flows of examples/ are not tested.");

const withFile = {
  "GitHub Actions": githubFlow(planAndApply),
  GitLab: gitlabFlow,
};
const byFingerprint = "GitHub Actions, by a fingerprint";
const withFingerprint = { [byFingerprint]: githubFlow(expecting) };
const all = Object.entries<Flow>({ ...withFile, ...withFingerprint });
const files = Object.entries<Flow>(withFile);

function commitAfter({ repository }: Platform, parent: string): string {
  const author = ["-c", "user.name=ann", "-c", "user.email=ann@lee.example"];
  return git(repository, ...author, "commit-tree", `${parent}^{tree}`, "-p", parent, "-m", "x");
}

/** As the job does that applies: the tag of GitHub, the deployment of GitLab. */
function markApplied(platform: Platform, commit: string): void {
  platform.applied = git(platform.repository, "rev-parse", commit);
  git(platform.repository, "update-ref", "refs/tags/applied/prod", platform.applied);
}

// Each of them starts a dozen programs, and may have to share the machine with every other test.
describe.skipIf(!canRun).concurrent("a pull request", { timeout: 180_000 }, () => {
  test.for(all)("is applied as it was reviewed, and then nothing is left to do: %s", ([name, flow], { expect }) =>
    onStage(changed, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      expect(commentOn(stage.platform)).toContain("**1 to create, 1 to change, in 1 request. 2 by this branch.**");
      expect(stage.writes().slice(1)).toEqual([]);
      stage.merge();
      expect(await flow.apply(stage)).toMatchObject({
        code: 0,
        reported: expect.stringContaining("Read back: in sync."),
      });
      expect(stage.writes().slice(1)).toEqual(["PATCH /_searchguard/api/tenants"]);
      // With a plan file, the backup outlives the job.
      expect(keptBy(stage.platform)).toEqual(flow === withFingerprint[byFingerprint] ? [] : ["backups", "journal"]);
      // Started again, on a runner that has no records.
      const again = await flow.apply(stage);
      if (name in withFile) {
        expect(again).toMatchObject({ code: 0, reported: expect.stringContaining("Applied already") });
        expect(stage.writes()).toHaveLength(2);
      }
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

  test.for(all)(
    "deletes nothing that was made by hand, where the commit applied last is known: %s",
    ([, flow], { expect }) =>
      onStage(changed, async (stage) => {
        await byHand(stage, "tenants/by_hand", { description: "By hand" });
        const unknown = await flow.plan(stage);
        expect(unknown.code).toBe(0);
        expect(unknown.reported).toContain("Whether the plan deletes entries that are not ours is not checked");
        expect(commentOn(stage.platform)).toContain("guard not-ours");
        markApplied(stage.platform, "refs/heads/main");
        const known = await flow.plan(stage);
        expect(known.code).toBe(4);
        expect(known.reported).not.toContain("is not checked");
        expect(commentOn(stage.platform)).toContain("A tenant that is not ours would be deleted.");
        stage.merge();
        expect((await flow.apply(stage)).code).not.toBe(0);
        expect(stage.writes().slice(2)).toEqual([]);
      }),
  );

  test.for(files)("is not applied where its commit does not follow the last one that was: %s", ([, flow], { expect }) =>
    onStage(changed, async (stage) => {
      stage.merge();
      const { platform, emulator } = stage;
      const { merged } = platform;
      const before = emulator.requests.length;
      // A later one, and one of another line of history.
      for (const parent of [merged, `${merged}^2`]) {
        markApplied(platform, commitAfter(platform, parent));
        expect(await flow.apply(stage)).toMatchObject({
          code: 5,
          reported: expect.stringContaining("The plan is stale"),
        });
      }
      markApplied(platform, `${merged}^`);
      const next = await flow.apply(stage);
      expect(next).toMatchObject({ code: 1, reported: expect.stringContaining("12 has no plan") });
      for (const begin of ["GET git/ref/tags/applied/prod", "GET deployments"]) {
        failRequests(platform, begin, { status: 403 });
        expect(await flow.apply(stage)).toMatchObject({
          code: 1,
          reported: expect.stringContaining("Nothing is applied."),
        });
      }
      expect(emulator.requests).toHaveLength(before);
    }),
  );

  test.for(all)("is compared with the branch that it goes to, not with a tag called so: %s", ([, flow], { expect }) =>
    onStage(`${emptied}roles: {}\n`, async (stage) => {
      await flow.plan(stage);
      expect(commentOn(stage.platform)).toContain("Since refs/remotes/origin/main, roles are managed");
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

const startedByHand = Object.entries<Flow>({ "GitHub Actions": githubByHand(), GitLab: gitlabByHand() });

describe.skipIf(!canRun).concurrent("a job started by hand on main", { timeout: 180_000 }, () => {
  /** Main, merged, and its own plan stale. */
  const onStaleMain = (work: Parameters<typeof onStage>[1]) =>
    onStage(changed, async (stage) => {
      stage.merge();
      await byHand(stage, "tenants/support", { description: "By hand" });
      await work(stage);
    });
  const tagOf = ({ repository }: Platform) =>
    git(repository, "for-each-ref", "--format=%(objectname)", "refs/tags/applied/prod");

  test.for(startedByHand)(
    "plans main with the reader's login, and applies exactly that: %s",
    ([name, flow], { expect }) =>
      onStaleMain(async (stage) => {
        const before = stage.writes();
        const plan = await flow.plan(stage);
        expect(plan).toMatchObject({ code: 0, reported: expect.not.stringContaining("comment") });
        expect(stage.writes()).toEqual(before);
        expect(stage.platform.comments).toEqual([]);
        const shown =
          name === "GitLab" ? plan.reported : readFileSync(join(stage.platform.folder, "summary.md"), "utf8");
        expect(shown).toContain("**1 to create, 1 to change, in 1 request.**");
        const applied = await flow.apply(stage);
        expect([applied.code, applied.reported]).toEqual([0, expect.stringContaining("Read back: in sync.")]);
        expect(stage.writes().slice(before.length)).toEqual(["PATCH /_searchguard/api/tenants"]);
        // What follows has to follow this commit.
        const { platform } = stage;
        expect(name === "GitLab" ? platform.applied : tagOf(platform)).toBe(platform.merged);
        // Started again, on a runner that has no records.
        const asked = stage.emulator.requests.length;
        const again = await flow.apply(stage);
        expect([again.code, again.reported]).toEqual([0, expect.stringContaining("Applied already")]);
        expect(stage.emulator.requests).toHaveLength(asked);
        // The commit is the one that was applied last, and main is planned and applied again.
        await byHand(stage, "tenants/support", { description: "Once more" });
        expect((await flow.plan(stage)).code).toBe(0);
        expect(await flow.apply(stage)).toMatchObject({
          code: 0,
          reported: expect.stringContaining("Read back: in sync."),
        });
      }),
  );

  test.for(startedByHand)(
    "is refused where the cluster moved after its plan, or a later commit was applied: %s",
    ([, flow], { expect }) =>
      onStaleMain(async (stage) => {
        expect((await flow.plan(stage)).code).toBe(0);
        await byHand(stage, "tenants/support", { description: "Meanwhile" });
        const before = stage.writes();
        expect(await flow.apply(stage)).toMatchObject({
          code: 5,
          reported: expect.stringContaining("tenants/support"),
        });
        const { platform } = stage;
        markApplied(platform, commitAfter(platform, platform.merged));
        expect(await flow.apply(stage)).toMatchObject({
          code: 5,
          reported: expect.stringContaining("The plan is stale"),
        });
        expect(stage.writes()).toEqual(before);
      }),
  );

  test.for(startedByHand)(
    "keeps no plan that a guard refuses, and applies none of another commit: %s",
    ([, flow], { expect }) =>
      onStage(emptied, async (stage) => {
        // Main before the merge: a plan that may be applied.
        expect((await flow.plan(stage)).code).toBe(0);
        stage.merge();
        const before = stage.writes();
        expect(await flow.apply(stage)).toMatchObject({ code: 64, reported: expect.stringContaining("was made for") });
        expect((await flow.plan(stage)).code).toBe(4);
        expect(stage.writes()).toEqual(before);
      }),
  );

  test.for(startedByHand)(
    "goes on where it is started again after it has failed, and does nothing where nothing is to be done: %s",
    ([, flow], { expect }) =>
      onStaleMain(async (stage) => {
        expect((await flow.plan(stage)).code).toBe(0);
        const refused = { at: "before", answer: { status: 403, body: "{}" } } as const;
        stage.emulator.fault = ({ method }) => (method === "GET" ? undefined : refused);
        expect((await flow.apply(stage)).code).toBe(1);
        expect([stage.platform.applied, tagOf(stage.platform)]).toEqual(["", ""]);
        stage.emulator.fault = () => undefined;
        expect(await flow.apply(stage)).toMatchObject({
          code: 0,
          reported: expect.stringContaining("Read back: in sync."),
        });
        const before = stage.writes();
        expect((await flow.plan(stage)).code).toBe(0);
        expect(await flow.apply(stage)).toMatchObject({ code: 0, reported: expect.stringContaining("in sync") });
        expect(stage.writes()).toEqual(before);
      }),
  );

  test.for(
    Object.entries<readonly [Flow, Flow]>({
      "GitHub Actions": [githubByHand(), githubByHand()],
      GitLab: [gitlabByHand(8), gitlabByHand(9)],
    }),
  )("is stale where it waited while another one was applied: %s", ([, [first, second]], { expect }) =>
    onStaleMain(async (stage) => {
      const kept = (name: string) => join(stage.platform.folder, name);
      // Each run has artefacts of its own.
      expect((await first.plan(stage)).code).toBe(0);
      renameSync(kept("artefacts"), kept("of-first"));
      expect((await second.plan(stage)).code).toBe(0);
      renameSync(kept("artefacts"), kept("of-second"));
      renameSync(kept("of-first"), kept("artefacts"));
      expect((await first.apply(stage)).code).toBe(0);
      renameSync(kept("artefacts"), kept("of-first"));
      renameSync(kept("of-second"), kept("artefacts"));
      const before = stage.writes();
      expect(await second.apply(stage)).toMatchObject({
        code: 5,
        reported: expect.stringMatching(/all its changes are\s+made already/),
      });
      expect(stage.writes()).toEqual(before);
    }),
  );

  test("of each of two targets applies the plan of its own", ({ expect }) =>
    onStaleMain(async (stage) => {
      const edited = stage.clone("edited", "main");
      const text = readFileSync(join(edited, "gate-sync.yaml"), "utf8");
      const lab = `, lab: { url: "${stage.url}", state: [lab/] } }\n`;
      writeFileSync(join(edited, "gate-sync.yaml"), text.replace(/ \}\n$/, lab));
      mkdirSync(join(edited, "lab"));
      writeFileSync(join(edited, "lab/roles.yml"), "roles: { of_lab: {} }\n");
      git(edited, "add", "-A");
      git(edited, "-c", "user.name=ann", "-c", "user.email=ann@lee.example", "commit", "-qm", "x");
      git(edited, "push", "-q", "origin", "HEAD:refs/heads/main");
      const before = stage.writes().length;
      const targets = [githubByHand("main", "lab"), githubByHand()];
      for (const flow of targets) expect((await flow.plan(stage)).code).toBe(0);
      for (const flow of targets) expect((await flow.apply(stage)).code).toBe(0);
      expect(stage.writes().slice(before)).toEqual([
        "PUT /_searchguard/api/roles/of_lab",
        "PATCH /_searchguard/api/tenants",
      ]);
      for (const flow of targets)
        expect(await flow.apply(stage)).toMatchObject({
          code: 0,
          reported: expect.stringContaining("Applied already"),
        });
      const tags = git(stage.platform.repository, "for-each-ref", "--format=%(refname)", "refs/tags/applied");
      expect(tags.split("\n")).toEqual(["refs/tags/applied/lab", "refs/tags/applied/prod"]);
    }));

  test("is refused on another branch", async ({ expect }) =>
    onStage(changed, async (stage) => {
      const flow = githubByHand("change");
      for (const job of [flow.plan, flow.apply])
        expect(await job(stage)).toMatchObject({
          code: 64,
          reported: expect.stringContaining("Choose main where you start"),
        });
      expect(stage.writes().slice(1)).toEqual([]);
    }));

  test("is for the environment, after the plan, and no guide asks for an empty commit", ({ expect }) => {
    const { plan, apply } = planAndApply.jobs;
    expect(planAndApply.on).toHaveProperty("workflow_dispatch");
    expect(apply).toMatchObject({ needs: "plan", if: expect.stringContaining("needs.plan.result == 'success'") });
    expect(plan.if).toContain("workflow_dispatch");
    const onMain = '$CI_PIPELINE_SOURCE == "web" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
    expect(gitlabJobs["gate-sync-plan-prod"]?.rules).toContainEqual({ if: onMain });
    expect(gitlabJobs["gate-sync-apply-prod"]?.rules).toContainEqual({ if: onMain, when: "manual" });
    const root = new URL("../../", import.meta.url);
    for (const folder of [".github/actions/", "templates/", "examples/", "src/", "schemas/"]) {
      const names = readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" });
      const asking = names.filter(
        (name) =>
          /\.(md|ya?ml|mjs|ts|json)$/.test(name) &&
          /empty\s+(?:#\s+)?commit/.test(readFileSync(new URL(folder + name, root), "utf8")),
      );
      expect(asking).toEqual([]);
    }
  });
});

describe("the pull-request flows of examples/", () => {
  test("name tags and branches in full, as the guides do", ({ expect }) => {
    const root = new URL("../../", import.meta.url);
    const folders = [".github/actions/", "templates/", "examples/"];
    const names = folders.flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((name) => folder + name),
    );
    const texts = ["README.md", ...names.filter((name) => /\.(md|ya?ml|mjs)$/.test(name))].map((name) =>
      readFileSync(new URL(name, root), "utf8"),
    );
    const named = texts.flatMap((text) => [
      ...text.matchAll(/ (?:--(?:base|applied-ref)|merge --\S+ --\S+)[ =]"?([^\s"`]+)|push --force \S+ (\S+?):/g),
    ]);
    const all = named.map(([, ref, pushed]) => ref ?? pushed ?? "").filter((ref) => ref !== "REF" && ref !== "out");
    expect(all.length).toBeGreaterThan(12);
    expect(all.filter((ref) => !/^refs\/(tags|remotes\/origin)\/|^"?\$(applied|GITHUB_SHA)\b/.test(ref))).toEqual([]);
  });

  test.for([planAndApply, expecting])(
    "give a fork nothing, and the writer's password to the one job alone",
    (workflow, { expect }) => {
      const { plan, apply } = workflow.jobs;
      expect(JSON.stringify(plan)).not.toContain("WRITER");
      expect(apply).toMatchObject({ environment: "prod", concurrency: { group: "gate-sync-prod", queue: "max" } });
      expect(plan.steps[0].with).toMatchObject({ "fetch-depth": 0, "persist-credentials": false });
      expect(workflow.permissions).toEqual({ contents: "read" });
    },
  );

  test("in GitLab too", ({ expect }) => {
    const {
      "gate-sync-plan-prod": plan,
      "gate-sync-apply-prod": apply,
      "gate-sync-drift-prod": drift,
      ...others
    } = gitlabJobs;
    expect(plan?.rules[0]?.if).toContain("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID");
    for (const reading of [plan, drift]) expect(JSON.stringify(reading)).not.toContain("WRITER");
    expect(drift).toMatchObject({ resource_group: "gate-sync-prod", variables: { GIT_DEPTH: "0" } });
    expect(apply).toMatchObject({ environment: "prod", resource_group: "gate-sync-prod" });
    expect(plan?.variables).toMatchObject({ GIT_DEPTH: "0" });
    expect(Object.keys(others)).toEqual(["gate-sync-validate-prod"]);
    expect(JSON.stringify(others)).not.toMatch(/READER|WRITER|TOKEN|PLAN_KEY/);
  });
});
