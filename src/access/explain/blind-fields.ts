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

/** By a queue: a query may be nested deeply. */
function listFieldsIn(query: Value): readonly string[] {
  const queue: Value[] = [query];
  const found: string[] = [];
  for (const one of queue) {
    if (isList(one)) queue.push(...one);
    else if (isObject(one)) {
      for (const [clause, body] of Object.entries(one)) {
        if (byField.has(clause) && isObject(body))
          found.push(...Object.keys(body).filter((field) => field !== "boost"));
        else if (clause === "exists" && isObject(body) && typeof body.field === "string") found.push(body.field);
        else queue.push(body);
      }
    }
  }
  return found;
}

function parseQuery(query: string): Value {
  try {
    return JSON.parse(query) as Value;
  } catch {
    return null;
  }
}
