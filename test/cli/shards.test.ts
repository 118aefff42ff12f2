// The examples that divide targets among jobs: each starts as many as it divides them into, and the jobs of GitHub and GitLab do what they are for.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { inFolder } from "../support/command.ts";
import { isFull } from "../support/extent.ts";
import { withGitLab } from "../support/gitlab.ts";
import { example, git, inBash, openPlatform, type Platform } from "../support/jobs.ts";
import { listJobs, type Manifest, readManifests } from "../support/kubernetes.ts";

const github = example("github-fleet.yml").jobs;
const gitlab = example("gitlab-fleet.yml");
const manifests = readManifests();
const job: Manifest = listJobs(manifests).find(([name]) => name === "gate-sync-plan-")?.[1];
const workflow: Manifest = manifests.find(({ kind }) => kind === "Workflow").spec;
const templateOf = (name: string): Manifest => workflow.templates.find((each: Manifest) => each.name === name);
const [planTask, reportTask] = templateOf("plan-and-report").dag.tasks;
const stepsOf = (name: string): string => github[name].steps.map(({ run = "" }) => `${run}\n`).join("");

const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

test.for<[engine: string, parts: readonly string[], words: string]>([
  ["Kubernetes", upTo(job.completions), job.template.spec.containers[0].args.join(" ")],
  ["Argo", upTo(Number(planTask.withSequence.count)), templateOf("plan").container.args.join(" ")],
  ["GitHub", github.drift.strategy.matrix.part.map(String), stepsOf("drift")],
  ["GitLab", gitlab.drift.parallel.matrix[0].PART, gitlab.drift.script.join(" ")],
])("%s starts as many parts as there are, each once", ([, parts, words], { expect }) => {
  expect(parts).toEqual(upTo(parts.length));
  const [, of] = /--all-targets --shard "?\S+?\/(\d+)/.exec(words) ?? [];
  expect(Number(of)).toBe(parts.length);
});

test("a part that fails ends no other, and is reported", () => {
  expect(github.drift.strategy["fail-fast"]).toBe(false);
  expect(github.report).toMatchObject({ needs: "drift", if: "always()" });
  expect(gitlab["drift-report"]).toMatchObject({ stage: ".post", rules: [{ when: "always" }] });
  expect(gitlab.drift.artifacts.when).toBe("always");
  expect(templateOf("plan-and-report").dag.failFast).toBe(false);
  expect(reportTask.depends).toBe("plan.Succeeded || plan.Failed || plan.Errored");
  expect(job.backoffLimitPerIndex).toBeGreaterThan(0);
});

test("Argo starts what Kubernetes starts, as the same user", () => {
  const [{ args, securityContext, resources, envFrom, image }] = job.template.spec.containers;
  const { container } = templateOf("plan");
  const plain = (words: readonly string[]) =>
    words.map((word) =>
      word.replace("$(RUN)-", "").replace(/\$\(JOB_COMPLETION_INDEX\)|\{\{inputs.parameters.index\}\}/, "N"),
    );
  expect(plain(container.args)).toEqual(plain(args));
  expect(container).toMatchObject({ securityContext, resources, envFrom, image });
  expect(workflow.securityContext).toEqual(job.template.spec.securityContext);
  const dockerfile = readFileSync(new URL("../../examples/container/Dockerfile", import.meta.url), "utf8");
  for (const name of ["plan", "report"])
    expect(dockerfile).toContain(
      `ENTRYPOINT ${JSON.stringify(templateOf(name).container.command).replaceAll(",", ", ")}`,
    );
  const [final] = job.podFailurePolicy.rules.flatMap(({ onExitCodes }: Manifest) => onExitCodes ?? []);
  expect(templateOf("plan").retryStrategy).toEqual({
    limit: String(job.backoffLimitPerIndex),
    retryPolicy: "Always",
    expression: `not (asInt(lastRetry.exitCode) in [${final.values.join(", ")}])`,
  });
});

/** A clone whose tag is what was applied, and five clusters; on one of them a tenant was made by hand. */
async function onStage(work: (platform: Platform, cwd: string) => Promise<void>): Promise<void> {
  const users = [{ name: "reader", password: "of the reader", rights: "read" } as const];
  const state = (...names: string[]) => ({ tenants: Object.fromEntries(names.map((name) => [name, {}])) });
  const emulators: Emulator[] = [];
  for (const at of upTo(5))
    emulators.push(
      await startEmulator({ product: "gate", users, state: at === "3" ? state("hr", "by_hand") : state("hr") }),
    );
  const files = {
    "gate-sync.yaml": `defaults:
  product: gate
  state: [access]
  auth: { username: reader, password: "\${env:READER_PASSWORD}" }
targets:
${emulators.map(({ url }, at) => `  prod-${at}: { url: "${url}" }\n`).join("")}`,
    // A report of another day.
    "part-1.json": "{}",
    "access/tenants.yml": "tenants: { hr: {} }\n",
    ".gitignore": "node_modules\n",
  };
  try {
    await inFolder(files, async (cwd) => {
      git(cwd, "init", "-q");
      git(cwd, "add", "-A");
      git(cwd, "-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "commit", "-qm", "x");
      git(cwd, "tag", "applied/all");
      await inFolder({}, (folder) => work(openPlatform(folder, ""), cwd));
    });
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()));
  }
}

const flows: readonly (readonly [string, readonly string[], string, string, string])[] = [
  ["GitHub", github.drift.strategy.matrix.part.map(String), stepsOf("drift"), stepsOf("report"), "summary.md"],
  [
    "GitLab",
    gitlab.drift.parallel.matrix[0].PART,
    gitlab.drift.script.join("\n"),
    gitlab["drift-report"].script.join("\n"),
    "drift.xml",
  ],
];

// Twice as many programs as parts: each has to load all of it.
describe.runIf(isFull)("the jobs", () => {
  test.for(flows)(
    "of %s find what was changed on one of several clusters",
    ([name, parts, drift, report, written], { expect }) =>
      onStage(async (platform, cwd) => {
        const codes: (number | undefined)[] = [];
        const kept = join(name === "GitHub" ? platform.folder : cwd, "parts");
        const uploaded = join(platform.folder, "uploaded");
        platform.applied = git(cwd, "rev-parse", "HEAD").trim();
        // No job of GitLab moves a tag.
        if (name === "GitLab") git(cwd, "tag", "--delete", "applied/all");
        await withGitLab(platform, async (api) => {
          const env = {
            CI_API_V4_URL: api,
            CI_PROJECT_ID: "3",
            CI_DEFAULT_BRANCH: "main",
            GATE_SYNC_API_TOKEN: "glpat-1",
            GATE_SYNC_TARGET: gitlab.drift.variables.GATE_SYNC_TARGET,
            RUNNER_TEMP: platform.folder,
          };
          for (const PART of parts) {
            codes.push((await inBash(platform, drift, cwd, { ...env, PART, READER_PASSWORD: "of the reader" })).code);
            cpSync(
              join(name === "GitHub" ? platform.folder : kept, `part-${PART}.json`),
              join(uploaded, `part-${PART}.json`),
            );
          }
        });
        expect(codes.filter((code) => code !== 0)).toEqual([2]);
        cpSync(uploaded, kept, { recursive: true });
        const env = { GITHUB_STEP_SUMMARY: join(cwd, "summary.md"), RUNNER_TEMP: platform.folder };
        const { code, reported } = await inBash(platform, report, cwd, env);
        expect({ code, reported }).toMatchObject({ code: 2 });
        const shown = readFileSync(join(cwd, written), "utf8");
        expect(shown).not.toMatch(/origin (of what differs )?is unknown/i);
        expect(shown).toContain("by_hand");
        expect(shown).toContain("prod-3");
        // One that is missing is missing, whatever was committed.
        const drifted = parts.find((part) => readFileSync(join(kept, `part-${part}.json`), "utf8").includes("by_hand"));
        rmSync(join(kept, `part-${drifted}.json`));
        expect((await inBash(platform, report, cwd, env)).code).toBe(1);
        if (name === "GitHub") return;
        writeFileSync(join(kept, "part-1.json"), "{}");
        git(cwd, "add", "parts/part-1.json");
        expect(await inBash(platform, report, cwd, env)).toMatchObject({
          code: 1,
          reported: expect.stringContaining("Remove parts/ from the repository"),
        });
      }),
  );
});
