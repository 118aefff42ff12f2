// Jobs of a CI server as its runner does them: the shell steps in order, in a clone. What only the platform has is a
// stand-in: npm and npx give what was built here, the APIs of GitHub and GitLab are real servers.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, delimiter, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { bin, start } from "./command.ts";
import type { GitHubRecords } from "./github-records.ts";

/** Where artefacts, comments and programs of one CI server lie; and what it knows of the one pull request, 12. */
export interface Platform {
  readonly folder: string;
  /** Of git, with all commits. */
  readonly repository: string;
  /** The last commit of its branch. */
  readonly head: string;
  /** The commit that merged it; "" where nothing did. */
  merged: string;
  /** The commit of the last deployment that succeeded; "" where none did. */
  applied: string;
  readonly comments: Comment[];
  /** Whether the last pipeline or run of its branch did. */
  hasSucceeded: boolean;
  isOfFork: boolean;
  refusesScanning: boolean;
  /** What the API of GitHub knows, in place of all this. */
  github?: GitHubRecords;
  /** What downloading an artefact does, in place of giving what was kept. */
  unpack?: (run: number, name: string, into: string) => void;
  /** What the API answers instead of what it should, for a line such as `GET pulls/12`. */
  answerInstead: (line: string) => Fault | undefined;
}

/** A comment on the pull request. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  body: string;
}

export interface Fault {
  readonly status: number;
  readonly headers?: Env;
  readonly body?: string;
  /** Whether the request takes effect all the same. */
  readonly tookEffect?: true;
}

export interface Job {
  /** Of the first step that failed, else 0. */
  readonly code: number | undefined;
  readonly reported: string;
}

export type Env = Readonly<Record<string, string>>;

export function git(folder: string, ...words: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  return execFileSync("git", words, { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

export function example(name: string) {
  return parse(readFileSync(new URL(`../../examples/ci/${name}`, import.meta.url), "utf8"));
}

/** A commit of these files beside those of `from`; `ref` is the branch that ends there. */
export interface Made {
  readonly ref: string;
  readonly from?: string;
  readonly merge?: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A bare repository, by two programs instead of two for each commit; the hashes of its branches. */
export function makeRepository(folder: string, commits: readonly Made[]): ReadonlyMap<string, string> {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const lines = commits.flatMap(({ ref, from, merge, files }) => [
    `commit refs/heads/${ref}\ncommitter Ann Lee <ann@lee.example> 1790000000 +0000\n${data("x")}`,
    ...(from === undefined ? [] : [`from refs/heads/${from}\n`]),
    ...(merge === undefined ? [] : [`merge refs/heads/${merge}\n`]),
    ...Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
  ]);
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  execFileSync("git", ["init", "-q", "-b", "main", "--bare", folder], { env });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: folder, env, input: lines.join("") });
  const hashes = git(folder, "rev-parse", ...commits.map(({ ref }) => ref)).split("\n");
  return new Map(commits.map(({ ref }, index) => [ref, hashes[index] ?? ""]));
}

/**
 * @param folder an empty one
 * @param head what the pull request asks to merge
 */
export function openPlatform(folder: string, head: string, repository = folder): Platform {
  writePrograms(join(folder, "programs"), {
    npm: builtNpm,
    npx: builtNpx,
    node: `exec "${process.execPath}" "$@"\n`,
  });
  return {
    folder,
    repository,
    head,
    merged: "",
    applied: "",
    comments: [],
    hasSucceeded: false,
    isOfFork: false,
    refusesScanning: false,
    answerInstead: () => undefined,
  };
}

const rootUrl = new URL("../../", import.meta.url);
const root = fileURLToPath(rootUrl);

/** Of npm and npx, what installs and starts what was built here. */
const builtNpm = `[ "$*" = ci ] && mkdir -p node_modules && ln -sfn "${root}" node_modules/gate-sync\n`;
export const builtNpx = `[ "$1 $2 $3" = "--no -- gate-sync" ] && shift 3 && exec "${process.execPath}" "${bin}" "$@"
`;

/** Programs for the front of a PATH, as shell scripts. */
export function writePrograms(folder: string, programs: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}`);
    chmodSync(join(folder, name), 0o755);
  }
}

/** What the reviewers of the pull request read; undefined where nothing was posted. */
export function commentOn({ comments }: Platform): string | undefined {
  return comments.find(({ author }) => bots.includes(author))?.body;
}

/** Whom the tokens of jobs act as. */
const bots = ["github-actions[bot]", "project_3_bot"];

/** Keeps what an artefact names, as platforms do. */
export function upload({ folder }: Platform, cwd: string, name: string, path: string): void {
  const inside = relative(cwd, resolve(cwd, path));
  const kept = inside.startsWith("..") ? basename(path) : inside;
  if (existsSync(resolve(cwd, path)))
    cpSync(resolve(cwd, path), join(folder, "artefacts", name, kept), { recursive: true });
}

/** A job of GitLab, as far as its runner goes by it. */
export interface GitLabJob {
  readonly rules: readonly { readonly if: string }[];
  readonly variables: Env;
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts: { readonly paths?: readonly string[]; readonly reports: Env; readonly when?: string };
}

/** The jobs of a component with these inputs, by name. */
export function includeComponent(inputs: Env): Readonly<Record<string, GitLabJob>> {
  const [, jobs = ""] = readFileSync(new URL("templates/gate-sync/template.yml", rootUrl), "utf8").split("\n---\n");
  const filled = jobs.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (whole, name: string) => {
    const input = inputs[name];
    if (input === undefined) throw new Error(`Nothing says what ${whole} is.`);
    return input;
  });
  return parse(filled);
}

export async function gitlabJob(
  platform: Platform,
  name: string,
  job: GitLabJob,
  { cwd, env }: { readonly cwd: string; readonly env: Env },
): Promise<Job> {
  const run = (lines: readonly string[]) => inBash(platform, lines.join("\n"), cwd, { ...job.variables, ...env });
  const { code, reported } = await run(job.script);
  const after = await run(job.after_script ?? []);
  const { paths = [], reports, when } = job.artifacts;
  if (code === 0 || when === "always")
    for (const path of [...paths, ...Object.values(reports)]) upload(platform, cwd, name, path);
  return { code, reported: reported + after.reported };
}

/** As the runners start it, and more strictly: of what is not set they would say nothing. */
export async function inBash({ folder }: Platform, script: string, cwd: string, env: Env): Promise<Job> {
  const path = `${join(folder, "programs")}${delimiter}${process.env.PATH}`;
  const words = ["--noprofile", "--norc", "-euo", "pipefail", "-c", script];
  const done = await start("bash", words, { cwd, env: { PATH: path, HOME: folder, ...env } }).ended;
  return { code: done.code, reported: done.stdout + done.stderr };
}

/** Without what all of them begin with. */
export const pathOf = (line: string) => line.replace("/repos/us/access/", "").replace("/api/v4/projects/3/", "");

/** What was asked, and how: it answers so each time, or the first times, that a line begins so. */
export function failRequests(
  platform: Platform,
  begin: string,
  fault: Fault,
  times = Number.POSITIVE_INFINITY,
): readonly string[] {
  const lines: string[] = [];
  let left = times;
  platform.answerInstead = (line) => {
    lines.push(pathOf(line));
    return pathOf(line).startsWith(begin) && left-- > 0 ? fault : undefined;
  };
  return lines;
}

/** An API on loopback: what a request gets, as JSON or text; nothing is 404. */
export async function withApi<T>(
  { answerInstead }: Platform,
  answer: (line: string, request: { readonly token: string; readonly body: string }) => string | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const line = `${request.method} ${request.url}`;
    const { authorization: token = "" } = request.headers;
    const given = { token, body: Buffer.concat(chunks).toString("utf8") };
    const fault = answerInstead(line);
    const answered = fault && !fault.tookEffect ? undefined : answer(line, given);
    if (fault) response.writeHead(fault.status, fault.headers).end(fault.body ?? '{ "message": "Not now" }');
    else response.writeHead(answered === undefined ? 404 : 200).end(answered ?? '{ "message": "Not Found" }');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The part of GitLab's API that the component uses: project 3, merge request 12, its pipeline 7 with a plan in job 70. */
export function withGitLab<T>(platform: Platform, work: (url: string) => Promise<T>): Promise<T> {
  const answer = (line: string, { token, body }: { readonly token: string; readonly body: string }) =>
    token === "Bearer glpat-1" ? gitlabAnswer(platform, pathOf(line), body) : undefined;
  return withApi(platform, answer, (url) => work(`${url}/api/v4`));
}

function gitlabAnswer(platform: Platform, line: string, body: string): string | undefined {
  const { folder, head, merged, isOfFork, comments } = platform;
  const noteOf = ({ id, author, body }: Comment) => ({ id, author: { id: author }, body });
  const [, page] = /^GET merge_requests\/12\/notes\?sort=asc&per_page=100&page=(\d+)$/.exec(line) ?? [];
  if (page !== undefined) {
    return JSON.stringify(comments.slice(100 * (Number(page) - 1), 100 * Number(page)).map(noteOf));
  }
  const [, updated] = /^PUT merge_requests\/12\/notes\/(\d+)$/.exec(line) ?? [];
  const note = comments.find(({ id }) => id === Number(updated));
  if (note) {
    note.body = JSON.parse(body).body;
    return "{}";
  }
  const source_project_id = isOfFork ? 4 : 3;
  const request = {
    iid: 12,
    state: "merged",
    target_branch: "main",
    merge_commit_sha: merged,
    sha: head,
    source_project_id,
  };
  // Each of these would be refused.
  const other = { ...request, iid: 10, source_project_id: 9 };
  const others = [
    { ...other, target_branch: "other" },
    { ...other, state: "opened" },
    { ...other, merge_commit_sha: head },
  ];
  const plan = join(folder, "artefacts/plan/gate-sync-plan.json");
  const jobs = [
    { id: 69, name: "lint" },
    { id: 70, name: "gate-sync-plan-prod" },
  ];
  switch (line) {
    case "GET /api/v4/user":
      return '{ "id": "project_3_bot" }';
    case "POST merge_requests/12/notes":
      comments.push({ id: comments.length + 1, author: "project_3_bot", body: JSON.parse(body).body });
      return "{}";
    case `GET repository/commits/${merged}/merge_requests?per_page=100`:
      return JSON.stringify([...others, request]);
    case "GET merge_requests/12":
      return JSON.stringify({ ...request, head_pipeline: { id: 7, source: "merge_request_event" } });
    case "GET pipelines/7/jobs?scope=success&per_page=100":
      return JSON.stringify(platform.hasSucceeded ? jobs : jobs.slice(0, 1));
    case "GET deployments?environment=prod&status=success&order_by=finished_at&sort=desc&per_page=1":
      return JSON.stringify(platform.applied === "" ? [] : [{ sha: platform.applied, status: "success" }]);
    case "GET jobs/70/artifacts/gate-sync-plan.json":
      return existsSync(plan) ? readFileSync(plan, "utf8") : undefined;
    case `GET repository/merge_base?refs[]=${platform.applied}&refs[]=${merged}`:
      return JSON.stringify({ id: git(platform.repository, "merge-base", platform.applied, merged) });
    default:
      return line.startsWith("GET repository/commits/") ? "[]" : undefined;
  }
}
