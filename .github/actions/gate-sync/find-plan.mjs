// The run that planned the pull request which brought this commit. Nothing else may be applied: no plan of a fork, of
// another pull request or commit, of another workflow, or of a run that failed; and nothing older than what was applied.
import { appendFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { annotate, request, retry } from "./github.mjs";

const { APPLIED_REF, GITHUB_OUTPUT, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_WORKFLOW_REF } = process.env;
const { PLAN_NAME, RUNNER_TEMP, TARGET } = process.env;
const workflow = GITHUB_WORKFLOW_REF.slice(GITHUB_REPOSITORY.length + 1).split("@")[0];
const tag = APPLIED_REF || (TARGET && `applied/${TARGET}`);

try {
  const position = await retry(comparePosition);
  if (position === "identical") {
    annotate("notice", `Applied already: the tag ${tag} is at this commit. Nothing is sent.`);
    setOutputs({ result: "done", changes: 0 });
  } else if (position === undefined || position === "ahead") {
    if (!position) annotate("notice", explainUnknown());
    setOutputs({ ...(await retry(find)), folder: mkdtempSync(join(RUNNER_TEMP, "gate-sync-plan-")) });
  } else {
    annotate(
      "error",
      `The plan is stale: this commit does not follow the one that was applied last (tag ${tag}; GitHub: ${position}). Nothing is applied. Open another pull request for what is still wanted; if the tag is wrong, move it.`,
    );
    setOutputs({ result: "stale" });
    process.exitCode = 5;
  }
} catch (error) {
  annotate("error", `${error.message} Nothing is applied.`);
  process.exitCode = 1;
}

/** How this commit is related to the one that was applied last, in GitHub's words; undefined where no tag says which one. */
async function comparePosition() {
  const applied = tag && (await findTagged());
  if (!applied || applied === GITHUB_SHA) return applied && "identical";
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
  const why = tag ? `there is no tag ${tag} yet` : "neither target nor applied-ref is given";
  return `Whether a later commit was applied already is unknown, as ${why}. The plan of this one is applied.`;
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
  if (merged.length === 0) throw new Error("No pull request brought this commit, so no plan of it was reviewed.");
  if (!own)
    throw new Error(
      `Pull request ${merged[0].number} came from a fork, which gets no plan. Make the same change in this repository.`,
    );
  if (another)
    throw new Error(
      `Pull requests ${own.number} and ${another.number} both brought this commit: which plan was reviewed is unknown. Open another one.`,
    );
  const { number, head } = own;
  const plan = `gate-sync-plan-${number}${PLAN_NAME}`;
  const runs = `actions/runs?event=pull_request&status=success&head_sha=${head.sha}&per_page=100`;
  // A server that does not know a filter leaves it out.
  const planned = (await request("GET", runs)).workflow_runs.filter(
    ({ event, conclusion, head_sha, head_repository, path }) =>
      event === "pull_request" &&
      conclusion === "success" &&
      head_sha === head.sha &&
      head_repository?.full_name === GITHUB_REPOSITORY &&
      path.split("@")[0] === workflow,
  );
  // The newest first, as GitHub lists them. A run does not say for which pull request it was, once that is merged: the
  // artefact's name does, and the plan itself, under its seal.
  for (const { id } of planned) {
    const { artifacts } = await request("GET", `actions/runs/${id}/artifacts?name=${plan}`);
    if (artifacts.some(({ expired }) => !expired)) return { run: id, plan, pull_request: number, head: head.sha };
  }
  throw new Error(
    `Pull request ${number} has no plan: no successful run of ${workflow} for its last commit kept ${plan}.`,
  );
}

function setOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) appendFileSync(GITHUB_OUTPUT, `${name}=${value}\n`);
}
