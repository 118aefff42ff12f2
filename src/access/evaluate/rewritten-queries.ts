// Which documents a server does not fetch because of a query of DLS: one that has to be rewritten before it is run, such as
// a prefix, is held to a single document as it is, and the server answers 500. Tried on Search Guard 7.5.1-38; 6.5.4-24
// fetches them.
import type { Semantics } from "../../dialects/semantics.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { AccessModel } from "../model/access-model.ts";
import { getHoldingCondition } from "../model/holders.ts";
import type { IndexRule, RoleRules } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { getExpressionText } from "../patterns/syntax.ts";
import { combineAll, combineAny, joinAll, toCondition, type Verdict } from "../verdict.ts";
import { resolveVariables } from "./coverage.ts";
import { createFailure, type HeldRole } from "./refused-expressions.ts";

/** With roles that refuse to fetch what queries of roles that are held keep from being fetched. */
export function addUnfetched(held: readonly HeldRole[], model: AccessModel, subject: Subject): readonly HeldRole[] {
  const { semantics } = model.state;
  if (!semantics.failsOverRewrites) return held;
  const found = held.flatMap(({ holding, rules }) =>
    listCandidates(rules).flatMap(({ rule, dls }) => {
      const verdict = combineAll([isRewritten(parseQuery(dls, semantics, subject)), appliesAlone(rule, held)]);
      const when = joinAll([
        getHoldingCondition(holding),
        toCondition(rule.hinges ? "unknown" : "yes", () => JSON.stringify([rule.hinges, rule.types ?? rule.patterns])),
        toCondition(verdict, () => JSON.stringify(["is rewritten", dls])),
      ]);
      const failing = { kind: "rewritten-query", pattern: rule.patterns[0] ?? "" } as const;
      return createFailure(holding, { ...failing, when }, refuseFetching(rule));
    }),
  );
  return found.length === 0 ? held : [...held, ...found];
}

const fetching = ["get", "mget[shard]", "explain", "tv", "mtv[shard]"].map((name) => `indices:data/read/${name}`);

const refuseFetching = memoiseByObject(
  ({ patterns }: IndexRule): RoleRules => ({
    name: "",
    cluster: [],
    index: [],
    tenants: [],
    notCluster: [],
    notIndex: [{ patterns, actions: fetching.map((pattern) => ({ pattern, via: [] })) }],
  }),
);

/** Of thousands of elements hardly any. */
const listCandidates = memoiseByObject(({ index }: RoleRules) =>
  index.flatMap((rule) => {
    const dls = rule.restricts.dls?.key;
    return dls !== undefined && /"(prefix|wildcard|regexp|fuzz|match|multi|more|range|\w*query_string)/.test(dls)
      ? [{ rule, dls }]
      : [];
  }),
);

/** Of queries by different patterns the server applies those of one: `?` and expressions are patterns of their own. */
function appliesAlone(rule: IndexRule, held: readonly HeldRole[]): Verdict {
  const isOdd = (pattern: string): boolean => pattern.includes("?") || getExpressionText(pattern) !== undefined;
  const others = held.flatMap(({ rules }) =>
    rules.index.filter((one) => one !== rule && one.restricts.dls !== undefined).flatMap(({ patterns }) => patterns),
  );
  return others.length > 0 && [...rule.patterns, ...others].some(isOdd) ? "unknown" : "yes";
}

function parseQuery(dls: string, semantics: Semantics, subject: Subject): unknown {
  const meant = resolveVariables(dls, semantics, subject);
  const text = (typeof meant === "string" ? meant : dls).replace(/\$\{[^}]*\}/g, "x");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a query, or one that it is made of, has to be rewritten. */
export function isRewritten(query: unknown): Verdict {
  const queue = [query];
  const found: Verdict[] = [];
  for (const one of queue) {
    const [name = "", value] = entriesOf(one)[0] ?? [];
    queue.push(...listInner(name, value));
    found.push(isClauseRewritten(name, value));
  }
  return combineAny(found);
}

function listInner(name: string, value: unknown): readonly unknown[] {
  const inner = new Set(Object.hasOwn(innerOf, name) ? innerOf[name] : []);
  return entriesOf(value).flatMap(([key, of]) => (inner.has(key) ? (Array.isArray(of) ? of : [of]) : []));
}

const innerOf: Readonly<Record<string, readonly string[]>> = {
  bool: ["must", "filter", "should", "must_not"],
  constant_score: ["filter"],
  dis_max: ["queries"],
  boosting: ["positive", "negative"],
  function_score: ["query"],
};

function isClauseRewritten(name: string, value: unknown): Verdict {
  const options = new Map(entriesOf(value));
  const ofField = new Map(entriesOf([...options.values()].find((one) => entriesOf(one).length > 0)));
  switch (name) {
    case "prefix":
    case "wildcard":
    case "regexp":
    case "fuzzy":
    case "match_phrase_prefix":
    case "match_bool_prefix":
    case "more_like_this":
      return "yes";
    case "match":
      return ofField.has("fuzziness") ? "yes" : "no";
    case "multi_match":
      return options.has("fuzziness") || /^(phrase|bool)_prefix$/.test(String(options.get("type"))) ? "yes" : "no";
    case "query_string":
      return isTextRewritten(String(options.get("query")));
    case "simple_query_string":
      return /[^\s*]\*|\w~/.test(withoutQuoted(String(options.get("query")))) ? "yes" : "no";
    case "range":
      return isRangeRewritten(ofField);
    default:
      return "no";
  }
}

/** `*` alone is every document that has the field. */
function isTextRewritten(text: string): Verdict {
  const plain = withoutQuoted(text).replace(/(?<![^\s(:])\*(?![^\s):])/g, "");
  if (/[*?]|\w~|\//.test(plain)) return "yes";
  return /[[{<>]/.test(plain) ? "unknown" : "no";
}

function withoutQuoted(text: string): string {
  return text.replace(/\\./gs, "x").replace(/"[^"]*"/g, "x");
}

/** Of numbers, dates and addresses it is not; of texts it is. */
function isRangeRewritten(bounds: ReadonlyMap<string, unknown>): Verdict {
  const values = ["gt", "gte", "lt", "lte", "from", "to"].flatMap((key) => bounds.get(key) ?? []);
  return values.every((one) => typeof one !== "string" || /^(now|\d)/.test(one)) ? "no" : "unknown";
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
