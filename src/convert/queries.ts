// Queries of DLS are sent to the engine as they are written, and the engines of two products do not know the same.
import { isList, isObject, type Json } from "../json/value.ts";
import { canonicaliseJson } from "../json/written-json.ts";

/**
 * What of a query is not known to be answered alike by every engine, from Elasticsearch 6 to OpenSearch 3: `terms lookup`;
 * undefined where all of it is.
 *
 * @param query as JSON, with variables
 */
export function findUnsharedPart(query: string): string | undefined {
  const parsed = parseQuery(query);
  return parsed === undefined ? "parts that cannot be read" : findInQuery(parsed);
}

/** With a word in the place of each variable, or with a list of them; not with a key twice, of which one would be lost. */
function parseQuery(query: string): Json | undefined {
  const [text] = ["x", '"x"'].flatMap((word) => canonicaliseJson(query.replaceAll(/\$\{[^}]*\}/g, word)) ?? []);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

const common = ["boost", "_name"];

/** What is beside the other queries in one that has some in it. */
const settingsOfCompounds: Readonly<Record<string, readonly string[]>> = {
  bool: ["minimum_should_match", "adjust_pure_negative"],
  constant_score: [],
  nested: ["path", "score_mode", "ignore_unmapped"],
};

const queriesInCompounds = ["must", "must_not", "should", "filter", "query"];

/** Of a query about one field: what is written in its map. */
const settingsOfFieldQueries: Readonly<Record<string, readonly string[]>> = {
  term: ["value"],
  match: ["query", "operator", "minimum_should_match", "fuzziness", "analyzer", "lenient", "zero_terms_query"],
  match_phrase: ["query", "slop", "analyzer"],
  prefix: ["value", "rewrite"],
  wildcard: ["value", "wildcard", "rewrite"],
  regexp: ["value", "flags", "max_determinized_states", "rewrite"],
  range: ["gte", "gt", "lte", "lt", "format", "time_zone", "from", "to", "include_lower", "include_upper"],
};

const settingsOfOthers: Readonly<Record<string, readonly string[]>> = {
  match_all: [],
  match_none: [],
  exists: ["field"],
  ids: ["values"],
  query_string: ["query", "default_field", "fields", "default_operator", "analyze_wildcard", "lenient"],
  simple_query_string: ["query", "fields", "default_operator", "analyze_wildcard", "lenient"],
};

function findInQuery(query: Json): string | undefined {
  if (!isObject(query)) return "parts that are no query";
  return findFirst(Object.entries(query), ([kind, body]) => {
    if (!isObject(body)) return kind;
    const compound = getOwn(settingsOfCompounds, kind);
    if (compound) {
      return findFirst(Object.entries(body), ([key, value]) => {
        if (queriesInCompounds.includes(key)) return findFirst(isList(value) ? value : [value], findInQuery);
        return [...compound, ...common].includes(key) ? undefined : key;
      });
    }
    if (kind === "terms") return findInTerms(body);
    const ofField = getOwn(settingsOfFieldQueries, kind);
    if (ofField) return findFirst(Object.entries(body), ([field, value]) => findInField(field, value, ofField));
    const others = getOwn(settingsOfOthers, kind);
    if (others === undefined) return kind;
    if (JSON.stringify(body).includes("_type")) return "_type";
    return Object.keys(body).find((key) => ![...others, ...common].includes(key));
  });
}

function findInField(field: string, value: Json, settings: readonly string[]): string | undefined {
  if (field === "_type") return field;
  if (!isObject(value)) return undefined;
  return Object.keys(value).find((key) => ![...settings, ...common].includes(key));
}

function findInTerms(body: Readonly<Record<string, Json>>): string | undefined {
  return findFirst(Object.entries(body), ([field, value]) => {
    if (field === "_type") return field;
    return isObject(value) ? "terms lookup" : undefined;
  });
}

function getOwn<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function findFirst<T>(list: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
