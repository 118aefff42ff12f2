// GitHub Actions, as far as the examples and the action need it: steps in their order with their conditions, a composite
// action step by step, and the API on loopback. Actions of others are stand-ins.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse } from "yaml";
import { askGithub, type GitHubRecords, mergedPull, planningRun, them, us } from "./github-records.ts";
import { type Env, git, inBash, type Job, type Platform, pathOf, upload, withApi } from "./jobs.ts";

export interface GitHubStep {
  readonly name?: string;
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Env;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly "continue-on-error"?: boolean;
}

type Context = Readonly<Record<string, unknown>>;

interface Start {
  readonly cwd: string;
  /** What the runner sets besides. */
  readonly env: Env;
  /** What expressions know, by context: what is missing there is an error. */
  readonly contexts: Readonly<Record<string, Context>>;
}

interface Ended {
  readonly outcome: "success" | "failure" | "skipped";
  readonly outputs: Env;
}

/** A job, and what each of its steps had in its environment, by the step's name. */
export interface GitHubJob extends Job {
  /** Of our action, where the job uses it. */
  readonly outputs: Env;
  readonly environments: ReadonlyMap<string, Env>;
}

const own = new URL("../../.github/actions/gate-sync/", import.meta.url);
export const action = parse(readFileSync(new URL("action.yml", own), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly GitHubStep[] };
};

/** What of a workflow has secrets and is no step that runs gate-sync. */
export function findLooseSecrets({ jobs, ...others }: { readonly jobs: Readonly<Record<string, GitHubWorkflowJob>> }) {
  const runsGateSync = ({ uses = "", run = "" }: GitHubStep) =>
    uses.startsWith("./node_modules/gate-sync/") || run.startsWith("npx --no -- gate-sync ");
  const parts = Object.values(jobs).flatMap(({ steps, ...job }) => [
    job,
    ...steps.filter((step) => !runsGateSync(step)),
  ]);
  return [others, ...parts].filter((one) => JSON.stringify(one).includes("secrets."));
}

interface GitHubWorkflowJob {
  readonly steps: readonly GitHubStep[];
}

export function githubJob(platform: Platform, steps: readonly GitHubStep[], given: Start): Promise<GitHubJob> {
  mkdirSync(join(platform.folder, "temp"), { recursive: true });
  return withGitHub(platform, (url) => {
    const env = {
      GITHUB_API_URL: url,
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: "us/access",
      GITHUB_RUN_ID: "7",
      GITHUB_WORKFLOW_REF: "us/access/.github/workflows/access.yml@refs/heads/any",
      GITHUB_ACTION_PATH: own.pathname,
      RUNNER_TEMP: join(platform.folder, "temp"),
      GITHUB_STEP_SUMMARY: join(platform.folder, "summary.md"),
      ...given.env,
    };
    return runSteps(platform, steps, { ...given, env });
  });
}

async function runSteps(platform: Platform, steps: readonly GitHubStep[], { cwd, env, contexts }: Start) {
  let code: number | undefined = 0;
  let reported = "";
  const ended: Record<string, Ended> = {};
  let outputs: Env = {};
  const environments = new Map<string, Env>();
  for (const step of steps) {
    const all = { ...contexts, steps: ended };
    const record = (one: Ended) => {
      if (step.id !== undefined) ended[step.id] = one;
    };
    if (!isDue(step.if, code, all)) {
      record({ outcome: "skipped", outputs: {} });
      continue;
    }
    const stepEnv = fillAll(step.env ?? {}, all);
    environments.set(step.name ?? step.uses ?? "", stepEnv);
    const done = await runStep(platform, step, { cwd, env: { ...env, ...stepEnv }, contexts: all });
    record({ outcome: done.code === 0 ? "success" : "failure", outputs: done.outputs });
    reported += done.reported;
    if (done.environments) outputs = done.outputs;
    for (const [name, each] of done.environments ?? []) environments.set(name, each);
    if (step["continue-on-error"] !== true) code ||= done.code;
  }
  return { code, reported, environments, outputs, ended };
}

interface Done extends Job {
  readonly outputs: Env;
  readonly environments?: ReadonlyMap<string, Env>;
}

async function runStep(platform: Platform, step: GitHubStep, start: Start): Promise<Done> {
  const { cwd, env } = start;
  if (step.run !== undefined) {
    const file = join(platform.folder, "outputs");
    writeFileSync(file, "");
    const done = await inBash(platform, step.run, cwd, { ...env, GITHUB_OUTPUT: file });
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return { ...done, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2))) };
  }
  const given = fillAll(step.with ?? {}, start.contexts);
  if (step.uses === "./node_modules/gate-sync/.github/actions/gate-sync") {
    const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""]);
    const inputs = { ...fillAll(Object.fromEntries(defaults), start.contexts), ...given };
    const { github = {} } = start.contexts;
    const contexts = { github, inputs, runner: { temp: join(platform.folder, "temp") } };
    const done = await runSteps(platform, action.runs.steps, { cwd, env, contexts });
    const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
    return { ...done, outputs: fillAll(Object.fromEntries(values), { ...contexts, steps: done.ended }) };
  }
  return { reported: "", ...standIn(platform, step.uses?.replace(/@.*/, "") ?? "", given, cwd) };
}

/** What actions of others do. */
function standIn(platform: Platform, name: string, given: Env, cwd: string): Omit<Done, "reported"> {
  const { folder } = platform;
  const isDone = { code: 0, outputs: {} };
  switch (name) {
    case "actions/checkout":
    case "actions/setup-node":
      return isDone;
    case "actions/upload-artifact": {
      const { path = "", archive, "if-no-files-found": missing } = given;
      upload(platform, cwd, archive === "false" ? basename(path) : (given.name ?? ""), path);
      if (!existsSync(join(cwd, path)) && missing === "error") return { ...isDone, code: 1 };
      return { ...isDone, outputs: { "artifact-url": "https://github.example/artifact/1" } };
    }
    case "actions/download-artifact":
      unpack(platform, Number(given["run-id"]), given.name ?? "", resolve(cwd, given.path ?? ""));
      return isDone;
    case "github/codeql-action/upload-sarif":
      if (!existsSync(given.sarif_file ?? "") || platform.refusesScanning) return { ...isDone, code: 1 };
      cpSync(given.sarif_file ?? "", join(folder, "scanning.sarif"));
      return isDone;
    default:
      throw new Error(`What does ${name} do?`);
  }
}

function unpack(platform: Platform, run: number, name: string, into: string): void {
  if (platform.unpack) platform.unpack(run, name, into);
  else if (run !== 7) throw new Error(`Run ${run} is not to be trusted.`);
  else cpSync(join(platform.folder, "artefacts", name), into, { recursive: true, verbatimSymlinks: true });
}

function isDue(condition: string | undefined, code: number | undefined, contexts: Start["contexts"]): boolean {
  const text = (condition ?? "true").replace(/^\$\{\{ (.*) \}\}$/, "$1");
  const hasFunction = /\b(always|cancelled|failure|success)\(\)/.test(text);
  const functions: Readonly<Record<string, string>> = {
    always: "true",
    cancelled: "false",
    failure: String(code !== 0),
    success: String(code === 0),
  };
  const plain = text.replace(/\b(\w+)\(\)/g, (_, name: string) => functions[name] ?? "");
  return (hasFunction || code === 0) && evaluate(plain, contexts) === true;
}

function fillAll(texts: Readonly<Record<string, unknown>>, contexts: Start["contexts"]): Env {
  const fill = (text: string) =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, inner: string) => `${evaluate(inner, contexts)}`);
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(String(text))]));
}

/** Expressions are JavaScript, but for names with hyphens in them. */
function evaluate(text: string, contexts: Start["contexts"]): unknown {
  const script = text.replace(
    /'[^']*'|\b(github|inputs|runner|secrets|steps|vars)((?:\.[\w-]+)+)/g,
    (whole, context?: string, path = "") =>
      context === undefined ? whole : JSON.stringify(look(contexts[context], context, path.slice(1).split("."))),
  );
  return new Function(`return (${script});`)();
}

/** Of steps, what did not happen is an empty text; of all else, a name that nothing sets is a slip. */
function look(context: unknown, name: string, path: readonly string[]): unknown {
  const found = path.reduce<unknown>((value, key) => (value as Context | undefined)?.[key], context);
  if (found === undefined && name !== "steps") throw new Error(`Nothing says what ${name}.${path.join(".")} is.`);
  return found ?? "";
}

/** The part of GitHub's API that the action uses: pull request 12, planned by run 7, among others that look like them. */
function withGitHub<T>(platform: Platform, work: (url: string) => Promise<T>): Promise<T> {
  const answer = (line: string, { token, body }: { readonly token: string; readonly body: string }) =>
    token === "Bearer ghs-1" ? githubAnswer(platform, pathOf(line), body) : undefined;
  return withApi(platform, answer, work);
}

function githubAnswer(platform: Platform, line: string, body: string): string | undefined {
  const { comments, head } = platform;
  const [, page] = /^GET issues\/12\/comments\?per_page=100&page=(\d+)$/.exec(line) ?? [];
  if (page !== undefined) {
    const shown = comments.slice(100 * (Number(page) - 1), 100 * Number(page));
    return JSON.stringify(shown.map(({ id, author, body }) => ({ id, user: { login: author }, body })));
  }
  if (line === "POST issues/12/comments") {
    comments.push({ id: comments.length + 1, author: "github-actions[bot]", body: textIn(body) });
    return "{}";
  }
  const [, patched] = /^PATCH issues\/comments\/(\d+)$/.exec(line) ?? [];
  const comment = comments.find(({ id }) => id === Number(patched));
  if (comment) {
    comment.body = textIn(body);
    return "{}";
  }
  if (line === "GET pulls/12") return JSON.stringify({ head: { sha: head } });
  return askGithub(platform.github ?? createRecords(platform), line);
}

/** What a pull request planned was there before it was merged; of a run that was started by hand, when it was kept. */
function timeOf(artefact: string): string {
  return artefact.includes("-by-hand") ? statSync(artefact).mtime.toISOString() : planningRun.created_at;
}

function textIn(body: string): string {
  const text: string = JSON.parse(body).body;
  if (text.length > 65_536) throw new Error("GitHub refuses a longer comment.");
  return text;
}

/** Pull request 12, planned by run 7, among others that look like them. */
function createRecords(platform: Platform): GitHubRecords {
  const { folder, repository, head, merged, isOfFork, hasSucceeded } = platform;
  const ofBranch = { ref: "change", sha: head, repo: isOfFork ? them : us };
  const pull = { ...mergedPull, merge_commit_sha: merged, head: ofBranch };
  // Each of these would be refused.
  const other = { ...pull, number: 9, head: { ...ofBranch, ref: "other", repo: { full_name: "others/access" } } };
  const run = { ...planningRun, head_sha: head };
  // The newest first: of a branch, of a fork, of another workflow, one whose artefacts are gone, and the one that planned.
  const runs = [
    { ...run, id: 11, event: "workflow_dispatch" },
    { ...run, id: 10, head_repository: them },
    { ...run, id: 9, path: ".github/workflows/other.yml" },
    { ...run, id: 8 },
    { ...run, conclusion: hasSucceeded ? "success" : "failure" },
  ];
  const isBehind = (one: string, another: string) => git(repository, "merge-base", one, another) === one;
  return {
    pulls: [
      { ...other, base: { ref: "other", repo: us } },
      { ...other, merged_at: null },
      { ...other, merge_commit_sha: head },
      { ...other, base: { ref: "main", repo: { full_name: "others/access" } } },
      pull,
    ],
    runs,
    artefactsOf: (id, name) =>
      existsSync(join(folder, "artefacts", name))
        ? [{ name, expired: id === 8, created_at: timeOf(join(folder, "artefacts", name)) }]
        : [],
    readTag: (name) => {
      const sha = git(repository, "for-each-ref", "--format=%(objectname)", `refs/tags/${name}`);
      return sha === "" ? undefined : { type: git(repository, "cat-file", "-t", sha), sha };
    },
    openTag: (sha) => ({ type: "commit", sha: git(repository, "rev-parse", `${sha}^{}`) }),
    compare: (base, end) => (isBehind(base, end) ? "ahead" : isBehind(end, base) ? "behind" : "diverged"),
  };
}
