// The plan of the merge request that brought this commit, as gate-sync-plan.json. Nothing else may be applied: no plan of a
// fork, of another merge request, or of a job that failed.
import { writeFileSync } from "node:fs";
import { request, requestText, retry } from "./gitlab.mjs";

const { CI_COMMIT_SHA, CI_DEFAULT_BRANCH, CI_PROJECT_ID, GATE_SYNC_TARGET } = process.env;
const jobName = `gate-sync-plan-${GATE_SYNC_TARGET}`;

try {
  const plan = await retry(find);
  writeFileSync("gate-sync-plan.json", plan);
} catch (error) {
  process.stderr.write(`${error.message} Nothing is applied.\n`);
  process.exit(1);
}

async function find() {
  const mergeRequests = await request("GET", `repository/commits/${CI_COMMIT_SHA}/merge_requests?per_page=100`);
  // By a merge commit, a squashed one, or the branch as it was.
  const merged = mergeRequests.find(
    ({ state, target_branch, merge_commit_sha, squash_commit_sha, sha }) =>
      state === "merged" &&
      target_branch === CI_DEFAULT_BRANCH &&
      [merge_commit_sha, squash_commit_sha, sha].includes(CI_COMMIT_SHA),
  );
  if (!merged) throw new Error("No merge request brought this commit, so no plan of it was reviewed.");
  const { iid, source_project_id } = merged;
  if (String(source_project_id) !== CI_PROJECT_ID)
    throw new Error(`Merge request ${iid} came from a fork, which gets no plan. Make the same change in this project.`);
  const { head_pipeline } = await request("GET", `merge_requests/${iid}`);
  const jobs = head_pipeline
    ? await request("GET", `pipelines/${head_pipeline.id}/jobs?scope=success&per_page=100`)
    : [];
  const job = jobs.find(({ name }) => name === jobName);
  if (!job)
    throw new Error(`Merge request ${iid} has no plan: its last pipeline has no job ${jobName} that succeeded.`);
  return requestText("GET", `jobs/${job.id}/artifacts/gate-sync-plan.json`);
}
