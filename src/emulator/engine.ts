// What the search engine below says for itself.

import type { Json } from "../json/value.ts";
import type { EmulatorCaller } from "./caller.ts";
import type { EngineFacts } from "./product.ts";
import { createEngineFailure, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { NodeSettings } from "./settings.ts";

/** Who asks, as refusals print it, and whether that user may. */
export interface EngineCaller {
  readonly text: string;
  readonly monitors: boolean;
}

/** `GET /`. */
export function describeRoot(engine: EngineFacts, settings: NodeSettings, asker: EngineCaller): Reply {
  const { clusterName, clusterUuid } = settings;
  const { distribution, number, build, tagline } = engine;
  const version = { ...(distribution === undefined ? {} : { distribution }), number, ...build };
  const about = { name: nodeName, cluster_name: clusterName, cluster_uuid: clusterUuid };
  return unmonitored("main", settings, asker) ?? { status: 200, json: { ...about, version, tagline } };
}

const nodeName = "emulator";

/** `GET /_cat/plugins`: the security plugin only; a table unless JSON is asked for. */
export function describePlugins(
  { plugin }: EngineFacts,
  { path }: RawRequest,
  settings: NodeSettings,
  asker: EngineCaller,
): Reply {
  const { component = "", version = "" } = plugin ?? {};
  const isJson = new URLSearchParams(path.split("?")[1] ?? "").get("format") === "json";
  const table = { status: 200, text: `${nodeName} ${component} ${version}\n` };
  const list = { status: 200, json: [{ name: nodeName, component, version }] };
  return unmonitored("state", settings, asker) ?? (isJson ? list : table);
}

/** Who may not ask the one may not ask the other either; and where the one is not passed on, nothing but the API is. */
function unmonitored(what: string, { rootAnswer }: NodeSettings, { text, monitors }: EngineCaller): Reply | undefined {
  if (rootAnswer === "absent") return { status: 404, text: "Not Found" };
  if (rootAnswer === "open" && monitors) return undefined;
  return createEngineFailure(403, "security_exception", `no permissions for [cluster:monitor/${what}] and ${text}`);
}

export function describeHealth(path: string): Reply {
  const mode = new URLSearchParams(path.split("?")[1] ?? "").get("mode") ?? "strict";
  return { status: 200, json: { message: null, mode, status: "UP" } };
}

/** A path of three segments: the document of an index that is not there, and cannot be. */
export function answerDocument(method: string, index: string, caller: EmulatorCaller, engine: EngineFacts): Reply {
  if (typeof caller !== "string") {
    const action =
      method === "GET" || method === "HEAD" ? "read/get" : method === "DELETE" ? "write/delete" : "write/index";
    return createEngineFailure(500, "security_exception", `Unexpected exception indices:data/${action}`);
  }
  const named = { index_uuid: "_na_", index };
  if (method === "PUT" || method === "POST") {
    const reason = `Invalid index name [${index}], must not start with '_', '-', or '+'`;
    return failure(400, { type: "invalid_index_name_exception", reason, ...named });
  }
  const resource = { "resource.type": "index_expression", "resource.id": index };
  const reason = engine.documents?.noIndex(index) ?? "no such index";
  return failure(404, { type: "index_not_found_exception", reason, ...resource, ...named });
}

function failure(status: number, cause: Readonly<Record<string, Json>>): Reply {
  return { status, json: { error: { root_cause: [cause], ...cause }, status } };
}

/** The search engine reads no longer first line than this, in characters. */
const longestLine = 4096;

/** Search Guard runs on engines that call it a frame; OpenSearch calls it a line. */
export function refuseTooLong({ method, path }: RawRequest, { distribution }: EngineFacts): Reply | undefined {
  if (`${method} ${path} HTTP/1.1`.length <= longestLine) return undefined;
  const type = distribution === undefined ? "too_long_frame_exception" : "too_long_http_line_exception";
  return createEngineFailure(400, type, `An HTTP line is larger than ${longestLine} bytes.`);
}

/** A body must say what it is, in words that the search engine knows. */
export function refuseUnknownContent({ headers, body }: RawRequest): Reply | undefined {
  if (body === "") return undefined;
  const type = headers["content-type"] ?? "";
  if (/^application\/(json|yaml|x-ndjson)\s*(;|$)/i.test(type)) return undefined;
  return { status: 406, json: { error: `Content-Type header [${type}] is not supported`, status: 406 } };
}

/** Parameters that every request may have. */
const everywhere: ReadonlySet<string> = new Set([
  "pretty",
  "human",
  "format",
  "filter_path",
  "error_trace",
  "s",
  "h",
  "v",
]);

export function refuseUnknownParameters({ path }: RawRequest): Reply | undefined {
  const [before = "", query = ""] = path.split("?");
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !everywhere.has(name)).sort();
  if (unknown.length === 0) return undefined;
  const detail = `parameter${unknown.length === 1 ? "" : "s"}: ${unknown.map((name) => `[${name}]`).join(", ")}`;
  return createEngineFailure(400, "illegal_argument_exception", `request [${before}] contains unrecognized ${detail}`);
}
