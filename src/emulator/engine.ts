import type { EmulatorCaller } from "./auth.ts";
import { createEngineFailure, type Reply } from "./reply.ts";
import type { Settings } from "./settings.ts";

/** `GET /` of the search engine below, as far as a client of the API needs it. */
export function answerRoot({ behaviour, clusterName, clusterUuid, rootAnswer }: Settings): Reply {
  if (rootAnswer === "forbidden") {
    return createEngineFailure(403, "security_exception", "no permissions for [cluster:monitor/main]");
  }
  if (rootAnswer === "absent") return { status: 404, text: "Not Found" };
  const about = { name: "emulator", cluster_name: clusterName, cluster_uuid: clusterUuid };
  const version = { number: behaviour.engine };
  return { status: 200, json: { ...about, version, tagline: "You Know, for Search" } };
}

/**
 * What the search engine says of a path of three segments that the API does not know, such as the singular
 * `actiongroup` of 6.x on a 7: it takes it for a document of an index that cannot be.
 */
export function answerEngine(method: string, index: string, caller: EmulatorCaller): Reply {
  if (typeof caller !== "string") {
    const action = method === "GET" ? "read/get" : method === "DELETE" ? "write/delete" : "write/index";
    return createEngineFailure(500, "security_exception", `Unexpected exception indices:data/${action}`);
  }
  if (method === "GET" || method === "DELETE") {
    return createEngineFailure(404, "index_not_found_exception", `no such index [${index}]`);
  }
  const reason = `Invalid index name [${index}], must not start with '_', '-', or '+'`;
  return createEngineFailure(400, "invalid_index_name_exception", reason);
}
