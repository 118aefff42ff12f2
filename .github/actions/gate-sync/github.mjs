// The API of GitHub and the commands of its runner, as far as the action needs them.
import { listAll, send } from "./api.mjs";

export { retry } from "./api.mjs";

const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN } = process.env;

/** @param path below the repository */
export async function request(method, path, body) {
  const url = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`;
  return JSON.parse(await send(method, url, { line: `${method} ${path}`, token: GITHUB_TOKEN, body }));
}

export const list = (path) => listAll(request, path);

/** In ms: how much later than what started it a run may be on record. */
export const delay = 300_000;

/** All pull requests of a branch of this repository. */
export async function* listPullsOf(branch) {
  const of = encodeURIComponent(`${GITHUB_REPOSITORY.split("/")[0]}:${branch}`);
  for await (const pull of list(`pulls?state=all&head=${of}`)) if (pull.head.ref === branch) yield pull;
}

/** An annotation; of a line of text, all of it is text. */
export function annotate(level, text) {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${level} title=gate-sync::${escaped}\n`);
}
