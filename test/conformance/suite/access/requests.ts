import type { Random } from "../../../fixtures/random.ts";
import type { Answered, Asked } from "../stage.ts";
import { indices, missing, prefix } from "./fixtures.ts";
import type { Aliases } from "./reported.ts";

/** A request as a user makes it, and what it is called. */
export interface Put {
  readonly kind: string;
  /** Absent for what is about no index. */
  readonly index?: string;
  /** Those of the server; absent: there are none. */
  readonly aliases?: Aliases;
  readonly ask: Pick<Asked, "method" | "path" | "send" | "headers">;
}

const ofIndex: Readonly<Record<string, (index: string) => Put["ask"]>> = {
  search: (index) => ({ method: "GET", path: `/${index}/_search?size=100` }),
  get: (index) => ({ method: "GET", path: `/${index}/_doc/d1` }),
  mget: (index) => ({ method: "POST", path: `/${index}/_mget`, send: { ids: ["d1"] } }),
  msearch: (index) => ({
    method: "POST",
    path: `/${index}/_msearch`,
    send: '{}\n{"size":100}\n',
    headers: { "content-type": "application/x-ndjson" },
  }),
  "field-caps": (index) => ({ method: "GET", path: `/${index}/_field_caps?fields=*` }),
  index: (index) => ({ method: "PUT", path: `/${index}/_doc/w`, send: { team: "none" } }),
  delete: (index) => ({ method: "DELETE", path: `/${index}/_doc/none` }),
  // What changes nothing takes less.
  update: (index) => ({
    method: "POST",
    path: `/${index}/_update/w`,
    send: { doc: { team: "none" }, detect_noop: false },
  }),
  "create-index": (index) => ({ method: "PUT", path: `/${index}` }),
  "get-index": (index) => ({ method: "GET", path: `/${index}` }),
  "get-mapping": (index) => ({ method: "GET", path: `/${index}/_mapping` }),
  "put-mapping": (index) => ({
    method: "PUT",
    path: `/${index}/_mapping`,
    send: { properties: { team: { type: "keyword" } } },
  }),
  "get-settings": (index) => ({ method: "GET", path: `/${index}/_settings` }),
  "get-aliases": (index) => ({ method: "GET", path: `/${index}/_alias` }),
  refresh: (index) => ({ method: "POST", path: `/${index}/_refresh` }),
  segments: (index) => ({ method: "GET", path: `/${index}/_segments` }),
  recovery: (index) => ({ method: "GET", path: `/${index}/_recovery` }),
  "cat-indices": (index) => ({ method: "GET", path: `/_cat/indices/${index}` }),
  "validate-query": (index) => ({ method: "GET", path: `/${index}/_validate/query` }),
  analyze: (index) => ({ method: "POST", path: `/${index}/_analyze`, send: { text: "a" } }),
  explain: (index) => ({ method: "POST", path: `/${index}/_explain/d1`, send: { query: { match_all: {} } } }),
  termvectors: (index) => ({ method: "GET", path: `/${index}/_termvectors/d1` }),
  "put-settings": (index) => ({
    method: "PUT",
    path: `/${index}/_settings`,
    send: { "index.max_result_window": 10_000 },
  }),
  stats: (index) => ({ method: "GET", path: `/${index}/_stats` }),
  // Asked for on all indices, or on those that are named, by product. None has an alias, so that nothing is rolled over.
  "indices:admin/rollover": (index) => ({ method: "POST", path: `/${index}/_rollover?dry_run=true` }),
  "indices:admin/resize": (index) => ({ method: "PUT", path: `/${index}/_shrink/${index}` }),
};

const ofCluster: Readonly<Record<string, Put["ask"]>> = {
  info: { method: "GET", path: "/" },
  health: { method: "GET", path: "/_cluster/health" },
  "get-template": { method: "GET", path: "/_template" },
  tasks: { method: "GET", path: "/_tasks" },
};

export const indexKinds: readonly string[] = Object.keys(ofIndex);
export const clusterKinds: readonly string[] = Object.keys(ofCluster);

/** What can be asked over several indices at once. */
const several = ["search", "field-caps", "get-mapping", "refresh", "stats", "get-settings", "validate-query"];

/** What changes nothing, even where there is no such index; where it has no shards, nothing is asked for on these. */
const harmless = [
  ...several.filter((kind) => kind !== "refresh"),
  "get",
  "get-index",
  "get-aliases",
  "segments",
  "analyze",
  "explain",
];

/** Of an alias another question, or, where it leads to several indices, an item that fails for all who ask. */
const notOfAliases = ["create-index", "indices:admin/rollover", "indices:admin/resize", "mget"];

/** The same where there are aliases, by their names as well. */
export function requestsWithAliases(random: Random, count: number, aliases: Aliases): readonly Put[] {
  const kinds = Object.keys(ofIndex).filter((kind) => !notOfAliases.includes(kind));
  return requestsOf(random, count).map((put) => {
    if (put.index === undefined || random.chance(0.4)) return { ...put, aliases };
    const kind = random.chance(0.5) ? "search" : random.pick(kinds);
    return { ...requestFor(kind, random.pick(Object.keys(aliases))), aliases };
  });
}

export function requestsOf(random: Random, count: number): readonly Put[] {
  return Array.from({ length: count }, () => {
    if (random.chance(0.08)) return requestFor(random.pick(clusterKinds));
    const kind = random.chance(0.35) ? random.pick(["search", "search", "get"]) : random.pick(Object.keys(ofIndex));
    const index =
      several.includes(kind) && random.chance(0.25)
        ? severalOf(random)
        : harmless.includes(kind) && random.chance(0.08)
          ? random.pick(missing)
          : random.pick(indices);
    return requestFor(kind, index);
  });
}

/** @param index of what is about an index */
export function requestFor(kind: string, index?: string): Put {
  const ask = index === undefined ? ofCluster[kind] : ofIndex[kind]?.(encodeURIComponent(index).replaceAll("%2C", ","));
  if (!ask) throw new Error(`bug: no request for ${kind}`);
  return { kind, ask, ...(index !== undefined && { index }) };
}

function severalOf(random: Random): string {
  if (random.chance(0.25)) return "*";
  return random.chance(0.5)
    ? random.pick([`${prefix}-a-*`, `${prefix}-b-*`, `${prefix}-*`, `${prefix}-*1`])
    : random.some(indices, 2, 2).join();
}

/** Those that are there and that a request names, or that an alias leads to; of a pattern those that it matches. */
export function indicesOf({ index = "", aliases = {} }: Put): readonly string[] {
  const isMeant = (part: string, name: string) =>
    new RegExp(`^${part.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name);
  const namesOf = (name: string) => [name, ...Object.keys(aliases).filter((alias) => aliases[alias]?.includes(name))];
  return indices.filter((name) => index.split(",").some((part) => namesOf(name).some((one) => isMeant(part, one))));
}

/**
 * Whether the server did what it was asked: 404 and the like come when the permission was there.
 *
 * @param emptied requests of which nothing is permitted are answered, with nothing in it
 */
export function isAllowed(put: Put, answer: Answered, emptied: boolean): boolean {
  const { kind } = put;
  const { status, json } = answer;
  // What is asked by the name of an action may take others besides.
  if (status === 403) return kind.includes(":") && !answer.text.includes(kind);
  // How these are refused where DLS, FLS or masking applies.
  if (["update", "indices:admin/resize"].includes(kind) && status === 500) return false;
  // An index pattern became an expression that Java refuses.
  if (status === 500 && refusesExpression.test(answer.text)) return false;
  // A query of DLS had to be rewritten.
  if (status === 500 && answer.text.includes("does not implement createWeight")) return false;
  // The one read that is not answered 400 where two masks of one field differ.
  if (kind === "termvectors" && status === 500 && answer.text.includes("Multiple entries with same key")) return true;
  if (status >= 500 || status === 401) throw new Error(`The server answered ${status} to a ${kind}: ${answer.text}`);
  const items = itemsIn(json);
  if (
    items.some(
      (item) =>
        "error" in item && /security_exception|does not implement createWeight/.test(JSON.stringify(item.error)),
    )
  )
    return false;
  return !emptied || status !== 200 || isFilled(put, json, items);
}

const refusesExpression = /Unexpected exception (indices|cluster):|Error while evaluating DLS\/FLS privileges/;

/** Whether there is anything in an answer to what would also be answered without any permission. */
function isFilled(put: Put, json: unknown, items: readonly object[]): boolean {
  const hasShards = (of: unknown) => (of as { _shards?: { total?: number } })._shards?.total !== 0;
  switch (put.kind) {
    case "search":
      return hasShards(json);
    case "msearch":
      return items.every(hasShards);
    case "field-caps": {
      const { indices: found = [] } = json as { indices?: readonly string[] };
      return put.index === "*" ? found.length > 0 : indicesOf(put).some((name) => found.includes(name));
    }
    default:
      return true;
  }
}

function itemsIn(json: unknown): readonly object[] {
  const { docs = [], responses = [] } = (json ?? {}) as { docs?: readonly object[]; responses?: readonly object[] };
  return [...docs, ...responses];
}

/** The config under which requests are made, one after the other. */
export const phases = [
  { title: "as it is", config: {} },
  { title: "reduced", config: { do_not_fail_on_forbidden: true } },
  { title: "reduced to nothing", config: { do_not_fail_on_forbidden: true, do_not_fail_on_forbidden_empty: true } },
  { title: "one role", config: { multi_rolespan_enabled: false } },
] as const;
