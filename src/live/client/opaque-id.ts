// The id of a run, one for the life of the process: by it the logs of servers and proxies show which requests belong
// together. As X-Opaque-Id it goes to OpenSearch alone. Search Guard 7 (7.5.1-38) sets that header a second time on
// its own inner requests, fails, and after 5 seconds answers 500 to everything that needs its configuration.
import type { Target } from "../../model/target.ts";
import type { ServerResponse } from "./connection.ts";

export const runId = crypto.randomUUID().slice(0, 8);

export function runHeaders(takesOpaqueId: boolean): Readonly<Record<string, string>> {
  return { "user-agent": `gate-sync (run ${runId})`, ...(takesOpaqueId && { "x-opaque-id": `gate-sync-${runId}` }) };
}

/** By what is stated, or was detected before. Open Distro sits on an Elasticsearch and was never tried. */
export function isKnownOpenSearch({ product, release }: Target): boolean {
  return product === "opensearch" && release !== undefined && !release.startsWith("odfe");
}

/** Whether this is the answer to `GET /` in which a server calls itself OpenSearch. */
export function isOpenSearch(path: string, { status, text }: ServerResponse): boolean {
  return path === "/" && status === 200 && /"distribution"\s*:\s*"opensearch"/.test(text);
}
