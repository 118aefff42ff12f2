import { isObject, type JsonObject, type Value } from "../json/value.ts";
import type { ServerIdentity } from "../model/plan.ts";

/** Which cluster a server says it is of; empty where it does not say. */
export type ShownCluster = Pick<ServerIdentity, "clusterName" | "clusterUuid">;

/** A node that has not joined its cluster yet shows this in place of an id, in every cluster. */
const noUuid = "_na_";

/** @param body of the answer to `GET /` */
export function parseShownCluster(status: number, body: unknown): ShownCluster {
  const { cluster_name: name, cluster_uuid: uuid } =
    status === 200 && isObject(body as Value) ? (body as JsonObject) : ({} as JsonObject);
  return {
    ...(typeof name === "string" && { clusterName: name }),
    ...(typeof uuid === "string" && uuid !== noUuid && { clusterUuid: uuid }),
  };
}
