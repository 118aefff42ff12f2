import { isPage } from "../server-message.ts";
import type { Root } from "./root.ts";
import { getObjectFields } from "./routes.ts";

/** What may answer at the URL, in a sentence; undefined where nothing shows it. */
export function guessWhoAnswers(root: Root): string | undefined {
  const { answer, engine, distribution } = root;
  if (engine !== undefined) {
    const name = distribution === "opensearch" ? "OpenSearch" : "Elasticsearch";
    return `${name} ${engine} answers, and no security plugin that gate-sync knows.`;
  }
  if (looksLikeDashboards(root)) {
    return "Kibana or OpenSearch Dashboards answers: the API is at the search engine's own port, 9200 as a rule.";
  }
  return isPage(answer.text) ? "A web page answers: a login page, a proxy, or another program." : undefined;
}

/** It sends a browser on to its pages, and speaks of its errors in a form of its own. */
function looksLikeDashboards({ answer: { status, text, body, location } }: Root): boolean {
  if (status >= 300 && status < 400) return /^\/(?:[^/]+\/)*(app|login|spaces)\b/.test(location ?? "");
  if (typeof getObjectFields(body).statusCode === "number") return true;
  return /<title>\s*(Kibana|Elastic|OpenSearch Dashboards)\s*<|kbn-injected-metadata|osd-injected-metadata/i.test(text);
}
