// What the search engine below says for itself.
import type { Json } from "../json/value.ts";
import type { ServedRequest } from "./handler.ts";
import { formatUser, identifyCaller } from "./identity.ts";
import { createEngineFailure, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";

const nodeName = "emulator";

/** `GET /`. */
export function describeRoot(asked: ServedRequest): Reply {
  const { clusterName, clusterUuid } = asked.settings;
  const { distribution, number, build, tagline } = asked.product.engine;
  const version = { ...(distribution === undefined ? {} : { distribution }), number, ...build };
  const about = { name: nodeName, cluster_name: clusterName, cluster_uuid: clusterUuid };
  return refuseUnmonitored("cluster:monitor/main", asked) ?? { status: 200, json: { ...about, version, tagline } };
}

/** `GET /_cat/plugins`: the security plugin only; a table unless JSON is asked for. */
export function describePlugins(asked: ServedRequest): Reply {
  const { component = "", version = "" } = asked.product.engine.plugin ?? {};
  const isJson = queryOf(asked).get("format") === "json";
  const table = { status: 200, text: `${nodeName} ${component} ${version}\n` };
  const list = { status: 200, json: [{ name: nodeName, component, version }] };
  return refuseUnmonitored("cluster:monitor/state", asked) ?? (isJson ? list : table);
}

/** `GET /_alias`. */
export function describeAliases(asked: ServedRequest): Reply {
  const { aliases = {} } = asked.settings;
  return refuseUnmonitored("indices:admin/aliases/get", asked) ?? { status: 200, json: aliases };
}

/** Who may not ask the one may not ask the other either; and where the one is not passed on, nothing but the API is. */
function refuseUnmonitored(action: string, asked: ServedRequest): Reply | undefined {
  const { rootAnswer } = asked.settings;
  const who = identifyCaller(asked);
  if (rootAnswer === "absent") return { status: 404, text: "Not Found" };
  if (rootAnswer === "open" && who.monitors) return undefined;
  const text = formatUser(who, asked.product.identity);
  return createEngineFailure(403, "security_exception", `no permissions for [${action}] and ${text}`);
}

export function describeHealth(asked: RawRequest): Reply {
  return { status: 200, json: { message: null, mode: queryOf(asked).get("mode") ?? "strict", status: "UP" } };
}

function queryOf({ path }: RawRequest): URLSearchParams {
  return new URLSearchParams(path.split("?")[1] ?? "");
}

/** A path of three segments: the document of an index that is not there, and cannot be. */
export function answerDocument({ method, caller, product }: ServedRequest, index: string): Reply {
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
  const reason = product.engine.documents?.noIndex(index) ?? "no such index";
  const resource = { "resource.type": "index_expression", "resource.id": index };
  return failure(404, { type: "index_not_found_exception", reason, ...resource, ...named });
}

function failure(status: number, cause: Readonly<Record<string, Json>>): Reply {
  return { status, json: { error: { root_cause: [cause], ...cause }, status } };
}

/** The search engine reads no longer first line than this, in characters. */
const longestLine = 4096;

/** Search Guard runs on engines that call it a frame; OpenSearch calls it a line. */
export function refuseTooLong({ method, path, product }: ServedRequest): Reply | undefined {
  if (`${method} ${path} HTTP/1.1`.length <= longestLine) return undefined;
  const type = product.engine.distribution === undefined ? "too_long_frame_exception" : "too_long_http_line_exception";
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

export function refuseUnknownParameters(asked: RawRequest): Reply | undefined {
  const [before = ""] = asked.path.split("?", 1);
  const unknown = [...queryOf(asked).keys()].filter((name) => !everywhere.has(name)).sort();
  if (unknown.length === 0) return undefined;
  const detail = `parameter${unknown.length === 1 ? "" : "s"}: ${unknown.map((name) => `[${name}]`).join(", ")}`;
  return createEngineFailure(400, "illegal_argument_exception", `request [${before}] contains unrecognized ${detail}`);
}
