// What a server does not run of a query of DLS. Tried on OpenSearch 2.19.1 and 3.4.0; what is no query on Search Guard
// 7.5.1-38 as well.
import { isInvalidQuery } from "../../dialects/dls-query.ts";
import type { Semantics } from "../../dialects/semantics.ts";
import { memoiseByKey, memoiseByObject } from "../../json/memoise.ts";
import type { Subject } from "../model/subject.ts";
import { combineAny, type Verdict } from "../verdict.ts";
import { resolveVariables } from "./coverage.ts";

/** What of a query a server does not do. */
export interface QueryFault {
  /** It is no query: every request on the index is answered 500, or what reads documents. */
  readonly isBroken: Verdict;
  /** It looks up terms in these other indices: what is neither search nor get is answered 500. */
  readonly looksUpIn: readonly string[];
  /** It goes by the current time: what reads documents is answered 400, unless a setting of the nodes allows it. */
  readonly usesNow: boolean;
  /** The variable of which it is unknown whether it has a value. */
  readonly depends?: string;
}

/** @param query as stored; its variables are filled in for the subject */
export function findQueryFault(query: string, semantics: Semantics, subject: Subject): QueryFault {
  return query.includes("${") ? readFault(query, semantics, subject) : knownFaults(semantics)(query);
}

const unnamed: Subject = { backendRoles: [] };
const knownFaults = memoiseByObject((semantics: Semantics) =>
  memoiseByKey((query: string) => readFault(query, semantics, unnamed)),
);

function readFault(query: string, semantics: Semantics, subject: Subject): QueryFault {
  const own = query.replace(/\$\{user[._]securityRoles\}/g, '"x"');
  // Each user has a name.
  const named = subject.user && "name" in subject.user ? subject : { ...subject, user: { name: "x" } };
  const text = resolveVariables(own, { ...semantics, roleVariables: ["user.roles", "user_roles"] }, named);
  if (semantics.failsWithoutValue && (typeof text !== "string" || text.includes("${")))
    return typeof text === "string" ? broken : { ...broken, isBroken: "unknown", depends: text.depends };
  // What other roles show is then shown, or nothing is found.
  const ofNone =
    semantics.invalidQueries === "hide" && text === query ? { ...broken, isBroken: "unknown" as const } : broken;
  if (isInvalidQuery(typeof text === "string" ? text : query)) return ofNone;
  const read = typeof text === "string" && !/\$\{\w+:/.test(text) ? parseFirstObject(text) : parseSupposed(own);
  if (read === undefined) return { ...broken, isBroken: "unknown" };
  if (read === null) return ofNone;
  const parts = listClauses(read);
  return {
    isBroken: combineAny(parts.map(({ isBroken }) => isBroken)),
    looksUpIn: parts.flatMap(({ looksUpIn }) => looksUpIn),
    usesNow: parts.some(({ usesNow }) => usesNow),
  };
}

const broken: QueryFault = { isBroken: "yes", looksUpIn: [], usesNow: false };

/** A server reads one object, and nothing behind it; `null`: there is none. */
function parseFirstObject(text: string): unknown {
  if (/\/[/*]|^\s*#/.test(text)) return parseJson(text) ?? undefined;
  const whole = parseJson(text);
  if (whole !== null) return whole;
  const ends = [...text.matchAll(/\}/g)].slice(0, mostEnds).map(({ index }) => index + 1);
  return ends.map((end) => parseJson(text.slice(0, end))).find((one) => one !== null) ?? null;
}

const mostEnds = 50;

/** With a placeholder for each unknown variable, usually a part of a string; undefined where that is no JSON. */
function parseSupposed(text: string): unknown {
  return parseJson(text.replace(/\$\{[^}]*\}/g, "x")) ?? undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A query and all that it is made of, by a queue: it may be nested deeply. */
function listClauses(query: unknown): readonly QueryFault[] {
  const queue = [query];
  const found: QueryFault[] = [];
  for (const one of queue) {
    const { fault, inner } = readClause(one);
    found.push(fault);
    queue.push(...inner);
  }
  return found;
}

interface Clause {
  readonly fault: QueryFault;
  readonly inner: readonly unknown[];
}

function readClause(query: unknown): Clause {
  const clause = (isSound: boolean, inner: readonly unknown[] = [], more: Partial<QueryFault> = {}): Clause => ({
    fault: { isBroken: isSound ? "no" : "unknown", looksUpIn: [], usesNow: false, ...more },
    inner,
  });
  const [[name = "", value] = [], ...others] = entriesOf(query);
  const parts = entriesOf(value).filter(([key]) => !options.has(key));
  // No query is called `constructor`.
  if (others.length > 0 || name in {}) return clause(false);
  const inner = queriesIn[name];
  if (inner) {
    const found = parts.filter(([key]) => inner.queries.has(key));
    const isSound = parts.every(
      ([key, one]) => (inner.queries.has(key) && (inner.mayBeLists || isMap(one))) || inner.settings.has(key),
    );
    return clause(
      isSound,
      found.flatMap(([, one]) => one),
    );
  }
  const [[, wanted] = []] = parts;
  if (name === "terms") {
    const looksUpIn = listLookups(wanted);
    const isSound = looksUpIn.length > 0 || (Array.isArray(wanted) && wanted.every(isScalar));
    return clause(isSound && parts.length === 1, [], { looksUpIn, usesNow: namesNow(value) });
  }
  const settings = settingsOf[name];
  if (settings) {
    const isSound = isScalar(wanted) || entriesOf(wanted).every(([key]) => settings.has(key) || options.has(key));
    const usesNow = (name === "term" || name === "range") && namesNow(value);
    return clause(isSound && parts.length === 1 && !Array.isArray(wanted), [], { usesNow });
  }
  const text = textIn[name];
  if (text !== undefined) return clause(typeof new Map(parts).get(text) === "string");
  const keys = keysOf[name];
  return clause(keys ? parts.every(([key]) => keys.has(key)) : parts.length >= (leastKeys[name] ?? Infinity));
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== "object";
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isMap(value) ? Object.entries(value) : [];
}

function namesNow(value: unknown): boolean {
  return /"now\b/.test(JSON.stringify(value));
}

function listLookups(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null && "index" in value ? [String(value.index)] : [];
}

const options = words("boost _name");

/** What follows is taken by every server. The queries that a query is made of: */
const queriesIn: Readonly<Record<string, Inner>> = {
  bool: {
    queries: words("must filter should must_not"),
    settings: words("minimum_should_match adjust_pure_negative"),
    mayBeLists: true,
  },
  boosting: { queries: words("positive negative"), settings: words("negative_boost") },
  constant_score: { queries: words("filter"), settings: words("") },
  dis_max: { queries: words("queries"), settings: words("tie_breaker"), mayBeLists: true },
  nested: { queries: words("query"), settings: words("path score_mode ignore_unmapped") },
};
type Words = ReadonlySet<string>;

interface Inner {
  readonly queries: Words;
  readonly settings: Words;
  readonly mayBeLists?: true;
}

/** What is said of the one field that a query is about, where that is more than a value. */
const settingsOf: Readonly<Record<string, Words>> = {
  fuzzy: words("value fuzziness prefix_length max_expansions transpositions rewrite"),
  match: words(
    "query operator minimum_should_match fuzziness prefix_length max_expansions analyzer lenient zero_terms_query",
  ),
  match_bool_prefix: words("query operator minimum_should_match fuzziness prefix_length max_expansions analyzer"),
  match_phrase: words("query slop analyzer zero_terms_query"),
  match_phrase_prefix: words("query slop max_expansions analyzer"),
  prefix: words("value rewrite case_insensitive"),
  range: words("gte gt lte lt format time_zone relation from to include_lower include_upper"),
  regexp: words("value flags max_determinized_states rewrite case_insensitive"),
  term: words("value case_insensitive"),
  wildcard: words("value wildcard rewrite case_insensitive"),
};

/** What has to be text. */
const textIn: Readonly<Record<string, string>> = {
  exists: "field",
  multi_match: "query",
  query_string: "query",
  simple_query_string: "query",
};

const keysOf: Readonly<Record<string, Words>> = { ids: words("values"), match_all: words(""), match_none: words("") };

/** One of them is the name of a field. */
const leastKeys: Readonly<Record<string, number>> = { geo_bounding_box: 1, geo_distance: 2 };

function words(list: string): Words {
  return new Set(list.split(/\s+/).filter((word) => word !== ""));
}
