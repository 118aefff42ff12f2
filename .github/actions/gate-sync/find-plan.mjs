// The run that planned the pull request which brought this commit. Nothing else may be applied: no plan of a fork, of
// another commit, of another workflow, or of a run that failed.
import { appendFileSync } from "node:fs";
import { annotate, request, retry } from "./github.mjs";

const { GITHUB_OUTPUT, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_WORKFLOW_REF, PLAN_NAME } = process.env;
const workflow = GITHUB_WORKFLOW_REF.slice(GITHUB_REPOSITORY.length + 1).split("@")[0];

try {
  const run = await retry(find);
  appendFileSync(GITHUB_OUTPUT, `run=${run}\n`);
} catch (error) {
  annotate("error", `${error.message} Nothing is applied.`);
  process.exit(1);
}

async function find() {
  const pulls = await request("GET", `commits/${GITHUB_SHA}/pulls?per_page=100`);
  const pull = pulls.find(
    ({ merged_at, merge_commit_sha, base }) =>
      merged_at && merge_commit_sha === GITHUB_SHA && base.ref === GITHUB_REF_NAME,
  );
  if (!pull) throw new Error("No pull request brought this commit, so no plan of it was reviewed.");
  const { number, head } = pull;
  if (head.repo?.full_name !== GITHUB_REPOSITORY)
    throw new Error(
      `Pull request ${number} came from a fork, which gets no plan. Make the same change in this repository.`,
    );
  const runs = `actions/runs?event=pull_request&status=success&head_sha=${head.sha}&per_page=100`;
  const planned = (await request("GET", runs)).workflow_runs.filter(
    ({ head_repository, path }) => head_repository?.full_name === GITHUB_REPOSITORY && path.split("@")[0] === workflow,
  );
  // The newest first, as GitHub lists them.
  for (const { id } of planned) {
    const { artifacts } = await request("GET", `actions/runs/${id}/artifacts?name=${PLAN_NAME}`);
    if (artifacts.some(({ expired }) => !expired)) return id;
  }
  throw new Error(
    `Pull request ${number} has no plan: no successful run of ${workflow} for its last commit kept ${PLAN_NAME}.`,
  );
}
