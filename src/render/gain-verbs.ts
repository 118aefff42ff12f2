import { knownActions, levelOf, requestKinds } from "../dialects/requests.ts";
import type { Region } from "../model/access.ts";
import { listed } from "./escape.ts";
import { nounsAnd } from "./words.ts";

// What people call actions, and the indices that they are about.

export function regionWords({ patterns, except, suchAs }: Region): string {
  const but = except.length === 0 ? "" : ` except ${listed(except)}`;
  if (patterns.length === 0) return `indices such as ${listed(suchAs)}`;
  const names = patterns.includes("*") ? "every index" : listed(patterns);
  return `${names}${but}${suchAs.length === 0 ? "" : `, and such as ${listed(suchAs)}`}`;
}

/** What people call these actions on indices: `search`, `read and write`, `do everything on`. */
export function verbsFor(actions: Region): string {
  const has = new Set(actions.examples);
  if (ofIndex.every((action) => has.has(action))) return "do everything on";
  const told = new Set<string>();
  const verbs: string[] = [];
  for (const { verb, prefix } of areas) {
    const ours = ofIndex.filter((action) => action.startsWith(prefix));
    if (!ours.every((action) => has.has(action))) continue;
    for (const action of ours) told.add(action);
    verbs.push(verb);
  }
  const singly = ofIndex.filter((action) => has.has(action) && !told.has(action));
  const kinds = requestKinds.filter(
    ({ index }) => index.length > 0 && index.every((action) => singly.includes(action)),
  );
  const named = kinds.filter(({ name }) => name in plainVerbs);
  for (const { name, index } of named) {
    verbs.push(plainVerbs[name] as string);
    for (const action of index) told.add(action);
  }
  const rest = [...singly.filter((action) => !told.has(action)).map(nameOf), ...unknownOf(actions)];
  if (rest.length > 0)
    verbs.push(`use ${listed(rest.slice(0, 3))}${rest.length > 3 ? ` and ${rest.length - 3} more` : ""} on`);
  return nounsAnd(verbs);
}

/** What people call the one request that takes just this. */
function nameOf(action: string): string {
  const kind = requestKinds.find(
    ({ cluster, index }) => cluster.length + index.length === 1 && [...cluster, ...index][0] === action,
  );
  return kind?.name ?? action;
}

/** Actions that no kind of request takes, by the patterns that grant them: those that name nothing known. */
function unknownOf({ patterns, examples }: Region): readonly string[] {
  if (examples.some((example) => knownActions.includes(example))) return [];
  return patterns.length > 0 ? patterns : examples;
}

const ofIndex = knownActions.filter((action) => levelOf(action) === "index");

const areas = [
  { verb: "read", prefix: "indices:data/read/" },
  { verb: "write", prefix: "indices:data/write/" },
  { verb: "manage", prefix: "indices:admin/" },
  { verb: "monitor", prefix: "indices:monitor/" },
] as const;

const plainVerbs: Readonly<Record<string, string>> = {
  search: "search",
  get: "get documents of",
  index: "index into",
  delete: "delete documents of",
  "create-index": "create",
  "delete-index": "delete",
  "get-mapping": "see the mapping of",
  "put-mapping": "change the mapping of",
  "put-settings": "change settings of",
  "put-alias": "change aliases of",
  "get-aliases": "see aliases of",
  stats: "see statistics of",
};

export function clusterWords(actions: Region): string {
  const has = new Set(actions.examples);
  const ofCluster = knownActions.filter((action) => levelOf(action) === "cluster");
  if (ofCluster.every((action) => has.has(action))) return "do everything on the cluster";
  const told = new Set<string>();
  const verbs: string[] = [];
  for (const { verb, is } of clusterAreas) {
    const ours = ofCluster.filter(is);
    if (!ours.every((action) => has.has(action))) continue;
    for (const action of ours) told.add(action);
    verbs.push(verb);
  }
  const rest = [...ofCluster.filter((action) => has.has(action) && !told.has(action)), ...unknownOf(actions)];
  if (rest.length > 0)
    verbs.push(`use ${listed(rest.slice(0, 3))}${rest.length > 3 ? ` and ${rest.length - 3} more` : ""}`);
  return nounsAnd(verbs);
}

const clusterAreas: readonly { readonly verb: string; readonly is: (action: string) => boolean }[] = [
  { verb: "monitor the cluster", is: (action) => action.startsWith("cluster:monitor/") },
  { verb: "administer the cluster", is: (action) => action.startsWith("cluster:admin/") },
  { verb: "manage templates", is: (action) => /^indices:admin\/(?:index_)?template\//.test(action) },
  {
    verb: "send multi-searches, multi-gets and scrolls",
    is: (action) => /^indices:data\/read\/(?:mget|msearch|scroll)/.test(action),
  },
  { verb: "send writes", is: (action) => action === "indices:data/write/bulk" },
];
