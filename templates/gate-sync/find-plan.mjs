// The plan of the merge request that brought this commit, as gate-sync-plan.json; its last commit and number are printed. In a
// pipeline that was started from the web page the plan is the pipeline's own, and there is no number.
// Nothing else may be applied: no plan of a fork, of another merge request, or of a job that failed; and nothing older than
// what was applied. Nothing is printed where this commit was applied already.
import { rmSync, writeFileSync } from "node:fs";
import { findApplied, request, requestText, retry } from "./gitlab.mjs";

const { CI_COMMIT_SHA, CI_DEFAULT_BRANCH, CI_PIPELINE_ID, CI_PIPELINE_SOURCE, CI_PROJECT_ID, GATE_SYNC_TARGET } =
  process.env;
const jobName = `gate-sync-plan-${GATE_SYNC_TARGET}`;
const isByHand = CI_PIPELINE_SOURCE === "web";
/** What to do where the plan of a merge request does not help. */
const byHand = `Start a pipeline on ${CI_DEFAULT_BRANCH} from the web page: it plans that branch, and applies that plan.`;

try {
  const last = await retry(findApplied);
  const applied = last?.sha;
  if (applied === CI_COMMIT_SHA && (!isByHand || (await retry(() => isOwn(last)))))
    say(`Applied already: the last deployment to ${GATE_SYNC_TARGET} is of this commit.`);
  else if (applied !== undefined && applied !== CI_COMMIT_SHA && !(await retry(() => follows(applied)))) {
    say(
      `The plan is stale: this commit does not follow ${applied}, which was applied last. Nothing is applied. ${byHand}`,
    );
    process.exitCode = 5;
  } else {
    if (applied === undefined)
      say(`Whether a later commit was applied already is unknown, as ${GATE_SYNC_TARGET} has no deployment yet.`);
    const { iid, sha, plan } = await retry(isByHand ? findOwn : find);
    // A link or a folder of this name in the checkout would lead elsewhere.
    rmSync("gate-sync-plan.json", { force: true, recursive: true });
    writeFileSync("gate-sync-plan.json", plan, { flag: "wx" });
    process.stdout.write(iid === undefined ? sha : `${sha} ${iid}`);
  }
} catch (error) {
  say(`${error.message} Nothing is applied.`);
  process.exitCode = 1;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

async function follows(applied) {
  const { id } = await request("GET", `repository/merge_base?refs[]=${applied}&refs[]=${CI_COMMIT_SHA}`);
  return id === applied;
}

/** Whether it is of the plan of this pipeline: not of one that was made again since. */
async function isOwn({ pipeline, finished_at }) {
  return (
    String(pipeline?.id) === CI_PIPELINE_ID && Date.parse((await findOwnJob()).finished_at) <= Date.parse(finished_at)
  );
}

/** The plan of this pipeline, by the job with the reader's login. */
async function findOwn() {
  return { sha: CI_COMMIT_SHA, plan: await readPlan(await findOwnJob()) };
}

async function findOwnJob() {
  const jobs = await request("GET", `pipelines/${CI_PIPELINE_ID}/jobs?scope=success&per_page=100`);
  const job = jobs.find(({ name }) => name === jobName);
  if (!job) throw new Error(`This pipeline has no job ${jobName} that succeeded.`);
  return job;
}

function readPlan({ id }) {
  return requestText("GET", `jobs/${id}/artifacts/gate-sync-plan.json`);
}

async function find() {
  const mergeRequests = await request("GET", `repository/commits/${CI_COMMIT_SHA}/merge_requests?per_page=100`);
  // By a merge commit, a squashed one, or the branch as it was.
  const merged = mergeRequests.filter(
    ({ state, target_branch, merge_commit_sha, squash_commit_sha, sha }) =>
      state === "merged" &&
      target_branch === CI_DEFAULT_BRANCH &&
      [merge_commit_sha, squash_commit_sha, sha].includes(CI_COMMIT_SHA),
  );
  const [own, another] = merged.filter(({ source_project_id }) => String(source_project_id) === CI_PROJECT_ID);
  if (merged.length === 0)
    throw new Error(`No merge request brought this commit, so no plan of it was reviewed. ${byHand}`);
  if (!own)
    throw new Error(
      `Merge request ${merged[0].iid} came from a fork, which gets no plan. Make the same change in this project.`,
    );
  if (another)
    throw new Error(
      `Merge requests ${own.iid} and ${another.iid} both brought this commit: which plan was reviewed is unknown. ${byHand}`,
    );
  const { iid } = own;
  const { sha, merged_at } = await request("GET", `merge_requests/${iid}`);
  // The ref of such a pipeline says of which merge request it is. Nobody reviews what a merge train finds.
  const pipelines = await request("GET", `merge_requests/${iid}/pipelines?per_page=100`);
  const last = pipelines.find(
    ({ source, ref }) =>
      source === "merge_request_event" && ref.startsWith(`refs/merge-requests/${iid}/`) && !ref.endsWith("/train"),
  );
  // A change of the target branch adds one.
  const [version] = await request("GET", `merge_requests/${iid}/versions?per_page=1`);
  const isOwn = Date.parse(last?.created_at) >= Date.parse(version?.created_at);
  const jobs = isOwn ? await request("GET", `pipelines/${last.id}/jobs?scope=success&per_page=100`) : [];
  const job = jobs.find(({ name }) => name === jobName);
  if (!job)
    throw new Error(
      `Merge request ${iid} has no plan: its last pipeline in its target branch of today has no job ${jobName} that succeeded. ${byHand}`,
    );
  // A job can be started again: its plan is then another one.
  if (!(Date.parse(job.finished_at) <= Date.parse(merged_at)))
    throw new Error(`The plan of merge request ${iid} was made after the merge, so nobody reviewed it. ${byHand}`);
  return { iid, sha, plan: await readPlan(job) };
}
