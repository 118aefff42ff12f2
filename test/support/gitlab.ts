// GitLab, as far as our jobs need it: the jobs of the component, and the API on loopback.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Comment, type Env, git, inBash, type Job, type Platform, pathOf, upload, withApi } from "./jobs.ts";

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
  const [, jobs = ""] = readFileSync(new URL("../../templates/gate-sync/template.yml", import.meta.url), "utf8").split(
    "\n---\n",
  );
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

/** The part of GitLab's API that the component uses: project 3, merge request 12, its pipeline 7 with a plan in job 70. */
export function withGitLab<T>(platform: Platform, work: (url: string) => Promise<T>): Promise<T> {
  const answer = (line: string, { token, body }: { readonly token: string; readonly body: string }) =>
    token === "Bearer glpat-1" ? gitlabAnswer(platform, pathOf(line), body) : undefined;
  return withApi(platform, answer, (url) => work(`${url}/api/v4`));
}

/** Of merge request 12, after its last version. */
export const planningPipeline = {
  id: 7,
  source: "merge_request_event",
  ref: "refs/merge-requests/12/head",
  created_at: "2026-01-01T10:00:01.000Z",
};

/** The newest first: what others deployed by the API, from a branch, and from a tag that is called as ours; and what we did. */
export function listDeployments(applied: string, by: object = {}): readonly object[] {
  const deployables = [
    null,
    { ref: "change", tag: false },
    { ref: "main", tag: true },
    ...(applied === "" ? [] : [{ ref: "main", tag: false, ...by }]),
  ];
  return deployables.map((deployable, at) => ({ sha: at < 3 ? "f00" : applied, status: "success", deployable }));
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
    merged_at: "2026-01-01T12:00:00.000Z",
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
  const planned = "2026-01-01T10:01:00.000Z";
  const isOwn = /^GET pipelines\/[89]\//.test(line) && existsSync(plan);
  const jobs = [
    { id: 69, name: "lint" },
    { id: 70, name: "gate-sync-plan-prod", finished_at: isOwn ? statSync(plan).mtime.toISOString() : planned },
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
      return JSON.stringify(request);
    case "GET merge_requests/12/pipelines?per_page=100":
      return JSON.stringify([{ ...planningPipeline, id: 9, ref: "refs/merge-requests/12/train" }, planningPipeline]);
    case "GET merge_requests/12/versions?per_page=1":
      return JSON.stringify([{ created_at: "2026-01-01T10:00:00.000Z" }]);
    case "GET pipelines/7/jobs?scope=success&per_page=100":
    case "GET pipelines/8/jobs?scope=success&per_page=100":
    case "GET pipelines/9/jobs?scope=success&per_page=100":
      return JSON.stringify(platform.hasSucceeded ? jobs : jobs.slice(0, 1));
    case "GET deployments?environment=prod&status=success&order_by=finished_at&sort=desc&per_page=100&page=1":
      return JSON.stringify(listDeployments(platform.applied, platform.appliedBy));
    case "GET jobs/70/artifacts/gate-sync-plan.json":
      return existsSync(plan) ? readFileSync(plan, "utf8") : undefined;
    default:
      return line.startsWith("GET repository/commits/") ? "[]" : findMergeBase(platform, line);
  }
}

/** Of any two commits, by git. */
function findMergeBase({ repository }: Platform, line: string): string | undefined {
  const [, one = "", other = ""] = /^GET repository\/merge_base\?refs\[\]=(\w+)&refs\[\]=(\w+)$/.exec(line) ?? [];
  return one === "" ? undefined : JSON.stringify({ id: git(repository, "merge-base", one, other) });
}
