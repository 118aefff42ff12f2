// The component of templates/, job by job, where something is not as it should be: its flow is in ci-examples.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isFull } from "../support/extent.ts";
import { gitlabJob } from "../support/gitlab.ts";
import { commentOn, type Fault, failRequests, git } from "../support/jobs.ts";
import {
  byHand,
  changed,
  emptied,
  expectOneComment,
  gitlabFlow as flow,
  gitlabJobs,
  lookForDrift,
  marker,
  onManyComments,
  onStage,
  replacePlan,
  type Stage,
} from "./pull-requests.ts";

const canRun = ["git", "bash"].every((program) => spawnSync(program, ["--version"]).status === 0);
if (!canRun) console.warn("git or bash is not installed: the component for GitLab is not tested.");

const withNotes = (work: (stage: Stage) => Promise<void>) => onManyComments(bot, work);
const bot = "project_3_bot";

describe.skipIf(!canRun).concurrent("the note", () => {
  test("is written once and then kept up to date: by its first line and its author, among many", async () => {
    await withNotes(async (stage) => {
      const first = await expectOneComment(stage, bot, () => flow.plan(stage));
      const job = "https://gitlab.example/us/access/-/jobs/70";
      expect(first).toContain(
        `\n\nCommit ${stage.platform.head.slice(0, 12)} · target \`prod\` · [page for the browser](${job}/artifacts/file/gate-sync-plan.html) · [log](${job})`,
      );
    });
  });

  test.runIf(isFull).each<[string, string, Fault]>([
    ["half of them are listed", "GET merge_requests/12/notes?sort=asc&per_page=100&page=2", { status: 502 }],
    ["it was written and no answer came", "POST merge_requests/12/notes", { status: 502, tookEffect: true }],
  ])("is written once where %s", async (_, begin, fault) => {
    await withNotes(async (stage) => {
      replacePlan(stage);
      failRequests(stage.platform, begin, fault, 1);
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      expect(stage.platform.comments).toHaveLength(151);
    });
  });

  test.runIf(isFull).each([500, 401])(
    "fails the job where it cannot be updated, by %d, and the plan is not applied",
    async (status) => {
      await onStage(changed, async (stage) => {
        replacePlan(stage);
        failRequests(stage.platform, "GET merge_requests/12/notes", { status });
        const { code, reported } = await flow.plan(stage);
        expect({ code, comments: stage.platform.comments }).toEqual({ code: 1, comments: [] });
        expect(reported).toContain(`could not be updated, and may show an older plan. GET merge_requests/12/notes`);
        stage.merge();
        expect(await flow.apply(stage)).toMatchObject({
          code: 1,
          reported: expect.stringContaining(
            "Merge request 12 has no plan: its last pipeline in its target branch of today has no job gate-sync-plan-prod that succeeded. Start a pipeline on main from the web page",
          ),
        });
        expect(stage.writes().slice(1)).toEqual([]);
      });
    },
  );

  test.runIf(isFull)("is left to a newer commit", async () => {
    await onStage(changed, async (stage) => {
      replacePlan(stage);
      failRequests(stage.platform, "GET merge_requests/12", { status: 200, body: '{ "sha": "f00" }' });
      const { code, reported } = await flow.plan(stage);
      expect({ code, comments: stage.platform.comments }).toEqual({ code: 0, comments: [] });
      expect(reported).toContain("A newer commit was pushed meanwhile");
    });
  });

  test.runIf(isFull)("says why nothing was planned, in the place of an older plan", async () => {
    await onStage("tenants: { kept: { descriptio: x } }\n", async (stage) => {
      stage.platform.comments.push({ id: 1, author: "project_3_bot", body: `${marker}\n\nolder` });
      expect(await flow.plan(stage)).toMatchObject({ code: 3 });
      expect(stage.platform.comments).toHaveLength(1);
      expect(commentOn(stage.platform)).toContain("**The files have 1 error: nothing was planned.**");
    });
  });
});

describe.runIf(canRun && isFull).concurrent("what GitLab reads", () => {
  test("is kept of a refused plan, too", async () => {
    await onStage(emptied, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 4 });
      const kept = join(stage.platform.folder, "artefacts/plan");
      expect(readFileSync(join(kept, "gate-sync.env"), "utf8")).toMatch(
        /^GATE_SYNC_RESULT=refused\nGATE_SYNC_CHANGES=4\n/,
      );
      const issues: readonly { readonly check_name: string }[] = JSON.parse(
        readFileSync(join(kept, "gate-sync-code-quality.json"), "utf8"),
      );
      expect(issues.map(({ check_name }) => check_name)).toContain("deletions");
      expect(readFileSync(join(kept, "gate-sync-plan.html"), "utf8")).toContain("<!doctype html>");
    });
  });

  test("is there of the default branch, for merge requests to be compared with", async () => {
    await onStage(changed, async (stage) => {
      await flow.plan(stage);
      stage.merge();
      expect(await flow.apply(stage)).toMatchObject({ code: 0 });
      const kept = join(stage.platform.folder, "artefacts/apply/gate-sync-code-quality.json");
      expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual([]);
    });
  });
});

describe.skipIf(!canRun).concurrent("a schedule", () => {
  test("compares with what was applied last, and not with what is merged", () =>
    onStage(changed, async (stage) => {
      await flow.plan(stage);
      // Of the first commit of main, and of a merge that is not applied: the cluster was not changed.
      stage.platform.applied = git(stage.clone("at", "main"), "rev-parse", "HEAD");
      stage.merge();
      const waiting = await lookForDrift(stage);
      expect(waiting).toMatchObject({ code: 0, reported: expect.stringContaining("of git not applied yet") });
      expect(waiting.reported).not.toContain("on the server");
      expect(await flow.apply(stage)).toMatchObject({ code: 0 });
      expect(await lookForDrift(stage)).toMatchObject({ code: 0 });
      await byHand(stage, "tenants/support", { description: "By hand" });
      expect(await lookForDrift(stage)).toMatchObject({
        code: 2,
        reported: expect.stringContaining("Drift: 1 changed on the server."),
      });
      const kept = join(stage.platform.folder, "artefacts/drift/gate-sync-drift.xml");
      expect(readFileSync(kept, "utf8")).toContain("changed on the server");
    }));

  test.runIf(isFull)("names no origin where nothing was applied, and compares nothing where that is unknown", () =>
    onStage(changed, async (stage) => {
      stage.merge();
      const first = await lookForDrift(stage);
      expect(first).toMatchObject({ code: 2, reported: expect.stringContaining("origin unknown") });
      expect(first.reported).not.toContain("changed on the server");
      failRequests(stage.platform, "GET deployments", { status: 403 });
      expect(await lookForDrift(stage)).toMatchObject({
        code: 1,
        reported: expect.stringContaining("Which commit was applied last is unknown. Nothing was compared."),
      });
    }),
  );
});

describe.skipIf(!canRun).concurrent("a merge request from a fork", () => {
  test("is validated, and after the merge it is not applied", async () => {
    await onStage(changed, async (stage) => {
      const { platform, clone } = stage;
      const job = gitlabJobs["gate-sync-validate-prod"];
      const before = stage.emulator.requests.length;
      const done = job && (await gitlabJob(platform, "validate", job, { cwd: clone("validate", "change"), env: {} }));
      expect(done).toMatchObject({ code: 0, reported: expect.stringContaining("No problems in 1 file.") });
      expect(done?.reported).toContain("A fork gets no variables, so it gets no plan");
      expect(existsSync(join(platform.folder, "artefacts/validate/gate-sync-code-quality.json"))).toBe(true);
      expect(stage.emulator.requests.length).toBe(before);
      platform.isOfFork = true;
      stage.merge();
      expect(await flow.apply(stage)).toMatchObject({
        code: 1,
        reported: expect.stringContaining("Merge request 12 came from a fork, which gets no plan."),
      });
      expect(stage.writes().slice(1)).toEqual([]);
    });
  });
});

describe("the component", () => {
  const text = readFileSync(new URL("../../templates/gate-sync/template.yml", import.meta.url), "utf8");
  const [header = "", jobs = ""] = text.split("\n---\n");

  test("declares its inputs, and hands none to a script but by a variable", () => {
    const { inputs } = parse(header).spec;
    const used = [...jobs.matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name = ""]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
    for (const job of Object.values<{ script: readonly string[]; after_script?: readonly string[] }>(parse(jobs)))
      expect([...job.script, ...(job.after_script ?? [])].join("\n")).not.toContain("$[[");
    const target = new RegExp(inputs.target.regex);
    expect(["prod", "eu-1.prod", "a b", 'x"', "x\ny", "$x", ""].filter((name) => target.test(name))).toEqual([
      "prod",
      "eu-1.prod",
    ]);
  });

  test("gives a fork nothing, and a merge train no plan: each job says for whose merge requests it is", () => {
    const rules = Object.fromEntries(
      Object.entries(gitlabJobs).map(([name, job]) => [name, job.rules.map((rule) => rule.if)]),
    );
    const inRequest = '$CI_PIPELINE_SOURCE == "merge_request_event"';
    const byHand = '$CI_PIPELINE_SOURCE == "web" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
    expect(rules).toEqual({
      "gate-sync-plan-prod": [
        `${inRequest} && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID && $CI_MERGE_REQUEST_EVENT_TYPE != "merge_train"`,
        byHand,
      ],
      "gate-sync-validate-prod": [
        `${inRequest} && $CI_PROJECT_ID == $CI_MERGE_REQUEST_SOURCE_PROJECT_ID && $CI_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID`,
        '$CI_MERGE_REQUEST_EVENT_TYPE == "merge_train"',
      ],
      "gate-sync-apply-prod": ['$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH', byHand],
      "gate-sync-drift-prod": ['$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'],
    });
  });
});
