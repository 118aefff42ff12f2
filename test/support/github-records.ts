// What GitHub knows of pull requests, runs, artefacts and tags, and its API over that, filtered and sorted as GitHub does it.

export interface GitHubPull {
  readonly number: number;
  readonly created_at: string;
  /** When it was merged, too. */
  readonly closed_at: string | null;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly base: { readonly ref: string; readonly repo: { readonly full_name: string } };
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly full_name: string } | null };
}

export interface GitHubRun {
  readonly id: number;
  readonly event: string;
  readonly conclusion: string;
  readonly created_at: string;
  readonly head_branch: string;
  readonly head_sha: string;
  readonly head_repository: { readonly full_name: string } | null;
  readonly path: string;
  /** Empty once they are merged. */
  readonly pull_requests: readonly [];
}

export interface GitHubRecords {
  /** Of any commit: which ones GitHub counts as those that brought it is for it to say. */
  readonly pulls: readonly GitHubPull[];
  /** Of the one that was merged. */
  readonly events?: readonly { readonly event: string; readonly created_at: string }[];
  /** The newest first. */
  readonly runs: readonly GitHubRun[];
  /** As servers do with a filter that is newer than they are. */
  readonly knowsNoFilter?: boolean;
  artefactsOf(
    run: number,
    name: string,
  ): readonly { readonly name: string; readonly expired: boolean; readonly created_at: string }[];
  /** What a tag is at. */
  readTag(name: string): { readonly type: string; readonly sha: string } | undefined;
  /** What a tag with a message of its own is at. */
  openTag?(sha: string): { readonly type: string; readonly sha: string };
  compare(base: string, head: string): string;
}

export const us = { full_name: "us/access" };
export const them = { full_name: "them/access" };

/** A pull request that was merged, and the run that planned it. */
export const mergedPull: GitHubPull = {
  number: 12,
  created_at: "2026-01-01T10:00:00Z",
  closed_at: "2026-01-01T12:00:00Z",
  merged_at: "2026-01-01T12:00:00Z",
  merge_commit_sha: "aaa1",
  base: { ref: "main", repo: us },
  head: { ref: "change", sha: "bbb1", repo: us },
};
export const planningRun: GitHubRun = {
  id: 7,
  event: "pull_request",
  conclusion: "success",
  created_at: "2026-01-01T11:00:00Z",
  head_branch: "change",
  head_sha: "bbb1",
  head_repository: us,
  path: ".github/workflows/access.yml",
  pull_requests: [],
};

/** @param line without the repository, as in `GET pulls/12` */
export function askGithub(records: GitHubRecords, line: string): string | undefined {
  const { pathname, searchParams: query } = new URL(line.replace("GET ", ""), "http://github.example/");
  const limit = Number(query.get("per_page") ?? 30);
  const [, sha] = /^\/commits\/(\w+)\/pulls$/.exec(pathname) ?? [];
  if (sha !== undefined) return JSON.stringify(records.pulls.slice(0, limit));
  if (pathname === "/pulls") {
    const labelOf = ({ head }: GitHubPull) => `${head.repo?.full_name.split("/")[0]}:${head.ref}`;
    const isOf = (pull: GitHubPull) => query.get("head") === labelOf(pull) && query.get("state") === "all";
    return JSON.stringify(onPage(records.pulls.filter(isOf), query));
  }
  if (/^\/issues\/\d+\/events$/.test(pathname)) return JSON.stringify(onPage(records.events ?? [], query));
  if (pathname === "/actions/runs") {
    const runs = records.runs.filter(
      ({ event, conclusion, head_sha }) =>
        records.knowsNoFilter ||
        ([null, event].includes(query.get("event")) &&
          [null, conclusion].includes(query.get("status")) &&
          [null, head_sha].includes(query.get("head_sha"))),
    );
    return JSON.stringify({ workflow_runs: runs.slice(0, limit) });
  }
  const [, run] = /^\/actions\/runs\/(\d+)\/artifacts$/.exec(pathname) ?? [];
  if (run !== undefined)
    return JSON.stringify({ artifacts: records.artefactsOf(Number(run), query.get("name") ?? "").slice(0, limit) });
  const [, name] = /^\/git\/ref\/tags\/(.+)$/.exec(pathname) ?? [];
  const object = name === undefined ? undefined : records.readTag(decodeURIComponent(name));
  if (object) return JSON.stringify({ ref: `refs/tags/${name}`, object });
  const [, tag] = /^\/git\/tags\/(\w+)$/.exec(pathname) ?? [];
  if (tag !== undefined) return JSON.stringify({ object: records.openTag?.(tag) });
  const [, base = "", head] = /^\/compare\/(\w+)\.\.\.(\w+)$/.exec(pathname) ?? [];
  return head === undefined ? undefined : JSON.stringify({ status: records.compare(base, head) });
}

function onPage<T>(all: readonly T[], query: URLSearchParams): readonly T[] {
  const limit = Number(query.get("per_page"));
  return all.slice(limit * (Number(query.get("page")) - 1), limit * Number(query.get("page")));
}
