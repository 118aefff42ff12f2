// Jobs of a CI server as its runner does them: the shell steps in order, in a clone. What only the platform has is a
// stand-in: npm and npx give what was built here, the APIs of GitHub and GitLab are real servers.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
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
  /** The pipeline of GitLab that made it, and when. */
  appliedBy?: { readonly pipeline: { readonly id: number }; readonly finished_at: string };
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
  if (!existsSync(resolve(cwd, path))) return;
  const into = join(folder, "artefacts", name);
  cpSync(resolve(cwd, path), join(into, kept), { recursive: true });
  utimesSync(into, new Date(), new Date());
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
