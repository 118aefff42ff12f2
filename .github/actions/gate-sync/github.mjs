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

/** An annotation; of a line of text, all of it is text. */
export function annotate(level, text) {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${level} title=gate-sync::${escaped}\n`);
}
