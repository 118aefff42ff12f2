// Jobs of a CI server as its runner does them: the shell steps in order, in a clone. What only the platform has is a
// stand-in: npm and npx give what was built here, gh is a small program, the API of GitLab a real server.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { bin, start } from "./command.ts";

/** Where artefacts, comments and programs of one CI server lie; and what it knows of the one pull request, 12. */
export interface Platform {
  readonly folder: string;
  /** The last commit of its branch. */
  readonly head: string;
  /** The commit that merged it; "" where nothing did. */
  merged: string;
}

export interface Job {
  /** Of the first step that failed, else 0. */
  readonly code: number | undefined;
  readonly reported: string;
}

type Env = Readonly<Record<string, string>>;

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
export function openPlatform(folder: string, head: string): Platform {
  writePrograms(join(folder, "programs"), {
    npm: '[ "$*" = ci ]\n',
    npx: builtNpx,
    node: `exec "${process.execPath}" "$@"\n`,
    gh: gh(folder),
  });
  return { folder, head, merged: "" };
}

/** Of npx, what starts what was built here. */
export const builtNpx = `[ "$1 $2" = "--no --" ] && shift 2
[ "$1" = gate-sync ] && shift && exec "${process.execPath}" "${bin}" "$@"
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
export function commentOn({ folder }: Platform): string | undefined {
  const path = join(folder, "comment.md");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** The few commands that the examples use, and no other: a pull request 12, whose run is 7. */
function gh(folder: string): string {
  return `[ -n "$GH_TOKEN" ] && [ "$GH_REPO" = us/access ] || exit 9
case "$*" in
"pr comment 12 --body-file "*) cp "$5" "${folder}/comment.md" ;;
"api repos/us/access/commits/$(cat "${folder}/merged")/pulls --jq "*) cat "${folder}/head" ;;
"api repos/us/access/commits/"*) ;;
"run list --workflow Access --event pull_request --commit $(cat "${folder}/head") --status success "*) echo 7 ;;
"run list --workflow Access --event pull_request --commit none --status success "*) ;;
"run download 7 --name plan") cp "${folder}/artefacts/plan/"* . ;;
*) echo "gh $*" >&2; exit 9 ;;
esac
`;
}

interface GitHubStep {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Env;
  readonly with?: Readonly<Record<string, string>>;
}

/** @param known what is in `${{ }}`: every name that the job uses */
export async function githubJob(
  platform: Platform,
  steps: readonly GitHubStep[],
  { cwd, env, known }: { readonly cwd: string; readonly env: Env; readonly known: Env },
): Promise<Job> {
  reportPrograms(platform);
  const summary = join(platform.folder, "summary.md");
  let code: number | undefined = 0;
  let reported = "";
  for (const step of steps) {
    if (!isDue(step.if, code)) continue;
    if (step.uses?.startsWith("actions/upload-artifact@")) upload(platform, cwd, step.with ?? {});
    if (step.run === undefined) continue;
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, replaced(text, known)]);
    const platformEnv = { GITHUB_STEP_SUMMARY: summary, GITHUB_REPOSITORY: "us/access", GITHUB_WORKFLOW: "Access" };
    const done = await inBash(platform, step.run, cwd, { ...platformEnv, ...env, ...Object.fromEntries(own) });
    reported += done.reported;
    code ||= done.code;
  }
  return { code, reported };
}

function isDue(condition: string | undefined, code: number | undefined): boolean {
  if (condition === undefined) return code === 0;
  if (condition === "success() || failure()" || condition === "always()") return true;
  throw new Error(`What does the condition ${condition} mean?`);
}

function replaced(text: string, known: Env): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (whole, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`Nothing says what ${whole} is.`);
    return value;
  });
}

function upload({ folder }: Platform, cwd: string, { name = "", path = "" }: Readonly<Record<string, string>>): void {
  if (existsSync(join(cwd, path))) cpSync(join(cwd, path), join(folder, "artefacts", name, path), { recursive: true });
}

interface GitLabJob {
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts: { readonly paths: readonly string[]; readonly when?: string };
}

export async function gitlabJob(
  platform: Platform,
  name: string,
  job: GitLabJob,
  { cwd, env }: { readonly cwd: string; readonly env: Env },
): Promise<Job> {
  const run = (lines: readonly string[]) => inBash(platform, lines.join("\n"), cwd, env);
  const { code, reported } = await run(job.script);
  const after = await run(job.after_script ?? []);
  if (after.code !== 0) throw new Error(`after_script: ${after.reported}`);
  if (code === 0 || job.artifacts.when === "always") {
    for (const path of job.artifacts.paths) upload(platform, cwd, { name, path });
  }
  return { code, reported };
}

/** As the runners start it, and more strictly: of what is not set they would say nothing. */
async function inBash({ folder }: Platform, script: string, cwd: string, env: Env): Promise<Job> {
  const path = `${join(folder, "programs")}${delimiter}${process.env.PATH}`;
  const words = ["--noprofile", "--norc", "-euo", "pipefail", "-c", script];
  const done = await start("bash", words, { cwd, env: { PATH: path, HOME: folder, ...env } }).ended;
  return { code: done.code, reported: done.stdout + done.stderr };
}

function reportPrograms({ folder, head, merged }: Platform): void {
  writeFileSync(join(folder, "head"), head);
  writeFileSync(join(folder, "merged"), merged);
}

/** The part of GitLab's API that the example uses: project 3, merge request 12, its pipeline 7 with a plan in job 70. */
export async function withGitLab(platform: Platform, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isAllowed = request.headers["private-token"] === "glpat-1";
    const line = `${request.method} ${request.url?.replace("/api/v4/projects/3/", "")}`;
    const answer = isAllowed ? gitlabAnswer(platform, line, Buffer.concat(chunks).toString("utf8")) : undefined;
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function gitlabAnswer({ folder, head, merged }: Platform, line: string, body: string): string | undefined {
  const request = { iid: 12, state: "merged", target_branch: "main", merge_commit_sha: merged, sha: head };
  const others = [
    { ...request, iid: 10, target_branch: "other" },
    { ...request, iid: 11, state: "opened" },
  ];
  const plan = join(folder, "artefacts/plan/plan.json");
  switch (line) {
    case "POST merge_requests/12/notes":
      writeFileSync(join(folder, "comment.md"), new URLSearchParams(body).get("body") ?? "");
      return "{}";
    case `GET repository/commits/${merged}/merge_requests`:
      return JSON.stringify([...others, request]);
    case "GET merge_requests/12":
      return JSON.stringify({ ...request, head_pipeline: { id: 7 } });
    case "GET pipelines/7/jobs?scope=success&per_page=100":
      return JSON.stringify([
        { id: 69, name: "lint" },
        { id: 70, name: "plan" },
      ]);
    case "GET jobs/70/artifacts/plan.json":
      return existsSync(plan) ? readFileSync(plan, "utf8") : undefined;
    default:
      return line.startsWith("GET repository/commits/") ? "[]" : undefined;
  }
}
