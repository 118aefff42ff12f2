// The plan as one comment on the pull request, which each push updates. It is recognised by its first line and by its
// author: others may quote that line.
import { readFileSync } from "node:fs";
import { annotate, delay, list, listPullsOf, request, retry } from "./github.mjs";

const { COMMENT_AUTHOR, COMMENT_FILE, HEAD_COMMIT, PAGE_URL, PULL_REQUEST, TARGET = "" } = process.env;
const { GITHUB_HEAD_REF, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_SERVER_URL } = process.env;
const marker = `<!-- gate-sync:${encodeURIComponent(TARGET)} -->`;

try {
  await retry(comment);
} catch (error) {
  // A token that may not write is one of the repository's choices; a comment that was written and is now out of date is a fault.
  if (error.status !== 403 || error.isPassing) {
    annotate(
      "error",
      `The comment on the pull request could not be updated, and may show an older plan. ${error.message}`,
    );
    process.exit(1);
  }
  annotate(
    "notice",
    `The plan is not shown as a comment: it needs the permission pull-requests: write. ${error.message}`,
  );
}

async function comment() {
  const { head } = await request("GET", `pulls/${PULL_REQUEST}`);
  if (head.sha !== HEAD_COMMIT) {
    annotate("notice", "A newer commit was pushed meanwhile: the comment is left to its plan.");
    return;
  }
  const own = await findOwn();
  const rival = await findRival();
  if (rival) annotate("warning", rival);
  const body = [marker, readReport(), ...(rival ? [rival] : []), formatSource()].join("\n\n");
  if (own) await request("PATCH", `issues/comments/${own.id}`, { body });
  else await request("POST", `issues/${PULL_REQUEST}/comments`, { body });
}

async function findOwn() {
  for await (const one of list(`issues/${PULL_REQUEST}/comments`))
    if (one.user?.login === COMMENT_AUTHOR && one.body?.split(/\r?\n/, 1)[0] === marker) return one;
}

/** A run does not say of which pull request it is: where a branch has two, none of its plans is applied. */
async function findRival() {
  for await (const { number, closed_at, head } of listPullsOf(GITHUB_HEAD_REF)) {
    const isOpen = closed_at === null || Date.parse(closed_at) + delay > Date.now();
    if (String(number) !== PULL_REQUEST && (isOpen || head.sha === HEAD_COMMIT))
      return `Pull request ${number} has this branch, too: after the merge this plan would not be applied. Open another pull request from a branch of its own.`;
  }
}

/** Without it an older plan would stay. */
function readReport() {
  try {
    return readFileSync(COMMENT_FILE, "utf8").trimEnd();
  } catch {
    return "**gate-sync ended without a plan.** The log says why.";
  }
}

function formatSource() {
  const log = `[log](${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID})`;
  const target = TARGET === "" ? [] : [`target \`${TARGET}\``];
  const page = PAGE_URL ? [`[page for the browser](${PAGE_URL})`] : [];
  return [`Commit ${HEAD_COMMIT.slice(0, 12)}`, ...target, ...page, log].join(" · ");
}
