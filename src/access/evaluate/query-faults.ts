// Which requests a server fails over because of a query of DLS, or a list of FLS. Tried on OpenSearch 2.19.1
// and 3.4.0.

import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { combineAll, combineAny, negate, type Verdict } from "../verdict.ts";
import { type IndexName, resolveVariables } from "./coverage.ts";
import { type CoveringElement, findCoveringElements, removesLimits } from "./limits.ts";

/** What of a query a server does not do. */
export interface QueryFault {
  /** It is no query: every request on the index is answered 500. */
  readonly isBroken: Verdict;
  /** It looks up terms in these other indices: what is neither search nor get is answered 500. */
  readonly looksUpIn: readonly string[];
  /** It goes by the current time: what reads documents is answered 400, unless a setting of the nodes allows it. */
  readonly usesNow: boolean;
}

/** Whether a server fails over a request that takes these actions on an index, though they are granted. */
export function failsByQuery(
  model: AccessModel,
  subject: Subject,
  index: IndexName,
  actions: readonly string[],
): Verdict {
  const { failsOverQueries, failsWithoutValue, oneOfRoleRestricts } = model.state.semantics;
  if (!failsOverQueries || actions.length === 0) return "no";
  // A role with fields that gate-sync does not know has a query that cannot be read.
  const written = findCoveringElements(model, subject, index).filter(
    ({ holding }) => holding.unknown?.by !== "refusal",
  );
  const found = written.map((element): Verdict => {
    const {
      verdict,
      rule: { restricts },
    } = element;
    const byFields = combineAll([verdict, failsByFields(restricts.fls, actions)]);
    if (restricts.dls === undefined || byFields === "yes") return byFields;
    const { isBroken, looksUpIn, usesNow } = findQueryFault(restricts.dls.key, model, subject);
    const isLookupHidden = () => looksUpIn.some((name) => mayHideFetched(model, subject, { name }));
    const fails = combineAny([
      isBroken,
      looksUpIn.length > 0 && !actions.every((action) => lookingUp.test(action)) ? "yes" : "no",
      actions.some((action) => reading.test(action)) && (usesNow || isLookupHidden()) ? "unknown" : "no",
    ]);
    const counts = oneOfRoleRestricts && hasRivalQuery(element, written) ? "unknown" : verdict;
    return combineAny([byFields, combineAll([counts, fails])]);
  });
  if (!removesLimits(model)) return combineAny(found);
  const isOpen = combineAny(written.flatMap(({ verdict, rule }) => (rule.restricts.dls ? [] : verdict)));
  return combineAll([combineAny(found), failsWithoutValue ? negate(isOpen) : "unknown"]);
}

/** Whether another element of the same role may take the place of the query of this one. */
function hasRivalQuery({ holding, rule, places }: CoveringElement, all: readonly CoveringElement[]): boolean {
  const { dls } = rule.restricts;
  const others = all.filter((other) => {
    const query = other.rule.restricts.dls;
    return other.holding.role === holding.role && query !== undefined && query.key !== dls?.key;
  });
  return places.some(({ key }) => others.some((other) => other.places.some((place) => place.key === key)));
}

/**
 * An empty name fails what is filtered. Fields that the server itself reads of a document that is fetched are hidden
 * as all others: most such requests fail, and some of documents of data streams do not.
 */
function failsByFields(fls: readonly string[], actions: readonly string[]): Verdict {
  if (fls.includes("") && actions.some((action) => reading.test(action) || filtered.test(action))) return "yes";
  return actions.some((action) => fetching.test(action)) && fls.some(hidesFetched) ? "unknown" : "no";
}

function hidesFetched([sign = "", ...name]: string): boolean {
  return (
    /[~!]/.test(sign) && name.includes("*") && fetched.some((field) => matchesPattern(name.join(""), field) === "yes")
  );
}

function mayHideFetched(model: AccessModel, subject: Subject, index: IndexName): boolean {
  return findCoveringElements(model, subject, index).some(({ rule: { restricts } }) =>
    restricts.fls.some(hidesFetched),
  );
}

const fetched = ["_version", "_seq_no", "_primary_term"];
const fetching = /^indices:data\/read\/(get|mget\[shard\]|explain|tv)$/;
const filtered = /^indices:admin\/(mappings\/get|get)$/;
const lookingUp = /^indices:data\/read\/(search|get|mget|msearch)(\[|$)/;
const reading = /^indices:data\/read\/(?!field_caps$)/;

/** @param query as stored; its variables are filled in for the subject */
function findQueryFault(query: string, { state: { semantics } }: AccessModel, subject: Subject): QueryFault {
  const own = query.replace(/\$\{user[._]securityRoles\}/g, '"x"');
  const text = resolveVariables(own, { ...semantics, roleVariables: ["user.roles", "user_roles"] }, subject);
  if (semantics.failsWithoutValue && (typeof text !== "string" || text.includes("${")))
    return { isBroken: typeof text === "string" ? "yes" : "unknown", looksUpIn: [], usesNow: false };
  const read = typeof text === "string" && !/\$\{\w+:/.test(text) ? parseFirstObject(text) : parseSupposed(own);
  if (read === undefined) return { isBroken: "unknown", looksUpIn: [], usesNow: false };
  const parts = listClauses(read);
  const isBroken = combineAny(parts.map((part) => part.isBroken));
  return {
    // What other roles show is then shown, or nothing is found.
    isBroken: semantics.invalidQueries === "hide" && isBroken === "yes" && text === query ? "unknown" : isBroken,
    looksUpIn: parts.flatMap(({ looksUpIn }) => looksUpIn),
    usesNow: parts.some(({ usesNow }) => usesNow),
  };
}

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
  const clause = (isBroken: Verdict, inner: readonly unknown[] = [], more: Partial<QueryFault> = {}): Clause => ({
    fault: { isBroken, looksUpIn: [], usesNow: false, ...more },
    inner,
  });
  const [[name = "", value] = [], ...others] = entriesOf(query);
  if (name === "" || others.length > 0 || name === "query") return clause("yes");
  const parts = entriesOf(value);
  const ofFields = parts.filter(([key]) => !options.has(key));
  switch (name) {
    case "bool":
      return clause(
        ofFields.every(([key]) => occurrences.has(key)) ? "no" : "unknown",
        ofFields.flatMap(([key, of]) => (occurrences.has(key) ? of : [])),
      );
    case "constant_score":
      return clause(
        "no",
        ofFields.map(([, of]) => of),
      );
    case "term":
    case "terms": {
      const [[, wanted] = []] = ofFields;
      const looksUpIn = listLookups(wanted);
      const isSound = parts.length === 1 && Array.isArray(wanted) === (name === "terms" && looksUpIn.length === 0);
      return clause(isSound ? "no" : "unknown", [], { looksUpIn, usesNow: namesNow(value) });
    }
    case "range":
      return clause("no", [], { usesNow: namesNow(value) });
    default:
      return clause(queries.has(name) ? "no" : "unknown");
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function namesNow(value: unknown): boolean {
  return /"now\b/.test(JSON.stringify(value));
}

function listLookups(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null && "index" in value ? [String(value.index)] : [];
}

const occurrences = new Set(["must", "filter", "should", "must_not"]);
const options = new Set(["boost", "_name", "minimum_should_match", "adjust_pure_negative"]);

/** Those that every server knows. */
const queries = new Set(
  `boosting dis_max exists fuzzy geo_bounding_box geo_distance ids match match_all match_bool_prefix match_none match_phrase
  match_phrase_prefix multi_match nested prefix query_string regexp simple_query_string terms_set wildcard`.split(
    /\s+/,
  ),
);
