/** A permission is evaluated against the cluster permissions of roles, or against those on indices; never against both. */
export type Level = "cluster" | "index";

/** Whether a request with this action fails wherever DLS, FLS or masking applies; Search Guard then resizes at times. */
export function failsRestricted(action: string, release: string): "yes" | "unknown" | "no" {
  if (action === "indices:data/write/update") return "yes";
  if (action !== "indices:admin/resize") return "no";
  return /^(6|7|FLX)/.test(release) ? "unknown" : "yes";
}

/** By how an action is called. Tried on OpenSearch 2.19.1, Search Guard 7.5.1-38 and 6.5.4-24. */
export function getActionLevel(action: string): Level {
  const isComposite =
    !action.startsWith("indices:") ||
    clusterActions.has(action) ||
    clusterActionPrefixes.some((one) => action.startsWith(one));
  return isComposite ? "cluster" : "index";
}

/**
 * Those of `indices:` that are evaluated against cluster permissions nevertheless. A search template is not: it takes its
 * action on the index, tried on OpenSearch 2.19.1 with the module that registers it; its rendering, and several at once,
 * take theirs for the cluster.
 */
export const clusterActions: ReadonlySet<string> = new Set([
  "indices:data/write/bulk",
  "indices:data/write/reindex",
  "indices:data/read/mget",
  "indices:data/read/msearch",
  "indices:data/read/mtv",
  "indices:data/read/search/template/render",
  "indices:data/read/msearch/template",
]);

/** Further actions of this kind, by how they begin. */
export const clusterActionPrefixes: readonly string[] = [
  "indices:admin/template/",
  "indices:admin/index_template/",
  "indices:data/read/scroll",
];

const template = /^indices:data\/read\/m?search\/template(\/|$)/;

/**
 * Whether builds of the product evaluate an action differently, so that its level is not known: Search Guard 7.5.1-38 looks
 * for those of search templates among the permissions on indices, by a pattern that matches all of them (tried with the
 * module that registers them); later builds and FLX, by their sources, among those of the cluster.
 */
export function isLevelUnknown(action: string, release: string): boolean {
  return /^(7|FLX)/.test(release) && template.test(action);
}

/** Patterns that tell apart actions evaluated on the cluster from those evaluated on an index. */
export const patternsOfActionLevels: readonly string[] = [
  "indices:*",
  ...clusterActions,
  ...clusterActionPrefixes.map((family) => `${family}*`),
];

/** What people call something that they do with a cluster, and what the server asks for when they do. */
export interface RequestKind {
  /** For people to say and to read: `search`, `delete-index`. */
  readonly name: string;
  /** What they say for it, too. */
  readonly otherwise?: readonly string[];
  readonly cluster: readonly string[];
  readonly index: readonly string[];
  /** A request of this kind; `{index}` is replaced by the index, `1` and `NAME` by any name. */
  readonly example: string;
  /** Others of this kind. */
  readonly examples?: readonly string[];
  /** Fails wherever DLS, FLS or masking applies to the index. */
  readonly failsWhereRestricted?: true;
  /** Asked for besides by OpenSearch and Search Guard 7. */
  readonly sinceSeven?: readonly string[];
}

const bulk = "indices:data/write/bulk";
const shardBulk = `${bulk}[s]`;

/** Each with the least that the servers take for it: tried with that, without each of it, and at the other level. */
export const requestKinds: readonly RequestKind[] = [
  {
    name: "search",
    otherwise: ["count"],
    cluster: [],
    index: ["indices:data/read/search"],
    example: "GET {index}/_search",
    examples: ["POST {index}/_search", "GET {index}/_count", "POST {index}/_count"],
  },
  { name: "get", cluster: [], index: ["indices:data/read/get"], example: "GET {index}/_doc/1" },
  {
    name: "mget",
    cluster: ["indices:data/read/mget"],
    index: ["indices:data/read/mget[shard]"],
    example: "POST {index}/_mget",
  },
  {
    name: "msearch",
    cluster: ["indices:data/read/msearch"],
    index: ["indices:data/read/search"],
    example: "POST {index}/_msearch",
  },
  {
    name: "field-caps",
    cluster: [],
    index: ["indices:data/read/field_caps"],
    example: "GET {index}/_field_caps?fields=*",
  },
  { name: "explain", cluster: [], index: ["indices:data/read/explain"], example: "GET {index}/_explain/1" },
  { name: "termvectors", cluster: [], index: ["indices:data/read/tv"], example: "GET {index}/_termvectors/1" },
  {
    name: "index",
    otherwise: ["write", "create-document", "bulk"],
    cluster: [bulk],
    index: [shardBulk, "indices:data/write/index"],
    example: "PUT {index}/_doc/1",
    examples: ["POST {index}/_doc/1", "POST {index}/_doc"],
  },
  {
    name: "index-new-field",
    cluster: [bulk],
    index: [shardBulk, "indices:data/write/index", "indices:admin/mapping/put"],
    example: "PUT {index}/_doc/1",
  },
  {
    name: "delete",
    otherwise: ["delete-document"],
    cluster: [bulk],
    index: [shardBulk, "indices:data/write/delete"],
    example: "DELETE {index}/_doc/1",
  },
  {
    name: "update",
    cluster: [bulk],
    index: [shardBulk, "indices:data/write/index", "indices:data/write/update"],
    example: "POST {index}/_update/1",
    failsWhereRestricted: true,
  },
  { name: "create-index", cluster: [], index: ["indices:admin/create"], example: "PUT {index}" },
  { name: "delete-index", cluster: [], index: ["indices:admin/delete"], example: "DELETE {index}" },
  { name: "get-index", cluster: [], index: ["indices:admin/get"], example: "GET {index}" },
  {
    name: "close-index",
    cluster: [],
    index: ["indices:admin/close"],
    sinceSeven: ["indices:admin/close[s]"],
    example: "POST {index}/_close",
  },
  {
    name: "refresh",
    cluster: [],
    index: ["indices:admin/refresh", "indices:admin/refresh[s]"],
    example: "POST {index}/_refresh",
  },
  {
    name: "flush",
    cluster: [],
    index: ["indices:admin/flush", "indices:admin/flush[s]"],
    example: "POST {index}/_flush",
  },
  { name: "get-mapping", cluster: [], index: ["indices:admin/mappings/get"], example: "GET {index}/_mapping" },
  { name: "put-mapping", cluster: [], index: ["indices:admin/mapping/put"], example: "PUT {index}/_mapping" },
  { name: "get-settings", cluster: [], index: ["indices:monitor/settings/get"], example: "GET {index}/_settings" },
  { name: "put-settings", cluster: [], index: ["indices:admin/settings/update"], example: "PUT {index}/_settings" },
  { name: "get-aliases", cluster: [], index: ["indices:admin/aliases/get"], example: "GET {index}/_alias" },
  { name: "put-alias", cluster: [], index: ["indices:admin/aliases"], example: "PUT {index}/_alias/NAME" },
  { name: "stats", cluster: [], index: ["indices:monitor/stats"], example: "GET {index}/_stats" },
  { name: "segments", cluster: [], index: ["indices:monitor/segments"], example: "GET {index}/_segments" },
  { name: "recovery", cluster: [], index: ["indices:monitor/recovery"], example: "GET {index}/_recovery" },
  {
    name: "cat-indices",
    cluster: ["cluster:monitor/state", "cluster:monitor/health"],
    index: ["indices:monitor/stats"],
    sinceSeven: ["indices:monitor/settings/get"],
    example: "GET _cat/indices/{index}",
  },
  {
    name: "validate-query",
    cluster: [],
    index: ["indices:admin/validate/query"],
    example: "GET {index}/_validate/query",
  },
  { name: "analyze", cluster: [], index: ["indices:admin/analyze"], example: "GET {index}/_analyze" },
  { name: "clear-scroll", cluster: ["indices:data/read/scroll/clear"], index: [], example: "DELETE _search/scroll" },
  { name: "scroll", cluster: ["indices:data/read/scroll"], index: [], example: "POST _search/scroll" },
  { name: "get-template", cluster: ["indices:admin/template/get"], index: [], example: "GET _template" },
  { name: "put-template", cluster: ["indices:admin/template/put"], index: [], example: "PUT _template/NAME" },
  { name: "info", cluster: ["cluster:monitor/main"], index: [], example: "GET /" },
  { name: "health", cluster: ["cluster:monitor/health"], index: [], example: "GET _cluster/health" },
  { name: "cluster-state", cluster: ["cluster:monitor/state"], index: [], example: "GET _cluster/state" },
  { name: "get-cluster-settings", cluster: ["cluster:monitor/state"], index: [], example: "GET _cluster/settings" },
  {
    name: "put-cluster-settings",
    otherwise: ["cluster-settings"],
    cluster: ["cluster:admin/settings/update"],
    index: [],
    example: "PUT _cluster/settings",
  },
  { name: "nodes-info", cluster: ["cluster:monitor/nodes/info"], index: [], example: "GET _nodes" },
  { name: "nodes-stats", cluster: ["cluster:monitor/nodes/stats"], index: [], example: "GET _nodes/stats" },
  { name: "tasks", cluster: ["cluster:monitor/tasks/lists"], index: [], example: "GET _tasks" },
];

/** Actions of which a request need not name an index: one without is about all of them. */
const withoutIndex: ReadonlySet<string> = new Set([
  "indices:admin/aliases/get",
  "indices:data/read/point_in_time/delete",
  "indices:data/read/point_in_time/readall",
  "indices:monitor/point_in_time/segments",
]);

export function needsNoIndex(actions: readonly string[]): boolean {
  return actions.every((action) => withoutIndex.has(action));
}

/** Every action that some kind of request takes. */
export const knownActions: readonly string[] = [
  ...new Set(requestKinds.flatMap(({ cluster, index, sinceSeven = [] }) => [...cluster, ...index, ...sinceSeven])),
].sort();

/** The first kind that has a request of this method and path; `index` is the part of the path that names the indices. */
export function findRequestKindAt(
  method: string,
  segments: readonly string[],
): { readonly kind: RequestKind; readonly index: string } | undefined {
  const [index = "", ...rest] = segments;
  if (/^$|^[_+-]/.test(index) && index !== "_all") return undefined;
  const isLike = (example: string): boolean => {
    const [verb, path = ""] = example.split(" ");
    const [subject, ...parts] = path.replace(/\?.*/, "").split("/");
    return verb === method && subject === "{index}" && parts.length === rest.length && parts.every(isMatched);
  };
  const isMatched = (part: string, at: number): boolean => part === "1" || part === "NAME" || part === rest[at];
  const kind = requestKinds.find(({ example, examples = [] }) => [example, ...examples].some(isLike));
  return kind && { kind, index };
}
