// By its id the logs of servers and proxies tell the requests of a run from others: one for the life of the process.
// As X-Opaque-Id it goes to OpenSearch alone. Search Guard 7 (7.5.1-38) sets that header a second time on its own inner
// requests, fails over it, and answers whatever needs its configuration after 5 seconds with 500.
import type { Target } from "../../model/target.ts";
import type { ServerResponse } from "./line.ts";

export const runId = crypto.randomUUID().slice(0, 8);

export function runHeaders(takesOpaqueId: boolean): Readonly<Record<string, string>> {
  return { "user-agent": `gate-sync (run ${runId})`, ...(takesOpaqueId && { "x-opaque-id": `gate-sync-${runId}` }) };
}

/** By what is stated, or was detected before. Open Distro sits on an Elasticsearch and was never tried. */
export function isKnownOpenSearch({ product, release }: Target): boolean {
  return product === "opensearch" && release !== undefined && !release.startsWith("odfe");
}

/** By what it says of itself. */
export function isOpenSearch(path: string, { status, text }: ServerResponse): boolean {
  return path === "/" && status === 200 && /"distribution"\s*:\s*"opensearch"/.test(text);
}
