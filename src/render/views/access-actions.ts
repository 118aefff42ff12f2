import { matchesPattern } from "../../access/patterns/matches.ts";
import { getActionLevel, knownActions, requestKinds } from "../../dialects/requests.ts";
import type { Region, Term } from "../../model/access.ts";
import { formatName, joinNames } from "../escape.ts";
import { joinWithAnd } from "./words.ts";

// What people call actions, and the indices that they are about.

/** `logs-*, hr-* except hr-x`, `every index`, `indices that match both logs-* and *-prod`. */
export function formatRegion({ terms, examples }: Region): string {
  const single = terms.filter(({ allOf }) => allOf.length === 1);
  const joint = terms.filter(({ allOf }) => allOf.length > 1);
  const patterns = single.flatMap(({ allOf }) => allOf);
  const names = patterns.includes("*") ? "every index" : joinNames(patterns);
  return [...(single.length === 0 ? [] : [names + exceptWords(single)]), ...jointWords(joint, examples)].join(", and ");
}

function exceptWords(terms: readonly Term[]): string {
  const noneOf = [...new Set(terms.flatMap((term) => term.noneOf))];
  return noneOf.length === 0 ? "" : ` except ${joinNames(noneOf)}`;
}

const mostJoint = 2;

/** More than a few are read no more: examples say it better. */
function jointWords(terms: readonly Term[], examples: readonly string[]): readonly string[] {
  if (terms.length <= mostJoint) {
    return terms.map(
      (term) => `indices that match ${joinWithAnd(term.allOf.map((one) => formatName(one)))}${exceptWords([term])}`,
    );
  }
  const isIn = (name: string): boolean =>
    terms.some(
      ({ allOf, noneOf }) =>
        allOf.every((one) => matchesPattern(one, name) === "yes") &&
        noneOf.every((one) => matchesPattern(one, name) === "no"),
    );
  const some = examples.filter(isIn).slice(0, mostExamples);
  return [`indices such as ${joinNames(some.length > 0 ? some : examples.slice(0, mostExamples))}`];
}

const mostExamples = 4;

/** What people call these actions on indices: `search`, `read and write`, `all actions on`. */
export function formatVerbs(actions: Region): string {
  const has = new Set(actions.examples);
  if (ofIndex.every((action) => has.has(action))) return "all actions on";
  const explained = new Set<string>();
  const verbs: string[] = [];
  for (const { verb, prefix } of areas) {
    const covered = ofIndex.filter((action) => action.startsWith(prefix));
    if (!covered.every((action) => has.has(action))) continue;
    for (const action of covered) explained.add(action);
    verbs.push(verb);
  }
  const singly = ofIndex.filter((action) => has.has(action) && !explained.has(action));
  const kinds = requestKinds.filter(
    ({ index }) => index.length > 0 && index.every((action) => singly.includes(action)),
  );
  const named = kinds.filter(({ name }) => name in plainVerbs);
  for (const { name, index } of named) {
    verbs.push(plainVerbs[name] as string);
    for (const action of index) explained.add(action);
  }
  const rest = [...singly.filter((action) => !explained.has(action)).map(nameOf), ...unknownOf(actions)];
  if (rest.length > 0)
    verbs.push(`use ${joinNames(rest.slice(0, 3))}${rest.length > 3 ? ` and ${rest.length - 3} more` : ""} on`);
  return joinWithAnd(verbs);
}

/** What people call the one request that takes just this. */
function nameOf(action: string): string {
  const kind = requestKinds.find(
    ({ cluster, index }) => cluster.length + index.length === 1 && [...cluster, ...index][0] === action,
  );
  return kind?.name ?? action;
}

/** Actions that no kind of request takes, by the patterns that grant them: those that name nothing known. */
function unknownOf({ terms, examples }: Region): readonly string[] {
  if (examples.some((example) => knownActions.includes(example))) return [];
  const patterns = terms.flatMap(({ allOf }) => allOf);
  return patterns.includes("*") ? examples : patterns;
}

const ofIndex = knownActions.filter((action) => getActionLevel(action) === "index");

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

export function formatClusterActions(actions: Region): string {
  const has = new Set(actions.examples);
  const ofCluster = knownActions.filter((action) => getActionLevel(action) === "cluster");
  if (ofCluster.every((action) => has.has(action))) return "all cluster actions";
  const explained = new Set<string>();
  const verbs: string[] = [];
  for (const { verb, is } of clusterAreas) {
    const covered = ofCluster.filter(is);
    if (!covered.every((action) => has.has(action))) continue;
    for (const action of covered) explained.add(action);
    verbs.push(verb);
  }
  const rest = [...ofCluster.filter((action) => has.has(action) && !explained.has(action)), ...unknownOf(actions)];
  if (rest.length > 0)
    verbs.push(`use ${joinNames(rest.slice(0, 3))}${rest.length > 3 ? ` and ${rest.length - 3} more` : ""}`);
  return joinWithAnd(verbs);
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
