import { isBefore } from "../../dialects/version.ts";
import type { Answer, ReadPort } from "../../model/ports.ts";
import { type ShownCluster, shownCluster } from "../shown-cluster.ts";
import { unauthorised } from "../unreadable.ts";
import { fieldsOf } from "./routes.ts";

/** What `GET /` says of the search engine; of all else than its answer nothing is certain. */
export interface Root extends ShownCluster {
  readonly answer: Answer;
  readonly engine?: string;
  readonly distribution?: string;
}

/** @throws RunError where our credentials are wrong: more requests would only count as more attempts to log in */
export async function rootOf(reader: ReadPort): Promise<Root> {
  const answer = await reader.get("/");
  if (answer.status === 401) throw unauthorised("/", answer);
  const body = answer.status === 200 ? fieldsOf(answer.body) : {};
  const { number, distribution } = fieldsOf(body.version);
  return {
    answer,
    ...(typeof number === "string" && { engine: number }),
    ...(typeof distribution === "string" && { distribution }),
    ...shownCluster(answer.status, answer.body),
  };
}

/** An OpenSearch may be told to call itself 7.10.2, for clients that want to see an Elasticsearch. */
export function ownNumber({ engine, distribution }: Root): string | undefined {
  if (distribution !== "opensearch" || engine === undefined) return undefined;
  return isBefore(engine, "7.0.0") || !isBefore(engine, "8.0.0") ? engine : undefined;
}
