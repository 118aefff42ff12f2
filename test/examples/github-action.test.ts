// The action of .github/actions, step by step, where something is not as it should be: its flows are in ci-examples.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inFolder } from "../support/command.ts";
import { isFull } from "../support/extent.ts";
import { action, findLooseSecrets } from "../support/github.ts";
import { mergedPull } from "../support/github-records.ts";
import { commentOn, example, type Fault, failRequests, git } from "../support/jobs.ts";
import {
  changed,
  emptied,
  expectOneComment,
  githubFlow,
  marker,
  onManyComments,
  onStage,
  passwords,
  planAndApply,
  replacePlan,
  type Stage,
} from "./pull-requests.ts";

const canRun = ["git", "bash"].every((program) => spawnSync(program, ["--version"]).status === 0);
if (!canRun) console.warn("git or bash is not installed: the action for GitHub is not tested.");

const flow = githubFlow(planAndApply);
const withComments = (work: (stage: Stage) => Promise<void>) => onManyComments(bot, work);
const bot = "github-actions[bot]";

describe.skipIf(!canRun).concurrent("the comment", () => {
  test("is written once and then kept up to date: by its first line and its author, among many", async () => {
    await withComments(async (stage) => {
      const first = await expectOneComment(stage, bot, () => flow.plan(stage));
      expect(first).toContain(
        `\n\nCommit ${stage.platform.head.slice(0, 12)} · target \`prod\` · [page for the browser](https://github.example/artifact/1) · [log](https://github.example/us/access/actions/runs/7)`,
      );
    });
  });

  test.runIf(isFull).each<[string, string, Fault, number]>([
    ["half of them are listed", "GET issues/12/comments?per_page=100&page=2", { status: 502 }, 1],
    ["it was written and no answer came", "POST issues", { status: 502, tookEffect: true }, 1],
    ["it comes too fast", "POST issues", { status: 403, headers: { "retry-after": "1" } }, 2],
  ])("is written once where %s", async (_, begin, fault, times) => {
    await withComments(async (stage) => {
      replacePlan(stage);
      failRequests(stage.platform, begin, fault, times);
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      expect(stage.platform.comments).toHaveLength(151);
    });
  });

  test.runIf(isFull)(
    "fails the job where it cannot be updated, and no plan is kept: what reviewers read is older",
    async () => {
      await withComments(async (stage) => {
        replacePlan(stage);
        const lines = failRequests(stage.platform, "GET issues/12/comments?per_page=100&page=2", { status: 500 });
        const { code, reported } = await flow.plan(stage);
        expect({ code, reported }).toEqual({
          code: 1,
          reported: expect.stringContaining("could not be updated, and may show an older plan. GET issues/12/comments"),
        });
        expect(lines.filter((line) => !line.startsWith("GET"))).toEqual([]);
        expect(existsSync(join(stage.platform.folder, "artefacts/gate-sync-plan-12-prod"))).toBe(false);
        stage.merge();
        expect((await flow.apply(stage)).code).toBe(1);
        expect(stage.writes().slice(1)).toEqual([]);
      });
    },
  );

  test.runIf(isFull)("is left out with a notice where the token may not write", async () => {
    await onStage(changed, async (stage) => {
      replacePlan(stage);
      failRequests(stage.platform, "POST", {
        status: 403,
        body: '{"message":"Resource not accessible by integration"}',
      });
      const { code, reported } = await flow.plan(stage);
      expect({ code, comments: stage.platform.comments }).toEqual({ code: 0, comments: [] });
      expect(reported).toContain("::notice title=gate-sync::The plan is not shown as a comment");
      expect(reported).toContain("Resource not accessible by integration");
    });
  });

  test("says where another pull request has the branch, and only there", async () => {
    const old = { ...mergedPull, number: 13, merged_at: null };
    const now = new Date().toISOString();
    await onStage(changed, async (stage) => {
      replacePlan(stage);
      const { head } = stage.platform;
      for (const [other, isShown] of [
        [{ ...old, closed_at: null }, true],
        [{ ...old, closed_at: now }, true],
        [{ ...old, head: { ...old.head, sha: head } }, true],
        [old, false],
        [{ ...old, closed_at: null, head: { ...old.head, ref: "other" } }, false],
        [{ ...old, number: 12, closed_at: null }, false],
      ] as const) {
        stage.platform.github = {
          pulls: [other],
          runs: [],
          artefactsOf: () => [],
          readTag: () => undefined,
          compare: () => "",
        };
        const { code, reported } = await flow.plan(stage);
        const what = "Pull request 13 has this branch, too";
        expect([
          code,
          reported.includes(`::warning title=gate-sync::${what}`),
          commentOn(stage.platform)?.includes(what),
        ]).toEqual([0, isShown, isShown]);
      }
    });
  });

  test.runIf(isFull)("is left to a newer commit", async () => {
    await onStage(changed, async (stage) => {
      replacePlan(stage);
      failRequests(stage.platform, "GET pulls/12", { status: 200, body: '{ "head": { "sha": "f00" } }' });
      const { code, reported } = await flow.plan(stage);
      expect({ code, comments: stage.platform.comments }).toEqual({ code: 0, comments: [] });
      expect(reported).toContain("A newer commit was pushed meanwhile");
    });
  });

  test.runIf(isFull)("says why nothing was planned, in the place of an older plan", async () => {
    await onStage("tenants: { kept: { descriptio: x } }\n", async (stage) => {
      stage.platform.comments.push({ id: 1, author: "github-actions[bot]", body: `${marker}\n\nolder` });
      const { code, reported } = await flow.plan(stage);
      expect(code).toBe(3);
      expect(stage.platform.comments).toHaveLength(1);
      expect(commentOn(stage.platform)).toContain("**The files have 1 error: nothing was planned.**");
      expect(reported).toContain("::error file=access/tenants.yml,line=1");
    });
  });

  test.runIf(isFull)("says so where there is not even a report", async () => {
    await onStage(changed, async (stage) => {
      const { folder } = stage.platform;
      const steps = planAndApply.jobs.plan.steps;
      const broken = {
        jobs: {
          plan: { steps: steps.map((step: object) => ("run" in step ? { run: "rm -f ../ci/programs/npx" } : step)) },
        },
      };
      const { code } = await githubFlow({ ...planAndApply, ...broken }).plan(stage);
      expect({ isDone: code === 0, kept: existsSync(join(folder, "artefacts")) }).toEqual({
        isDone: false,
        kept: false,
      });
      expect(commentOn(stage.platform)).toContain("**gate-sync ended without a plan.** The log says why.");
    });
  });
});

describe.skipIf(!canRun).concurrent("a pull request from a fork", () => {
  test("is validated and not planned; nothing is asked, written or kept, and after the merge it is not applied", async () => {
    await onStage(changed, async (stage) => {
      stage.platform.isOfFork = true;
      const lines = failRequests(stage.platform, "never", { status: 500 });
      const before = stage.emulator.requests.length;
      const { code, reported, environments } = await flow.plan(stage);
      expect(code).toBe(0);
      expect(reported).toContain("::notice title=gate-sync::A fork gets no secrets, so it gets no plan");
      expect(reported).toContain("No problems in 2 files.");
      expect([...environments.keys()]).toEqual(expect.arrayContaining(["Validate the files of a fork"]));
      expect([...environments.keys()]).not.toContain("Plan");
      expect({ lines, asked: stage.emulator.requests.length }).toEqual({ lines: [], asked: before });
      stage.merge();
      expect(await flow.apply(stage)).toMatchObject({
        code: 1,
        reported: expect.stringContaining("Pull request 12 came from a fork, which gets no plan."),
      });
      expect(stage.writes().slice(1)).toEqual([]);
    });
  });

  test.runIf(isFull)("with a mistake is red", async () => {
    await onStage("tenants: { kept: { descriptio: x } }\n", async (stage) => {
      stage.platform.isOfFork = true;
      expect(await flow.plan(stage)).toMatchObject({
        code: 3,
        reported: expect.stringContaining("::error file=access/tenants.yml,line=1"),
      });
    });
  });
});

describe.runIf(canRun && isFull).concurrent("the plan that is applied", () => {
  test("is one that was kept: neither a refused one, nor one whose artefact is gone", async () => {
    await onStage(emptied, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 4 });
      stage.merge();
      stage.platform.hasSucceeded = true;
      expect(await flow.apply(stage)).toMatchObject({
        code: 1,
        reported: expect.stringContaining(
          "Pull request 12 has no plan: no successful run of .github/workflows/access.yml for its last commit kept gate-sync-plan-12-prod. Start this workflow by hand on the default branch",
        ),
      });
      expect(stage.writes().slice(1)).toEqual([]);
    });
  });

  test("is not looked for elsewhere where GitHub does not answer", async () => {
    await onStage(changed, async (stage) => {
      expect(await flow.plan(stage)).toMatchObject({ code: 0 });
      stage.merge();
      failRequests(stage.platform, "GET actions/runs?", { status: 503 });
      expect(await flow.apply(stage)).toMatchObject({ code: 1, reported: expect.stringContaining("503") });
      expect(stage.writes().slice(1)).toEqual([]);
      failRequests(stage.platform, "GET actions/runs?", { status: 503 }, 2);
      expect(await flow.apply(stage)).toMatchObject({ code: 0 });
    });
  });
});

test.skipIf(!canRun)("a tag with a message counts as what it is at", async () => {
  await onStage(changed, async (stage) => {
    stage.merge();
    const { repository, merged } = stage.platform;
    const author = ["-c", "user.name=ann", "-c", "user.email=ann@lee.example"];
    git(repository, ...author, "tag", "-a", "-m", "by hand", "applied/prod", merged);
    const { code, reported, environments } = await flow.apply(stage);
    expect({ code, reported }).toEqual({ code: 0, reported: expect.stringContaining("Applied already") });
    expect([...environments.keys()]).not.toContain("Apply");
  });
});

describe.runIf(canRun && isFull).concurrent("code scanning", () => {
  test("gets the report; where it takes none, a notice says what it needs", async () => {
    await onStage(emptied, async (stage) => {
      const { folder } = stage.platform;
      expect(await flow.plan(stage)).toMatchObject({ code: 4 });
      expect(readFileSync(join(folder, "scanning.sarif"), "utf8")).toContain("gate-sync/plan/prod/");
    });
    await onStage(changed, async (stage) => {
      const { folder } = stage.platform;
      stage.platform.refusesScanning = true;
      const { code, reported } = await flow.plan(stage);
      expect(code).toBe(0);
      expect(reported).toContain("::notice title=gate-sync::Code scanning took no report.");
      expect(readdirSync(join(folder, "artefacts"))).toEqual(["gate-sync-plan-12-prod", "gate-sync-report-prod.html"]);
    });
  });
});

describe.concurrent("the action", () => {
  const { steps } = action.runs;

  test.skipIf(!canRun).each([
    ["plan", "pull_request_target"],
    ["plan", "push"],
    ["apply", "pull_request"],
    ["aply", "push"],
  ])("in mode %s on %s does nothing but say so", (mode, event) => {
    const env = { MODE: mode, GITHUB_EVENT_NAME: event, HEAD_REPOSITORY: "us/access", GITHUB_REPOSITORY: "us/access" };
    const { status, stdout } = spawnSync("bash", ["-e", "-c", steps[0]?.run ?? ""], { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({
      status: 64,
      stdout: expect.stringContaining(`This is ${mode} on ${event}.`),
    });
  });

  test.skipIf(!canRun)("calls the plans of two targets by two names, of what names of artefacts take", () =>
    inFolder({ outputs: "" }, async (folder) => {
      const targets = [
        "prod",
        "12-prod.html",
        "12-",
        "eu-prod",
        "eu/prod",
        "eu prod",
        "eu~2f~prod",
        "eu\nprod",
        "\u{1f510}",
        "-prod",
        "",
      ];
      const names = targets.map((TARGET) => {
        const outputs = join(folder, "outputs");
        writeFileSync(outputs, "");
        const env = {
          PATH: process.env.PATH,
          MODE: "apply",
          GITHUB_EVENT_NAME: "push",
          GITHUB_OUTPUT: outputs,
          TARGET,
        };
        spawnSync("bash", ["-e", "-c", steps[0]?.run ?? ""], { env });
        return /^name=(.*)\n(?!name)/m.exec(readFileSync(outputs, "utf8"))?.[1];
      });
      expect(names.filter((name) => name === undefined || !/^(-[\w.~-]+)?$/.test(name))).toEqual([]);
      expect([names[0], new Set(names).size]).toEqual(["-prod", targets.length]);
      const outputs = /^report=(.*)$/m.exec(readFileSync(join(folder, "outputs"), "utf8"));
      // The page of no target has the name of a plan, whatever number that is of.
      expect(outputs?.[1]).toMatch(/^gate-sync-report/);
    }),
  );

  test("hands a script its inputs by the environment, each secret to the steps that need it", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    const needing = (text: string) =>
      steps.filter((step) => JSON.stringify(step).includes(text)).map(({ name }) => name);
    expect(needing("inputs.password")).toEqual(["Plan", "Apply"]);
    expect(needing("inputs.plan-key")).toEqual(["Plan", "Apply"]);
    expect(needing("inputs.token")).toEqual(["Comment", "Find the reviewed plan", "Get it"]);
    expect(needing("secrets.")).toEqual([]);
  });

  test("goes by the proxy of a runner where it asks GitHub", () => {
    const asking = steps.filter(({ run = "" }) => run.startsWith("node "));
    expect(asking.map(({ env }) => env?.NODE_USE_ENV_PROXY)).toEqual(["1", "1"]);
  });

  test.skipIf(!canRun)("makes no command of what an input holds", async () => {
    const target = '$(touch ../made)"; touch ../made; "`touch ../made`';
    const steps = planAndApply.jobs.plan.steps.map((step: { with?: object }) =>
      step.with && "target" in step.with ? { ...step, with: { ...step.with, target } } : step,
    );
    await onStage(changed, async (stage) => {
      const { code, reported } = await githubFlow({ ...planAndApply, jobs: { plan: { steps } } }).plan(stage);
      expect(code).toBe(64);
      expect(reported).toContain("There is no target");
      expect(readdirSync(stage.folder)).not.toContain("made");
      expect(commentOn(stage.platform)?.split("\n", 1)).toEqual([`<!-- gate-sync:${encodeURIComponent(target)} -->`]);
    });
  });

  test.skipIf(!canRun)("gives the writer's password to one step of one job, and no job has both", async () => {
    await onStage(changed, async (stage) => {
      const plan = await flow.plan(stage);
      stage.merge();
      const apply = await flow.apply(stage);
      expect([plan.code, apply.code]).toEqual([0, 0]);
      const having = ({ environments }: typeof plan, text: string) =>
        [...environments].filter(([, env]) => Object.values(env).includes(text)).map(([name]) => name);
      expect([having(plan, passwords.reader), having(plan, passwords.writer)]).toEqual([["Plan"], []]);
      expect([having(apply, passwords.reader), having(apply, passwords.writer)]).toEqual([[], ["Apply"]]);
    });
  });
});

test.skipIf(!canRun)("later steps get the result, the number of changes and the fingerprint", async () => {
  for (const [files, result, changes] of [
    [changed, "pending", "2"],
    [emptied, "refused", "4"],
  ] as const)
    await onStage(files, async (stage) => {
      const { outputs } = await flow.plan(stage);
      expect(outputs).toEqual({ result, changes, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(commentOn(stage.platform)).toContain(outputs.fingerprint);
    });
});

test.each(["plan-and-apply", "expect", "drift", "fleet"])(
  "github-%s.yml gives its secrets to gate-sync alone",
  (name) => {
    const workflow = example(`github-${name}.yml`);
    expect(JSON.stringify(workflow)).toContain("secrets.");
    expect(findLooseSecrets(workflow)).toEqual([]);
  },
);

test.each(["plan-and-apply", "expect"])(
  "a merge queue is answered by jobs that are left out: github-%s.yml",
  (name) => {
    const { on, jobs }: { on: object; jobs: Record<string, { if?: string }> } = example(`github-${name}.yml`);
    expect(Object.keys(on)).toContain("merge_group");
    for (const { if: condition } of Object.values(jobs))
      expect(condition).toMatch(
        /^(?:\$\{\{ !cancelled\(\) && \()?github\.event_name == '(?:pull_request|push|workflow_dispatch)'/,
      );
  },
);

describe("what is pinned", () => {
  const root = new URL("../../", import.meta.url);
  const folders = [".github/workflows/", ".github/actions/gate-sync/", "examples/ci/"];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith(".yml"))
      .map((name) => `${folder}${name}`),
  );

  test.each(files)("%s: actions of others by digest, and no event that gives a fork our secrets", (file) => {
    const text = readFileSync(new URL(file, root), "utf8");
    const uses = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, used = ""]) => used);
    const loose = uses.filter((used) => !used.startsWith("./") && !/^[\w./-]+@[0-9a-f]{40} # v\d/.test(used));
    expect(loose).toEqual([]);
    expect(text).not.toContain("pull_request_target");
  });
});
