// The plan as one note on the merge request, which each push updates. It is recognised by its first line and by its
// author: others may quote that line.
import { readFileSync } from "node:fs";
import { list, request, retry } from "./gitlab.mjs";

const { CI_JOB_URL, CI_MERGE_REQUEST_IID, GATE_SYNC_API_TOKEN, GATE_SYNC_TARGET } = process.env;
/** Of a pipeline for merged results, the first is empty where there is none, and the second is the merge. */
const commit = process.env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || process.env.CI_COMMIT_SHA;
const marker = `<!-- gate-sync:${encodeURIComponent(GATE_SYNC_TARGET)} -->`;
const mergeRequest = `merge_requests/${CI_MERGE_REQUEST_IID}`;

if (GATE_SYNC_API_TOKEN) {
  try {
    await retry(comment);
  } catch (error) {
    process.stderr.write(
      `The note on the merge request could not be updated, and may show an older plan. ${error.message}\n`,
    );
    process.exit(1);
  }
} else process.stderr.write("The plan is not shown as a note: the variable GATE_SYNC_API_TOKEN is not set.\n");

async function comment() {
  const { sha } = await request("GET", mergeRequest);
  if (sha !== commit) {
    process.stderr.write("A newer commit was pushed meanwhile: the note is left to its plan.\n");
    return;
  }
  const own = await findOwn();
  const body = [marker, readReport(), formatSource()].join("\n\n");
  if (own) await request("PUT", `${mergeRequest}/notes/${own.id}`, { body });
  else await request("POST", `${mergeRequest}/notes`, { body });
}

async function findOwn() {
  const { id: me } = await request("GET", "/user");
  for await (const one of list(`${mergeRequest}/notes?sort=asc`))
    if (one.author.id === me && one.body.split(/\r?\n/, 1)[0] === marker) return one;
}

/** Without it an older plan would stay. */
function readReport() {
  try {
    return readFileSync("gate-sync-plan.md", "utf8").trimEnd();
  } catch {
    return "**gate-sync ended without a plan.** The log says why.";
  }
}

function formatSource() {
  const page = `[page for the browser](${CI_JOB_URL}/artifacts/file/gate-sync-plan.html)`;
  return [`Commit ${commit.slice(0, 12)}`, `target \`${GATE_SYNC_TARGET}\``, page, `[log](${CI_JOB_URL})`].join(" · ");
}
