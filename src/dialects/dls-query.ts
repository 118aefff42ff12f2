// Which document-level queries no server can run. Names by the sources of the engines and of the plugins that are bundled with
// them; the rest as OpenSearch 2.19.4 and Search Guard 7.5.1-38 and 6.5.4-24 answered: test/unit/dialects/dls-queries.jsonl.

import { memoiseByKey } from "../json/memoise.ts";
import type { Dialect } from "./dialect.ts";
import { listQueryNames } from "./query-names.ts";
import { isOpenSearchBefore } from "./release.ts";

/** `invalid`: no server runs it. `unknown-name`: none does without a plugin of one's own. `unread`: text behind the query. */
export interface DlsFault {
  readonly kind: "invalid" | "unknown-name" | "unread";
  readonly what: string;
  readonly fix: string;
}

/** What is wrong with a query, whatever values its variables have; nothing where that is unknown. */
export function findQueryFaults(query: string, dialect: Pick<Dialect, "product">): readonly DlsFault[] {
  // No restriction.
  if (query === "") return [];
  const read = readQuery(query);
  if (!read) return [notJson];
  const faults = listClauseFaults(read.value, listQueryNames(dialect.product));
  const isInvalid = faults.some(({ kind }) => kind === "invalid");
  return [...faults, ...(isInvalid ? [] : listRepeatedKeys(read.value)), ...(read.isWhole ? [] : [unread])];
}

/** No server runs it, whatever values its variables have and whatever plugins there are. */
export const isInvalidQuery = memoiseByKey((query: string): boolean =>
  findQueryFaults(query, { product: "gate" }).some(({ kind }) => kind === "invalid"),
);

/** A role with a query that is none shows all documents; elsewhere every search on its indices fails. */
export function showsAllByInvalidQuery({ product, release }: Pick<Dialect, "product" | "release">): boolean {
  return product === "opensearch" && !isOpenSearchBefore(release, "3.6.0");
}

const notJson: DlsFault = {
  kind: "invalid",
  what: "The document-level query is not a JSON object, even with its variables replaced.",
  fix: "Check its braces and quotes.",
};

const unread: DlsFault = {
  kind: "unread",
  what: "There is more text behind the document-level query, which no server reads.",
  fix: 'Take it out, or put several queries into one: {"bool": {"filter": [{…}, {…}]}}.',
};

const framed: DlsFault = {
  kind: "invalid",
  what: 'The document-level query has "query" where the name of a query belongs.',
  fix: 'Write what is inside of it: a search has the frame {"query": …}, a document-level query has none.',
};

const variable = /\$\{(?:[^{}]|\$\{[^{}]*\})*\}/;
const token = new RegExp(
  String.raw`/\*[\s\S]*?\*/|//[^\n]*|"(?:${variable.source}|\\[\s\S]|[^"\\])*"(\s*:)?|${variable.source}|[{}]`,
  "g",
);

/** In the place of a value that a variable has. */
const unknown = "\ue000";
const variables = new RegExp(variable, "g");

/** What may stand where a variable does, outside of strings: an attribute may hold any part of a query. */
const supposed = [`"${unknown}"`, `{"${unknown}":{}}`, `"${unknown}":{}`, ""];

/** Servers read one object, comments left out. */
function readQuery(query: string): { readonly value: unknown; readonly isWhole: boolean } | undefined {
  for (const instead of /\$\{(user\.)?attr/.test(query) ? supposed : supposed.slice(0, 1)) {
    const { text, rest } = takeObject(query, instead);
    try {
      const value: unknown = JSON.parse(text);
      if (isMap(value)) return { value, isWhole: rest.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "").trim() === "" };
    } catch {
      // The next.
    }
  }
  return undefined;
}

/** The text of the first object, in which each key has a number, so that none hides another of the same name. */
function takeObject(query: string, instead: string): { readonly text: string; readonly rest: string } {
  let [text, depth, at, count] = ["", 0, 0, 0];
  for (const { 0: found, 1: colon, index } of query.matchAll(token)) {
    text += query.slice(at, index);
    at = index + found.length;
    if (found.startsWith("/")) continue;
    if (found.startsWith("$")) {
      text += instead;
      continue;
    }
    const plain = found.replaceAll(variables, unknown);
    text += colon === undefined ? plain : plain.replace(/"\s*:$/, `${separator}${count++}":`);
    depth += found === "{" ? 1 : found === "}" ? -1 : 0;
    if (found === "}" && depth <= 0) return { text, rest: query.slice(at) };
  }
  return { text: text + query.slice(at), rest: "" };
}

const separator = "\ue001";

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listParts(value: unknown): readonly (readonly [string, unknown])[] {
  if (!isMap(value)) return [];
  return Object.entries(value).map(([key, part]) => [key.split(separator)[0] as string, part]);
}

/** Of a query and all that it is made of, by a queue: it may be nested deeply. */
function listClauseFaults(query: unknown, names: ReadonlySet<string>): readonly DlsFault[] {
  const queue = [query];
  const found: DlsFault[] = [];
  for (const clause of queue) {
    if (Array.isArray(clause)) queue.push(...clause);
    const parts = listParts(clause);
    const [[name = "", value] = []] = parts;
    if (clause === null || Array.isArray(clause) || isUnknown(clause) || parts.some(([key]) => isUnknown(key)))
      continue;
    if (!isMap(clause)) found.push(createInvalid("The document-level query", "has a value where a clause belongs"));
    else if (parts.length === 0) found.push(createInvalid("The document-level query", "has an empty clause, {}"));
    else if (parts.length > 1) found.push(createSeveral("The document-level query", "name", parts));
    else if (name === "query") found.push(framed);
    else if (!names.has(name)) found.push(createUnknownName(name));
    else {
      found.push(...listFaultsOf(name, value));
      queue.push(...listInner(name, value));
    }
  }
  return found;
}

/** Other programs take the last of them, servers none. */
function listRepeatedKeys(query: unknown): readonly DlsFault[] {
  const queue = [query];
  for (const value of queue) {
    if (Array.isArray(value)) queue.push(...value);
    const parts = listParts(value);
    queue.push(...parts.map(([, part]) => part));
    const seen = new Set<string>();
    const [repeated] = parts.find(([key]) => !isUnknown(key) && seen.size === seen.add(key).size) ?? [];
    if (repeated === undefined) continue;
    const fault = createInvalid(
      "The document-level query",
      `has the key ${JSON.stringify(repeated)} twice in one object`,
    );
    return [{ ...fault, fix: "Put what both have into one; of must, filter, should and must_not that is a list." }];
  }
  return [];
}

function listFaultsOf(name: string, value: unknown): readonly DlsFault[] {
  const subject = `The clause ${JSON.stringify(name)} of the document-level query`;
  if (!isMap(value)) return isUnknown(value) ? [] : [createInvalid(subject, "takes an object, in braces")];
  const parts = listParts(value);
  if (parts.some(([key]) => isUnknown(key))) return [];
  const keys = keysOf[name];
  const strange = parts.find(([key]) => keys && !keys.includes(key));
  if (strange) return [createInvalid(subject, `has no ${JSON.stringify(strange[0])}`)];
  const needed = neededBy[name];
  if (needed !== undefined && parts.every(([key]) => key !== needed))
    return [createInvalid(subject, `lacks ${JSON.stringify(needed)}`)];
  if (!oneField.has(name)) return [];
  const fields = parts.filter(([key]) => name !== "terms" || !optionsOfTerms.has(key));
  if (fields.length > 1) return [createSeveral(subject, "field", fields)];
  if (fields.length === 0) return [createInvalid(subject, "names no field")];
  const wanted = fields[0]?.[1];
  if (isUnknown(wanted)) return [];
  if (wanted === null) return [createInvalid(subject, "has null, which is no value")];
  if (name !== "terms" && Array.isArray(wanted))
    return [createInvalid(subject, "has a list; that is what terms takes")];
  const unread = listParts(wanted).find(([key]) => !isUnknown(key) && ofField[name]?.includes(key) === false);
  if (unread) return [createInvalid(subject, `has no ${JSON.stringify(unread[0])}`)];
  if (typeof wanted === "object") return [];
  if (name === "terms") return [createInvalid(subject, "takes a list, in brackets")];
  return name === "range" ? [createInvalid(subject, 'takes limits, such as {"gte": 1}')] : [];
}

function isUnknown(value: unknown): boolean {
  return typeof value === "string" && value.includes(unknown);
}

function listInner(name: string, value: unknown): readonly unknown[] {
  const keys = inner[name] ?? [];
  const found = listParts(value).flatMap(([key, part]) => (keys.includes(key) ? part : []));
  return name === "function_score"
    ? found.flatMap((part) => {
        const filters = listParts(part).filter(([key]) => key === "filter");
        return filters.length > 0 ? filters.map(([, filter]) => filter) : [part];
      })
    : found;
}

function createInvalid(subject: string, fault: string): DlsFault {
  return {
    kind: "invalid",
    what: `${subject} ${fault}.`,
    fix: "Try it as the query of a search, and write what works there.",
  };
}

function createSeveral(
  subject: string,
  noun: "name" | "field",
  parts: readonly (readonly [string, unknown])[],
): DlsFault {
  const listed = parts.slice(0, 2).map(([key]) => JSON.stringify(key));
  return {
    kind: "invalid",
    what: `${subject} has ${listed.join(" and ")} side by side, and takes one ${noun}.`,
    fix: `${noun === "field" ? "Options go into the field's own braces. " : ""}Put several into one list: {"bool": {"filter": [{…}, {…}]}}.`,
  };
}

function createUnknownName(name: string): DlsFault {
  return {
    kind: "unknown-name",
    what: `There is no query ${JSON.stringify(name)}.`,
    fix: "Correct the name. If a plugin of your own brings it: # gate-sync-ignore unknown-query REASON, or lint: { unknown-query: off }.",
  };
}

/** The keys under which a query has others. */
const inner: Readonly<Record<string, readonly string[]>> = {
  bool: ["must", "filter", "should", "must_not", "mustNot"],
  boosting: ["positive", "negative"],
  constant_score: ["filter"],
  dis_max: ["queries"],
  function_score: ["query", "functions"],
  has_child: ["query"],
  has_parent: ["query"],
  hybrid: ["queries"],
  nested: ["query"],
  pinned: ["organic"],
  script_score: ["query"],
  span_containing: ["little", "big"],
  span_first: ["match"],
  span_multi: ["match"],
  span_near: ["clauses"],
  span_not: ["include", "exclude"],
  span_or: ["clauses"],
  span_within: ["little", "big"],
};

/** Those that take one field, options in its own braces; those of `terms` are beside it. */
const oneField = new Set(
  words(`common fuzzy intervals match match_bool_prefix match_phrase match_phrase_prefix prefix range regexp span_term
  term terms terms_set wildcard`),
);
const optionsOfTerms = new Set(["_name", "boost", "value_type"]);

/** What any release takes in the braces of that field, where it has some. */
const ofField: Readonly<Record<string, readonly string[]>> = {
  match:
    words(`query operator minimum_should_match fuzziness prefix_length max_expansions fuzzy_rewrite lenient type slop
    fuzzy_transpositions analyzer zero_terms_query cutoff_frequency auto_generate_synonyms_phrase_query boost _name`),
  term: words("value term case_insensitive boost _name"),
};

/** `mustNot`: of Elasticsearch up to 7. */
const ofBool = "must filter should must_not mustNot minimum_should_match adjust_pure_negative boost _name";
/** Of clauses that take the same keys in every release. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  bool: words(ofBool),
  constant_score: words("filter boost _name"),
  dis_max: words("queries tie_breaker boost _name"),
  exists: words("field boost _name"),
  ids: words("values type types boost _name"),
  match_all: words("boost _name"),
  match_none: words("boost _name"),
  nested: words("path query score_mode ignore_unmapped inner_hits boost _name"),
};
const neededBy: Readonly<Record<string, string>> = {
  constant_score: "filter",
  dis_max: "queries",
  exists: "field",
  nested: "query",
};

function words(list: string): readonly string[] {
  return list.split(/\s+/);
}
