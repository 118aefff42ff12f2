import { isList, isObject, type Value } from "../../json/value.ts";
import type { Limits } from "../../model/access.ts";
import { isSearched } from "../evaluate/fields.ts";

/**
 * Fields that a document-level query goes by and that are hidden or masked: by these it finds nothing, so that
 * documents which it means to show stay away. Tried on OpenSearch 2.19.1 and Search Guard 7.5.1-38.
 */
export function findBlindFields({ documents = [], fields }: Limits): readonly string[] {
  const named = documents.flatMap(({ shown }) => listFieldsIn(parseQuery(shown)));
  return [...new Set(named)].filter((field) => !isSearched(fields, field)).sort();
}

/** Clauses that hold a map from fields to what is looked for. */
const byField: ReadonlySet<string> = new Set([
  ...[
    "term",
    "terms",
    "match",
    "match_phrase",
    "match_phrase_prefix",
    "range",
    "prefix",
    "wildcard",
    "regexp",
    "fuzzy",
  ],
]);

function listFieldsIn(query: Value): readonly string[] {
  if (isList(query)) return query.flatMap(listFieldsIn);
  if (!isObject(query)) return [];
  return Object.entries(query).flatMap(([clause, body]) => {
    if (byField.has(clause) && isObject(body)) return Object.keys(body).filter((field) => field !== "boost");
    if (clause === "exists" && isObject(body) && typeof body.field === "string") return [body.field];
    return listFieldsIn(body);
  });
}

function parseQuery(query: string): Value {
  try {
    return JSON.parse(query) as Value;
  } catch {
    return null;
  }
}
