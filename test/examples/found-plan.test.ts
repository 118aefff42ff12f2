// Whatever pull requests, runs and artefacts there are: what is applied was made for the pull request that was merged, by a run
// of this workflow in this repository, and nothing but one file of it gets into the checkout.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type Random, randomFrom } from "../fixtures/random.ts";
import { seeds } from "../properties/seed.ts";
import {
  findApplied,
  type KeptPlan,
  listChangedFiles,
  openCheckout,
  type Shape,
  shapes,
  writeArtefact,
} from "../support/checkout.ts";
import { inFolder } from "../support/command.ts";
import { everyNth } from "../support/extent.ts";
import { githubJob } from "../support/github.ts";
import {
  type GitHubPull,
  type GitHubRecords,
  type GitHubRun,
  mergedPull as pull,
  planningRun as run,
  them,
  us,
} from "../support/github-records.ts";
import { gitlabJob, listDeployments, planningPipeline } from "../support/gitlab.ts";
import { pathOf, withApi } from "../support/jobs.ts";
import { gitlabJobs, planAndApply } from "./pull-requests.ts";

const canRun = ["git", "bash", "mkfifo"].every((program) => spawnSync(program, ["--version"]).status === 0);
if (!canRun) console.warn("git, bash or mkfifo is not installed: which plan is found is not tested.");

const merge = "aaa1";
const head = "bbb1";
const positions = ["none", "ahead", "ahead", "ahead", "identical", "behind", "diverged"] as const;

interface Artefact {
  readonly run: number;
  readonly name: string;
  readonly expired: boolean;
  /** After the merge where the run was started again. */
  readonly created_at: string;
  readonly shape: Shape;
  readonly plan: KeptPlan;
}

/** By field. */
type Alternatives = Readonly<Record<string, readonly unknown[]>>;

/** Each field is another one's with this chance: one by one, as attackers have them. */
function vary<T extends object>(random: Random, one: T, others: Alternatives, chance: number): T {
  const changed = Object.entries(others).flatMap(([key, values]) =>
    random.chance(chance) ? [[key, random.pick(values)]] : [],
  );
  return { ...one, ...Object.fromEntries(changed) };
}

const made = { pull_request: "12", base: "main", head };
const otherChanges = { pull_request: ["13"], base: ["dev"], head: ["bbb2"] } as const;

const otherPulls = {
  merged_at: [null],
  merge_commit_sha: ["aaa2", head, null],
  base: [
    { ref: "dev", repo: us },
    { ref: "main", repo: them },
  ],
  head: [
    { ref: "other", sha: "bbb2", repo: us },
    { ref: "change", sha: head, repo: them },
    { ref: "change", sha: head, repo: null },
  ],
};
const otherRuns = {
  event: ["push", "workflow_dispatch", "pull_request_target"],
  conclusion: ["failure", "cancelled"],
  created_at: ["2026-01-01T12:00:01Z"],
  head_branch: ["other"],
  head_sha: ["bbb2", merge],
  head_repository: [them, null],
  path: [".github/workflows/other.yml", ".github/workflows/access.yml.yml", "access.yml@.github/workflows/access.yml"],
};

interface GitHubCase {
  readonly pulls: readonly GitHubPull[];
  readonly runs: readonly GitHubRun[];
  readonly artefacts: readonly Artefact[];
  /** When its base branch was changed. */
  readonly changedBase?: string;
  readonly position: (typeof positions)[number];
  readonly knowsNoFilter: boolean;
}

/** One of another branch, and one of the same branch into a branch of its author's own. */
const another = { ...pull, number: 13, head: { ...pull.head, ref: "other" } };
const beside = { ...pull, number: 13, merged_at: null, merge_commit_sha: null, base: { ref: "evil", repo: us } };
const moved = { ...pull.head, sha: "bbb2" };
const at = (time: string) => `2026-01-01T${time}Z`;

/** What else happened to the branch, and whether the run at 11:00 of it is then known to be of the pull request. */
const histories: readonly (readonly [string, Pick<GitHubCase, "changedBase"> & { beside?: GitHubPull }, boolean])[] = [
  ["another is open", { beside: { ...beside, closed_at: null } }, false],
  ["another is open, with a later commit", { beside: { ...beside, closed_at: null, head: moved } }, false],
  ["another was closed later", { beside: { ...beside, closed_at: at("11:30:00"), head: moved } }, false],
  ["another was closed shortly before", { beside: { ...beside, closed_at: at("10:58:00"), head: moved } }, false],
  ["another was closed before", { beside: { ...beside, closed_at: at("10:30:00"), head: moved } }, true],
  ["another was closed with this commit", { beside: { ...beside, closed_at: at("09:30:00") } }, false],
  ["another was opened after the merge", { beside: { ...beside, created_at: at("12:00:01"), closed_at: null } }, true],
  ["the base was changed later", { changedBase: at("11:30:00") }, false],
  ["the base was changed shortly before", { changedBase: at("10:58:00") }, false],
  ["the base was changed before", { changedBase: at("10:30:00") }, true],
];

/** Where what was reviewed is found at once, beside one more pull request or run, newer, and other in one field only. */
const nearMisses = [
  ...[...listVariants(another, otherPulls), another].map((other) => ({
    pulls: [other, pull],
    runs: [{ ...run, id: 7 }],
  })),
  ...listVariants(run, otherRuns).map((other) => ({
    pulls: [pull],
    runs: [
      { ...other, id: 8 },
      { ...run, id: 7 },
    ],
  })),
].map((known): GitHubCase => {
  const artefacts = known.runs.flatMap(({ id }) =>
    [12, 13].map((number) => ({
      run: id,
      name: `gate-sync-plan-${number}-prod`,
      expired: false,
      created_at: "2026-01-01T11:01:00Z",
      shape: "file" as const,
      plan: { id: 100 * id + number, madeFor: { ...made, pull_request: String(number) } },
    })),
  );
  return { ...known, artefacts, position: "ahead", knowsNoFilter: true };
});

function listVariants<T extends object>(one: T, others: Alternatives): readonly T[] {
  return Object.entries(others).flatMap(([key, values]) => values.map((value) => ({ ...one, [key]: value })));
}

function drawGithub(random: Random): GitHubCase {
  const others = Array.from({ length: random.below(4) }, (_, at) =>
    vary(random, { ...another, number: 13 + at }, otherPulls, 0.4),
  );
  const pulls = random.shuffled([...(random.chance(0.9) ? [pull] : []), ...others]);
  const runs = Array.from({ length: 1 + random.below(4) }, (_, at) =>
    vary(random, { ...run, id: 90 - at }, otherRuns, 0.06),
  );
  const artefacts = runs.flatMap(({ id }) => drawArtefacts(random, id));
  const [, history] = random.chance(0.3) ? random.pick(histories) : [];
  if (history?.beside) pulls.push({ ...history.beside, number: 20 });
  return { pulls, runs, artefacts, position: random.pick(positions), knowsNoFilter: random.chance(0.2), ...history };
}

function drawArtefacts(random: Random, run: number): readonly Artefact[] {
  const names = random.some(
    ["gate-sync-plan-12-prod", "gate-sync-plan-13-prod", "gate-sync-plan-prod", "gate-sync-plan-12"],
    0,
    3,
  );
  return names.map((name, index) => ({
    run,
    name,
    expired: random.chance(0.15),
    created_at: random.chance(0.1) ? at("12:00:01") : at("11:01:00"),
    shape: random.chance(0.6) ? "file" : random.pick(shapes),
    plan: { id: 10 * run + index, madeFor: vary(random, made, otherChanges, 0.08) },
  }));
}

/** What the merged pull request's plan is, said as plainly as it can be; undefined where there is none to apply. */
function expectGithub({ pulls, runs, artefacts, position, changedBase }: GitHubCase): KeptPlan | undefined {
  if (position !== "none" && position !== "ahead") return undefined;
  const own = pulls.filter(
    ({ merged_at, merge_commit_sha, base, head: { repo } }) =>
      merged_at !== null && merge_commit_sha === merge && base.ref === "main" && base.repo === us && repo === us,
  );
  const [pull] = own;
  if (!pull || own.length > 1) return undefined;
  const ends = pulls
    .filter(
      ({ number, head, created_at }) =>
        number !== 12 && head.repo === us && head.ref === "change" && created_at < at("12:00:01"),
    )
    .map(({ head, closed_at }) => (head.sha === pull.head.sha || closed_at === null ? at("23:00:00") : closed_at));
  const kept = runs
    .filter(
      ({ event, conclusion, head_sha, head_branch, created_at, head_repository, path }) =>
        head_branch === "change" &&
        created_at <= at("12:00:00") &&
        [...ends, changedBase ?? at("00:00:00")].every((end) => Date.parse(created_at) - Date.parse(end) > 300_000) &&
        event === "pull_request" &&
        conclusion === "success" &&
        head_sha === pull.head.sha &&
        head_repository === us &&
        path === ".github/workflows/access.yml",
    )
    .flatMap(({ id }) =>
      artefacts.filter(
        ({ run, name, expired }) => run === id && name === `gate-sync-plan-${pull.number}-prod` && !expired,
      ),
    );
  const [newest] = kept;
  if (!newest?.shape.startsWith("file") || newest.created_at > at("12:00:00")) return undefined;
  const { pull_request, base, head: planned } = newest.plan.madeFor;
  return pull_request === String(pull.number) && base === "main" && planned === pull.head.sha ? newest.plan : undefined;
}

function recordsOf({ pulls, runs, artefacts, position, knowsNoFilter, changedBase }: GitHubCase): GitHubRecords {
  const tagged = position === "identical" ? merge : "aaa0";
  return {
    pulls,
    runs,
    events: changedBase === undefined ? [] : [{ event: "base_ref_changed", created_at: changedBase }],
    knowsNoFilter,
    artefactsOf: (id, wanted) => artefacts.filter(({ run, name }) => run === id && name === wanted),
    readTag: (name) => (position === "none" || name !== "applied/prod" ? undefined : { type: "commit", sha: tagged }),
    compare: (base, end) => (base === tagged && end === merge ? position : "diverged"),
  };
}

const steps = planAndApply.jobs.apply.steps.filter(({ uses }: { uses?: string }) => uses?.startsWith("./node_modules"));
const contexts = {
  github: {
    token: "ghs-1",
    repository: "us/access",
    run_attempt: 1,
    event: {
      pull_request: { number: "", head: { sha: "", repo: { full_name: "" } } },
      repository: { default_branch: "main" },
    },
  },
  vars: { GATE_SYNC_WRITER: "writer" },
  secrets: { GATE_SYNC_WRITER_PASSWORD: "Friday-13", GATE_SYNC_PLAN_KEY: "" },
};

async function expectFound(drawn: GitHubCase, placed?: "link" | "folder"): Promise<void> {
  await inFolder({}, async (folder) => {
    const { platform, cwd } = openCheckout(folder, placed);
    platform.github = recordsOf(drawn);
    platform.unpack = (id, wanted, into) => {
      const kept = drawn.artefacts.find(({ run, name }) => run === id && name === wanted);
      if (kept) writeArtefact(into, kept.plan, kept.shape);
    };
    const env = { GITHUB_EVENT_NAME: "push", GITHUB_REF_NAME: "main", GITHUB_SHA: merge };
    const job = await githubJob(platform, steps, { cwd, env, contexts });
    expect(findApplied(platform), job.reported).toEqual(expectGithub(drawn));
    expect(listChangedFiles(cwd)).toEqual([]);
    if (drawn.position === "identical") expect([job.code, job.outputs.result]).toEqual([0, "done"]);
    if (["behind", "diverged"].includes(drawn.position)) expect([job.code, job.outputs.result]).toEqual([5, "stale"]);
  });
}

describe.skipIf(!canRun).concurrent("GitHub", () => {
  test.each(everyNth(3, [...nearMisses.entries()]))("one field is another: %i", (_, near) => expectFound(near, "link"));

  test("a folder of its name is in the checkout", () => expectFound(nearMisses[0] as GitHubCase, "folder"));

  test("the plan of the only target is found, where none is named", () =>
    inFolder({}, async (folder) => {
      const [found] = nearMisses;
      if (!found) throw new Error("Nothing is found.");
      const { platform, cwd } = openCheckout(folder);
      const artefacts = found.artefacts.map((one) => ({ ...one, name: one.name.replace("-prod", "") }));
      platform.github = recordsOf({ ...found, artefacts });
      platform.unpack = (id, wanted, into) => {
        const kept = artefacts.find(({ run, name }) => run === id && name === wanted);
        if (kept) writeArtefact(into, kept.plan, kept.shape);
      };
      const unnamed = steps.map(({ with: { target: _, ...inputs }, ...step }: { with: { target?: string } }) => ({
        ...step,
        with: inputs,
      }));
      const env = { GITHUB_EVENT_NAME: "push", GITHUB_REF_NAME: "main", GITHUB_SHA: merge };
      const job = await githubJob(platform, unnamed, { cwd, env, contexts });
      expect(job.reported).toContain("neither target nor applied-ref is given");
      expect(findApplied(platform), job.reported).toBeDefined();
    }));

  test.each(histories)("%s", async (_, { beside, changedBase }, isKnown) => {
    const [found] = nearMisses;
    if (!found) throw new Error("Nothing is found.");
    const known = { ...found, pulls: beside ? [beside, pull] : [pull], ...(changedBase && { changedBase }) };
    expect(expectGithub(known) !== undefined).toBe(isKnown);
    await expectFound(known);
  });

  test.each(shapes)("an artefact has a %s", async (shape) => {
    const [found] = nearMisses;
    if (found) await expectFound({ ...found, artefacts: found.artefacts.map((one) => ({ ...one, shape })) }, "link");
  });

  test.each([
    [at("11:01:00"), true],
    [at("12:00:00"), true],
    [at("12:00:01"), false],
    ["", false],
  ])("an artefact of %s", async (created_at, isFound) => {
    const [found] = nearMisses;
    if (!found) throw new Error("Nothing is found.");
    const known = { ...found, artefacts: found.artefacts.map((one) => ({ ...one, created_at: created_at || "x" })) };
    expect(expectGithub(known) !== undefined).toBe(isFound);
    await expectFound(known);
  });

  test("a folder in the checkout has the plan's name", async () => {
    const [found] = nearMisses;
    if (found) await expectFound(found, "folder");
  });

  test("which names are none of a tag is as git has it", async () => {
    const names = [
      "a",
      "a/b",
      "a..b",
      "a b",
      "x.lock",
      "x.lock/y",
      "~",
      ".a",
      "a/.b",
      "a.",
      "a/",
      "/a",
      "a//b",
      "a@{b",
      "@",
      "a^",
      "a:b",
      "a?",
      "a*",
      "a[b",
      "a\\b",
      "a\u007f",
      "é",
      "-a",
      "a.b-c_d",
      "x.locked",
      "a@b",
    ];
    const [found] = nearMisses;
    for (const name of everyNth(6, names))
      await inFolder({}, async (folder) => {
        const { platform, cwd } = openCheckout(folder);
        if (found) platform.github = recordsOf({ ...found, position: "none" });
        platform.unpack = (_run, _name, into) => writeArtefact(into, { id: 1, madeFor: made }, "file");
        const isTag = spawnSync("git", ["check-ref-format", `refs/tags/applied/${name}`]).status === 0;
        const named = steps.map(({ with: inputs, ...step }: { with: object }) => ({
          ...step,
          with: { ...inputs, target: name },
        }));
        const env = { GITHUB_EVENT_NAME: "push", GITHUB_REF_NAME: "main", GITHUB_SHA: merge };
        const { reported } = await githubJob(platform, named, { cwd, env, contexts });
        expect([name, reported]).toEqual([
          name,
          expect.stringContaining(isTag ? `there is no tag applied/${name} yet` : "no tag can have the name"),
        ]);
        const given = steps.map(({ with: inputs, ...step }: { with: object }) => ({
          ...step,
          with: { ...inputs, "applied-ref": name },
        }));
        const { code, reported: answer } = await githubJob(platform, given, { cwd, env, contexts });
        const isGiven = spawnSync("git", ["check-ref-format", `refs/tags/${name}`]).status === 0;
        expect([name, code === 64, answer.includes("is not the name of a tag")]).toEqual([name, !isGiven, !isGiven]);
      });
  });

  test.each(seeds(120, 4))("seed %i", (seed) => {
    const random = randomFrom(`found plan ${seed}`);
    return expectFound(drawGithub(random), random.pick([undefined, "link", "folder"]));
  });

  test("draws enough plans that are applied, and enough that are not", () => {
    expect(nearMisses.filter((near) => expectGithub(near)?.id === 712).length).toBeGreaterThan(nearMisses.length - 3);
    const all = Array.from({ length: 1000 }, (_, seed) => expectGithub(drawGithub(randomFrom(`found plan ${seed}`))));
    expect(all.filter(Boolean).length).toBeGreaterThan(40);
    expect(all.filter((plan) => !plan).length).toBeGreaterThan(40);
  });
});

interface MergeRequest {
  readonly iid: number;
  readonly state: string;
  readonly target_branch: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly sha: string;
  readonly source_project_id: number;
  /** The newest first. */
  readonly pipelines: readonly (typeof planningPipeline)[];
  readonly merged_at: string;
}

/** The last three are of another merge request, or of before the target branch was changed. */
const otherPipelines = [
  { ...planningPipeline, id: 8 },
  { ...planningPipeline, source: "push" },
  { ...planningPipeline, ref: "refs/merge-requests/1/head" },
  { ...planningPipeline, ref: "main" },
  { ...planningPipeline, created_at: "2026-01-01T09:59:59.000Z" },
];

function drawGitlab(random: Random) {
  const request: MergeRequest = {
    iid: 12,
    state: "merged",
    target_branch: "main",
    merge_commit_sha: merge,
    squash_commit_sha: null,
    sha: head,
    source_project_id: 3,
    pipelines: [planningPipeline],
    merged_at: at("12:00:00"),
  };
  const usual = random.pick([
    {},
    { merge_commit_sha: null, squash_commit_sha: merge },
    { merge_commit_sha: null, sha: merge },
  ]);
  const otherRequests = {
    state: ["opened", "closed"],
    target_branch: ["dev"],
    merge_commit_sha: ["aaa2", null],
    sha: ["bbb2"],
    source_project_id: [4],
    pipelines: [[], [{ ...planningPipeline, source: "push" }]],
  };
  const others = Array.from({ length: random.below(3) }, (_, at) =>
    vary(random, { ...request, iid: 13 + at }, otherRequests, 0.5),
  );
  const pipelines = [
    // What a merge train plans was reviewed by nobody.
    ...(random.chance(0.3) ? [{ ...planningPipeline, id: 8, ref: "refs/merge-requests/12/train" }] : []),
    random.chance(0.3) ? random.pick(otherPipelines) : planningPipeline,
  ];
  const own = { ...request, ...usual, pipelines };
  const requests = random.shuffled([...(random.chance(0.9) ? [own] : []), ...others]);
  const jobs = [7, 8].map((pipeline) => ({
    id: 10 * pipeline,
    name: random.chance(0.9) ? "gate-sync-plan-prod" : "gate-sync-plan-dev",
    finished_at: random.chance(0.1) ? at("12:00:01") : at("11:00:00"),
    plan: { id: pipeline, madeFor: vary(random, { ...made, head: own.sha }, otherChanges, 0.08) },
  }));
  return { requests, jobs, position: random.pick(positions) };
}

function expectGitlab({ requests, jobs, position }: ReturnType<typeof drawGitlab>): KeptPlan | undefined {
  if (position !== "none" && position !== "ahead") return undefined;
  const own = requests.filter(
    ({ state, target_branch, merge_commit_sha, squash_commit_sha, sha, source_project_id }) =>
      state === "merged" &&
      target_branch === "main" &&
      source_project_id === 3 &&
      [merge_commit_sha, squash_commit_sha, sha].includes(merge),
  );
  const [request] = own;
  const last = request?.pipelines.find(
    ({ source, ref }) => source === "merge_request_event" && ref === `refs/merge-requests/${request.iid}/head`,
  );
  if (!request || own.length > 1 || !last || last === otherPipelines.at(-1)) return undefined;
  const { id } = last;
  const planned = jobs.find((job) => job.id === 10 * id && job.name === "gate-sync-plan-prod");
  const plan = planned && planned.finished_at <= at("12:00:00") ? planned.plan : undefined;
  const { pull_request, base, head: ofHead } = plan?.madeFor ?? {};
  return pull_request === String(request.iid) && base === "main" && ofHead === request.sha ? plan : undefined;
}

function askGitlab({ requests, jobs, position }: ReturnType<typeof drawGitlab>, line: string): string | undefined {
  const answer = (value: unknown) => JSON.stringify(value);
  const [, iid] = /^GET merge_requests\/(\d+)$/.exec(line) ?? [];
  const [, listed] = /^GET merge_requests\/(\d+)\/pipelines\?per_page=100$/.exec(line) ?? [];
  const [, pipeline] = /^GET pipelines\/(\d+)\/jobs\?scope=success&per_page=100$/.exec(line) ?? [];
  const [, job] = /^GET jobs\/(\d+)\/artifacts\/gate-sync-plan\.json$/.exec(line) ?? [];
  const at = position === "identical" ? merge : "aaa0";
  const base = { ahead: at, behind: merge }[position as string] ?? "aaa9";
  if (line === `GET repository/commits/${merge}/merge_requests?per_page=100`) return answer(requests);
  if (/^GET merge_requests\/\d+\/versions\?per_page=1$/.test(line))
    return answer([{ created_at: "2026-01-01T10:00:00.000Z" }]);
  const find = (wanted: string) => requests.find((request) => request.iid === Number(wanted));
  if (listed !== undefined) return answer(find(listed)?.pipelines);
  if (iid !== undefined) return answer(find(iid));
  if (pipeline !== undefined) return answer(jobs.filter(({ id }) => id === 10 * Number(pipeline)));
  if (job !== undefined) return answer(jobs.find(({ id }) => id === Number(job))?.plan);
  if (line === `GET repository/merge_base?refs[]=${at}&refs[]=${merge}`) return answer({ id: base });
  return line.startsWith("GET deployments?environment=prod&status=success&")
    ? answer(listDeployments(position === "none" ? "" : at))
    : undefined;
}

describe.skipIf(!canRun).concurrent("GitLab", () => {
  test.each(seeds(120, 4))("seed %i", async (seed) => {
    const random = randomFrom(`found plan of GitLab ${seed}`);
    const drawn = drawGitlab(random);
    const apply = gitlabJobs["gate-sync-apply-prod"];
    if (!apply) throw new Error("The component has no job that applies.");
    await inFolder({}, async (folder) => {
      const { platform, cwd } = openCheckout(folder, random.pick([undefined, "link", "folder"]));
      const job = await withApi(
        platform,
        (line) => askGitlab(drawn, pathOf(line)),
        (url) => {
          const env = {
            CI_API_V4_URL: `${url}/api/v4`,
            CI_PROJECT_ID: "3",
            CI_DEFAULT_BRANCH: "main",
            CI_COMMIT_SHA: merge,
            GATE_SYNC_API_TOKEN: "glpat-1",
          };
          return gitlabJob(platform, "apply", apply, { cwd, env });
        },
      );
      expect(findApplied(platform), job.reported).toEqual(expectGitlab(drawn));
      expect(listChangedFiles(cwd)).toEqual([]);
      if (drawn.position === "identical") expect(job.code).toBe(0);
      if (["behind", "diverged"].includes(drawn.position)) expect(job.code).toBe(5);
    });
  });

  test("draws enough plans that are applied, and enough that are not", () => {
    const all = Array.from({ length: 400 }, (_, seed) =>
      expectGitlab(drawGitlab(randomFrom(`found plan of GitLab ${seed}`))),
    );
    expect(all.filter(Boolean).length).toBeGreaterThan(40);
    expect(all.filter((plan) => !plan).length).toBeGreaterThan(40);
  });
});
