// The API of GitLab, as far as the component needs it.
import { listAll, send } from "../../.github/actions/gate-sync/api.mjs";

export { retry } from "../../.github/actions/gate-sync/api.mjs";

const { CI_API_V4_URL, CI_DEFAULT_BRANCH, CI_PROJECT_ID, GATE_SYNC_API_TOKEN, GATE_SYNC_TARGET } = process.env;

/** The deployment of the last job which applied and succeeded; undefined where there is none. Any branch or tag can deploy. */
export async function findApplied() {
  const environment = encodeURIComponent(GATE_SYNC_TARGET);
  const deployments = `deployments?environment=${environment}&status=success&order_by=finished_at&sort=desc`;
  for await (const { deployable, sha } of list(deployments))
    if (deployable?.ref === CI_DEFAULT_BRANCH && deployable.tag === false) return { ...deployable, sha };
}

/** @param path below the project; with a / before it, below the API */
export async function request(method, path, body) {
  return JSON.parse(await requestText(method, path, body));
}

export const list = (path) => listAll(request, path);

export function requestText(method, path, body) {
  const url = path.startsWith("/") ? `${CI_API_V4_URL}${path}` : `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/${path}`;
  return send(method, url, { line: `${method} ${path}`, token: GATE_SYNC_API_TOKEN, body });
}
