import { isBefore } from "../../dialects/version.ts";
import type { HttpAnswer, ReadPort } from "../../model/ports.ts";
import { parseShownCluster, type ShownCluster } from "../shown-cluster.ts";
import { createUnauthorisedMessage } from "../unreadable.ts";
import { getObjectFields } from "./routes.ts";

/** What `GET /` says of the search engine; of all else than its answer nothing is certain. */
export interface Root extends ShownCluster {
  readonly answer: HttpAnswer;
  readonly engine?: string;
  readonly distribution?: string;
}

/** @throws RunError where our credentials are wrong: more requests would only count as more attempts to log in */
export async function readRoot(reader: ReadPort): Promise<Root> {
  const answer = await reader.get("/");
  if (answer.status === 401) throw createUnauthorisedMessage("/", answer);
  const body = answer.status === 200 ? getObjectFields(answer.body) : {};
  const { number, distribution } = getObjectFields(body.version);
  return {
    answer,
    ...(typeof number === "string" && { engine: number }),
    ...(typeof distribution === "string" && { distribution }),
    ...parseShownCluster(answer.status, answer.body),
  };
}

/** An OpenSearch may be set to call itself 7.10.2, for clients that expect an Elasticsearch. */
export function readOwnNumber({ engine, distribution }: Root): string | undefined {
  if (distribution !== "opensearch" || engine === undefined) return undefined;
  return isBefore(engine, "7.0.0") || !isBefore(engine, "8.0.0") ? engine : undefined;
}
