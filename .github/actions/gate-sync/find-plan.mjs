// The run that planned the pull request which brought this commit; of a run that was started by hand, itself. Nothing else may be applied: no plan of a fork, of
// another pull request or commit, of another workflow, or of a run that failed; and nothing older than what was applied.
import { appendFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { annotate, delay, list, listPullsOf, request, retry } from "./github.mjs";

const { APPLIED_REF, GITHUB_OUTPUT, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_WORKFLOW_REF } = process.env;
const { GITHUB_EVENT_NAME, GITHUB_RUN_ID, PLAN_NAME, RUNNER_TEMP, TARGET } = process.env;
const isByHand = GITHUB_EVENT_NAME === "workflow_dispatch";
/** What to do where the plan of a pull request does not help. */
const byHand = `Start this workflow by hand on the default branch: it plans that branch, and applies that plan.`;
const workflow = GITHUB_WORKFLOW_REF.slice(GITHUB_REPOSITORY.length + 1).split("@")[0];
const stated = APPLIED_REF?.trim().replace(/^(?:refs\/)?tags\//, "");
const tag = stated || (TARGET && `applied/${TARGET}`);
/** As `git check-ref-format` has it: GitHub knows no tag of another name. */
const isTag =
  Boolean(tag) &&
  /^(?!.*(?:\.\.|@\{|\/\/|\.lock(?:\/|$)))(?!.*(?:^|\/)\.)[^\0-\x20\x7f~^:?*[\\]*[^\0-\x20\x7f~^:?*[\\./]$/.test(tag) &&
  !tag.startsWith("/");

if (stated && !isTag) {
  annotate("error", `applied-ref is not the name of a tag: ${stated}. Nothing is applied.`);
  process.exit(64);
}
try {
  const position = await retry(comparePosition);
  if (position === "identical" && !isByHand) {
    annotate("notice", `Applied already: the tag ${tag} is at this commit. Nothing is sent.`);
    setOutputs({ result: "done", changes: 0 });
  } else if (![undefined, "ahead", "identical"].includes(position)) {
    annotate(
      "error",
      `The plan is stale: this commit does not follow the one that was applied last (tag ${tag}; GitHub: ${position}). Nothing is applied. ${byHand} If the tag is wrong, move it.`,
    );
    setOutputs({ result: "stale" });
    process.exitCode = 5;
  } else if (isByHand && (await retry(isOwnApplied))) {
    annotate("notice", "Applied already: this run has applied its plan. Nothing is sent.");
    setOutputs({ result: "done", changes: 0 });
  } else {
    if (!position) annotate("notice", explainUnknown());
    setOutputs({
      ...(isByHand ? ownPlan() : await retry(find)),
      folder: mkdtempSync(join(RUNNER_TEMP, "gate-sync-plan-")),
    });
  }
} catch (error) {
  annotate("error", `${error.message} Nothing is applied.`);
  process.exitCode = 1;
}

/** How this commit is related to the one that was applied last, in GitHub's words; undefined where no tag says which one. */
async function comparePosition() {
  const applied = isTag ? await findTagged() : undefined;
  if (applied === undefined) return undefined;
  if (applied === GITHUB_SHA) return "identical";
  return (await request("GET", `compare/${applied}...${GITHUB_SHA}?per_page=1`)).status;
}

async function findTagged() {
  const path = tag.split("/").map(encodeURIComponent).join("/");
  const found = await request("GET", `git/ref/tags/${path}`).catch((error) => {
    if (error.status !== 404) throw error;
  });
  let object = found?.object;
  // A tag with a message of its own.
  while (object?.type === "tag") ({ object } = await request("GET", `git/tags/${object.sha}`));
  return object?.sha;
}

function explainUnknown() {
  const missing = isTag ? `there is no tag ${tag} yet` : `no tag can have the name ${tag}: give applied-ref`;
  const why = tag ? missing : "neither target nor applied-ref is given";
  return `Whether a later commit was applied already is unknown, as ${why}. The plan of this one is applied.`;
}

/** Made before in this run, by the job with the reader's login. */
function ownPlan() {
  return { run: GITHUB_RUN_ID, plan: `gate-sync-plan-by-hand${PLAN_NAME}`, pull_request: "", head: GITHUB_SHA };
}

/** Whether this run has applied its plan: not one that it made again since. */
async function isOwnApplied() {
  const [planned, applied] = [
    await findKept(`gate-sync-plan-by-hand${PLAN_NAME}`),
    await findKept(`gate-sync-applied-by-hand${PLAN_NAME}`),
  ];
  return applied > planned;
}

/** When this run kept it; before all times where it did not. */
async function findKept(name) {
  const { artifacts } = await request("GET", `actions/runs/${GITHUB_RUN_ID}/artifacts?name=${name}`);
  const kept = artifacts.filter((one) => !one.expired && one.name === name);
  return Math.max(...kept.map(({ created_at }) => Date.parse(created_at)));
}

async function find() {
  const pulls = await request("GET", `commits/${GITHUB_SHA}/pulls?per_page=100`);
  const merged = pulls.filter(
    ({ merged_at, merge_commit_sha, base }) =>
      merged_at &&
      merge_commit_sha === GITHUB_SHA &&
      base.ref === GITHUB_REF_NAME &&
      base.repo.full_name === GITHUB_REPOSITORY,
  );
  const [own, another] = merged.filter(({ head }) => head.repo?.full_name === GITHUB_REPOSITORY);
  if (merged.length === 0)
    throw new Error(`No pull request brought this commit, so no plan of it was reviewed. ${byHand}`);
  if (!own)
    throw new Error(
      `Pull request ${merged[0].number} came from a fork, which gets no plan. Make the same change in this repository.`,
    );
  if (another)
    throw new Error(
      `Pull requests ${own.number} and ${another.number} both brought this commit: which plan was reviewed is unknown. ${byHand}`,
    );
  const { number, head, merged_at } = own;
  const plan = `gate-sync-plan-${number}${PLAN_NAME}`;
  const runs = `actions/runs?event=pull_request&status=success&head_sha=${head.sha}&per_page=100`;
  const since = await retry(() => findStart(own));
  // A server that does not know a filter leaves it out.
  const planned = (await request("GET", runs)).workflow_runs.filter(
    ({ event, conclusion, created_at, head_branch, head_sha, head_repository, path }) =>
      Date.parse(created_at) > since &&
      Date.parse(created_at) <= Date.parse(merged_at) &&
      head_branch === head.ref &&
      event === "pull_request" &&
      conclusion === "success" &&
      head_sha === head.sha &&
      head_repository?.full_name === GITHUB_REPOSITORY &&
      path.split("@")[0] === workflow,
  );
  // The newest first, as GitHub lists them. Of a run that is started again only the artefact says when its plan was made.
  for (const { id } of planned) {
    const { artifacts } = await request("GET", `actions/runs/${id}/artifacts?name=${plan}`);
    const kept = artifacts.filter(({ expired, name }) => !expired && name === plan);
    if (!kept.every(({ created_at }) => Date.parse(created_at) <= Date.parse(merged_at)))
      throw new Error(`The plan of pull request ${number} was made after the merge, so nobody reviewed it. ${byHand}`);
    if (kept.length > 0) return { run: id, plan, pull_request: number, head: head.sha };
  }
  const what = `Pull request ${number} has no plan: no successful run of ${workflow} for its last commit kept ${plan}.`;
  throw new Error(
    since === 0
      ? `${what} ${byHand}`
      : `${what} Its branch was that of another pull request, or it went to another base branch: only runs after that count, and at least of another commit. ${byHand}`,
  );
}

/**
 * From when on a run of this branch is one of this pull request, in its base branch of today. A run does not say whose it
 * is (`pull_requests` is empty after the merge), its artefact's name and the seal are for anybody who may push, and the
 * base branch brings the workflow. A closed one can still start runs: of its last commit, which stays. Zero: always was.
 */
async function findStart({ number, head, merged_at }) {
  const ends = [];
  for await (const other of listPullsOf(head.ref))
    if (other.number !== number && other.created_at <= merged_at)
      ends.push(other.head.sha === head.sha ? merged_at : (other.closed_at ?? merged_at));
  for await (const { event, created_at } of list(`issues/${number}/events`))
    if (["base_ref_changed", "automatic_base_change_succeeded"].includes(event)) ends.push(created_at);
  return Math.max(0, ...ends.map((end) => Date.parse(end) + delay));
}

function setOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) appendFileSync(GITHUB_OUTPUT, `${name}=${value}\n`);
}
