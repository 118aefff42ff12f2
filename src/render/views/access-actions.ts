import { matchesPattern } from "../../access/patterns/matches.ts";
import { getActionLevel, knownActions, requestKinds } from "../../dialects/requests.ts";
import type { Region, Term } from "../../model/access.ts";
import { formatName, joinNames } from "../escape.ts";
import { joinWithAnd } from "./words.ts";

// What people call sets of actions, and of indices.

interface ActionArea {
  readonly name: string;
  readonly isIn: (action: string) => boolean;
  /** What goes with it in the products' own groups, so that its name covers that, too. */
  readonly alsoCovers?: RegExp;
}

const startsWith = (prefix: string) => (action: string) => action.startsWith(prefix);

const indexAreas: readonly ActionArea[] = [
  {
    name: "read",
    isIn: startsWith("indices:data/read/"),
    alsoCovers: /^indices:admin\/(?:mappings\/fields\/get|resolve\/index)/,
  },
  { name: "write", isIn: startsWith("indices:data/write/") },
  { name: "manage", isIn: startsWith("indices:admin/") },
  { name: "monitor", isIn: startsWith("indices:monitor/") },
];

const clusterAreas: readonly ActionArea[] = [
  { name: "monitor the cluster", isIn: startsWith("cluster:monitor/") },
  { name: "administer the cluster", isIn: startsWith("cluster:admin/") },
  { name: "manage templates", isIn: (action) => /^indices:admin\/(?:index_)?template\//.test(action) },
  {
    name: "send multi-searches, multi-gets and scrolls",
    isIn: (action) => /^indices:data\/read\/(?:mget|msearch|scroll)/.test(action),
  },
  { name: "send writes", isIn: (action) => action === "indices:data/write/bulk" },
];

/** What people call kinds of requests, by the names that `can-i` takes. */
const requestNames: Readonly<Record<string, string>> = {
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

const coveredBySearch = /^indices:(?:data\/read\/(?:search|msearch|suggest)|admin\/resolve\/index)/;
/** The same documents, several at once: the products' own groups grant it with the other. */
const coveredByGet = "indices:data/read/mget[shard]";

const indexActions = knownActions.filter((action) => getActionLevel(action) === "index");
const clusterActions = knownActions.filter((action) => getActionLevel(action) === "cluster");

/** `search`, `read and write`, `all actions on`: to be followed by the indices. */
export function formatIndexActions(actions: Region): string {
  const granted = new Set(actions.examples);
  if (indexActions.every((action) => granted.has(action))) return "all actions on";
  const { areas, names, rest } = nameWholeAreas(granted, indexActions, indexAreas);
  const kinds = requestKinds.filter(
    ({ name, index }) => name in requestNames && index.length > 0 && index.every((action) => rest.includes(action)),
  );
  const named = new Set(kinds.flatMap(({ name, index }) => (name === "get" ? [...index, coveredByGet] : index)));
  const unnamed = rest.filter((action) => !named.has(action));
  const isCovered = (pattern: string) =>
    isOfAreas(pattern, areas) || (kinds.some(({ name }) => name === "search") && coveredBySearch.test(pattern));
  const others = [
    ...byPattern(unnamed, actions.terms).map(nameOfRequest),
    ...listUnknown(actions, indexActions, isCovered),
  ];
  const uses = others.length === 0 ? [] : [`use ${listFew(others)} on`];
  return joinWithAnd([...names, ...kinds.map(({ name }) => requestNames[name] ?? name), ...uses]);
}

/** `monitor the cluster`, `all cluster actions`. */
export function formatClusterActions(actions: Region): string {
  const granted = new Set(actions.examples);
  if (clusterActions.every((action) => granted.has(action))) return "all cluster actions";
  const { areas, names, rest } = nameWholeAreas(granted, clusterActions, clusterAreas);
  const isCovered = (pattern: string) => isOfAreas(pattern, areas);
  const others = [...byPattern(rest, actions.terms), ...listUnknown(actions, clusterActions, isCovered)];
  return joinWithAnd(others.length === 0 ? names : [...names, `use ${listFew(others)}`]);
}

/** The actions, those that a pattern grants by the pattern: it grants more than the ones that are known here. */
function byPattern(actions: readonly string[], terms: readonly Term[]): readonly string[] {
  const patterns = terms.filter(
    (term) => term.allOf.some((one) => /[*?]|^\//.test(one)) && actions.some((action) => holds(term, action)),
  );
  const isGranted = (action: string) => patterns.some((term) => holds(term, action));
  return [...patterns.map(formatTerm), ...actions.filter((action) => !isGranted(action))];
}

function holds({ allOf, noneOf }: Term, name: string): boolean {
  return (
    allOf.every((one) => matchesPattern(one, name) === "yes") &&
    noneOf.every((one) => matchesPattern(one, name) === "no")
  );
}

/** The areas of which every known action is granted, and the granted actions outside of them. */
function nameWholeAreas(
  granted: ReadonlySet<string>,
  known: readonly string[],
  areas: readonly ActionArea[],
): { readonly areas: readonly ActionArea[]; readonly names: readonly string[]; readonly rest: readonly string[] } {
  const whole = areas.filter(({ isIn }) => known.filter(isIn).every((action) => granted.has(action)));
  return {
    areas: whole,
    names: whole.map(({ name }) => name),
    rest: known.filter((action) => granted.has(action) && !whole.some(({ isIn }) => isIn(action))),
  };
}

function isOfAreas(pattern: string, areas: readonly ActionArea[]): boolean {
  return areas.some(({ isIn, alsoCovers }) => isIn(pattern) || alsoCovers?.test(pattern));
}

/** The name of the one kind of request that needs this action and no other. */
function nameOfRequest(action: string): string {
  const kind = requestKinds.find(
    ({ cluster, index }) => cluster.length + index.length === 1 && [...cluster, ...index][0] === action,
  );
  return kind?.name ?? action;
}

/** What is granted and has none of the actions that are known here, by the patterns that grant it. */
function listUnknown(
  { terms, examples }: Region,
  known: readonly string[],
  isCovered: (pattern: string) => boolean,
): readonly string[] {
  const others = terms.filter((term) => !known.some((action) => holds(term, action)) && !term.allOf.some(isCovered));
  const named = others.flatMap((term) =>
    term.allOf.includes("*") ? examples.filter((name) => holds(term, name)) : [formatTerm(term)],
  );
  return [...new Set(named)];
}

function formatTerm(term: Term): string {
  return term.allOf.join(" and ") + formatExceptions([term]);
}

function listFew(actions: readonly string[]): string {
  return `${joinNames(actions.slice(0, 3))}${actions.length > 3 ? ` and ${actions.length - 3} more` : ""}`;
}

/** `logs-*, hr-* except hr-x`, `every index`, `indices that match both logs-* and *-prod`. */
export function formatRegion({ terms, examples }: Region): string {
  const single = terms.filter(({ allOf }) => allOf.length === 1);
  const several = terms.filter(({ allOf }) => allOf.length > 1);
  const patterns = single.flatMap(({ allOf }) => allOf);
  const names = patterns.includes("*") ? "every index" : joinNames(patterns);
  return [
    ...(single.length === 0 ? [] : [names + formatExceptions(single)]),
    ...formatSeveralPatterns(several, examples),
  ].join(", and ");
}

function formatExceptions(terms: readonly Term[]): string {
  const noneOf = [...new Set(terms.flatMap((term) => term.noneOf))];
  return noneOf.length === 0 ? "" : ` except ${joinNames(noneOf)}`;
}

const mostTerms = 2;
const mostExamples = 4;

/** Names that match several patterns at once. More than a few are read no more: examples say it better. */
function formatSeveralPatterns(terms: readonly Term[], examples: readonly string[]): readonly string[] {
  if (terms.length <= mostTerms) {
    return terms.map(
      (term) => `indices that match ${joinWithAnd(term.allOf.map(formatName))}${formatExceptions([term])}`,
    );
  }
  const some = examples.filter((name) => terms.some((term) => holds(term, name))).slice(0, mostExamples);
  return [`indices such as ${joinNames(some.length > 0 ? some : examples.slice(0, mostExamples))}`];
}
