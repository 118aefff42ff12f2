// Which documents Search Guard 7 does not fetch because of a query: each was tried on 7.5.1-38.
import { describe, expect, it } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { isRewritten } from "../../../../src/access/evaluate/rewritten-queries.ts";
import { type AccessModel, createAccessModel } from "../../../../src/access/model/access-model.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import type { Product } from "../../../../src/model/plan.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const prefix = { prefix: { team: "re" } };

describe("a query of DLS", () => {
  it.each([
    prefix,
    { wildcard: { team: "r*" } },
    { wildcard: { team: "red" } },
    { regexp: { team: "re." } },
    { fuzzy: { team: "red" } },
    { match_phrase_prefix: { t: "red fo" } },
    { match_bool_prefix: { t: "red fo" } },
    { match: { t: { query: "jumping", fuzziness: 0 } } },
    { multi_match: { query: "red fo", fields: ["t"], type: "phrase_prefix" } },
    { more_like_this: { fields: ["t"], like: "red" } },
    { query_string: { query: "team:r*" } },
    { query_string: { query: "team:r?d" } },
    { query_string: { query: "team:rad~" } },
    { query_string: { query: "team:/re./" } },
    { query_string: { query: "team:red OR team:bl*" } },
    { query_string: { query: "team:*ed" } },
    { simple_query_string: { query: "re*", fields: ["team"] } },
    { simple_query_string: { query: "rad~", fields: ["team"] } },
    { bool: { must: [prefix] } },
    { bool: { must_not: prefix } },
    { bool: { should: [{ term: { team: "red" } }, prefix] } },
    { constant_score: { filter: prefix } },
    { dis_max: { queries: [prefix] } },
    { boosting: { positive: prefix, negative: { term: { team: "x" } }, negative_boost: 0.5 } },
    { function_score: { query: prefix } },
  ])("has to be rewritten: %j", (query) => expect(isRewritten(query)).toBe("yes"));

  it.each([
    { term: { team: "red" } },
    { term: { prefix: "re*" } },
    { terms: { team: ["red"] } },
    { range: { n: { gte: 1 } } },
    { range: { day: { gte: "2023-01-01" } } },
    { match: { t: "red" } },
    { match_phrase: { t: "red fox" } },
    { multi_match: { query: "red", fields: ["t"] } },
    { exists: { field: "team" } },
    { ids: { values: ["d0"] } },
    { match_all: {} },
    { query_string: { query: "team:red" } },
    { query_string: { query: "*" } },
    { query_string: { query: "*:*" } },
    { query_string: { query: "team:*" } },
    { query_string: { query: 'team:"r*"' } },
    { query_string: { query: "team:r\\*" } },
    { simple_query_string: { query: "*", fields: ["team"] } },
  ])("is held to a document as it is: %j", (query) => expect(isRewritten(query)).toBe("no"));

  it.each([{ range: { team: { gte: "a" } } }, { query_string: { query: "n:>1" } }])(
    "may have to be, by the type of the field: %j",
    (query) => expect(isRewritten(query)).toBe("unknown"),
  );
});

function modelOf(product: Product, release: string, ...elements: readonly string[]): AccessModel {
  const roles = elements.map((one, at) => `  r${at}: { index_permissions: [{ allowed_actions: ['*'], ${one} }] }`);
  const mappings = elements.map((_, at) => `  r${at}: { users: [ana] }`);
  const { state } = modelFrom(`roles:\n${roles.join("\n")}\nrole_mappings:\n${mappings.join("\n")}\n`);
  return createAccessModel({ ...state, semantics: getSemantics(createDialect(product, release)) });
}

const restricted = `index_patterns: [logs-*], dls: '${JSON.stringify(prefix)}'`;
const open = "index_patterns: ['*']";
const words = ["search", "get", "explain", "termvectors", "get-mapping"];

function answersOf(model: AccessModel, index = "logs-1") {
  return words.map((word) => {
    const request = findRequestKind(word, "7");
    return request && evaluateQuestion(model, subjectFrom("ana", {}), request, [index]).verdict;
  });
}

describe("documents", () => {
  const unfetched = ["yes", "no", "no", "no", "yes"];
  it.each<[string, readonly string[]]>([
    ["of the index", [restricted]],
    ["that a role without a query grants, too", [restricted, open]],
    ["that another query finds, too", [restricted, `index_patterns: [logs-1], dls: '{"match_all":{}}'`]],
  ])("%s are not fetched", (_, elements) => {
    expect(answersOf(modelOf("search-guard", "7.x-38.0.0", ...elements))).toEqual(unfetched);
  });

  it("of other indices are", () => {
    const model = modelOf("search-guard", "7.x-38.0.0", restricted, open);
    expect(answersOf(model, "shop")).toEqual(words.map(() => "yes"));
  });

  it("where the server may apply another pattern's query alone, may be", () => {
    const other = `index_patterns: ['logs-?'], dls: '{"term":{"a":1}}'`;
    const [search, get] = answersOf(modelOf("search-guard", "7.x-38.0.0", restricted, other));
    expect([search, get]).toEqual(["yes", "unknown"]);
  });

  it.each<[Product, string]>([
    ["search-guard", "6"],
    ["opensearch", "2.19.1"],
  ])("are on %s %s", (product, release) => {
    expect(answersOf(modelOf(product, release, restricted))).toEqual(words.map(() => "yes"));
  });
});

it("a diff says that they can no longer be fetched", () => {
  const [before, after] = [`index_patterns: [logs-*], dls: '{"term":{"team":"red"}}'`, restricted].map((element) =>
    modelOf("search-guard", "7.x-38.0.0", element),
  );
  if (!before || !after) throw new Error("bug: two models");
  const { statements } = compareAccess(before, after);
  const found = statements.flatMap(({ differences }) => differences);
  const kindsAbout = (action: string) =>
    found.flatMap(({ kind, actions }) => (JSON.stringify(actions).includes(action) ? kind : []));
  expect(kindsAbout("indices:data/read/get")).toContain("lost");
});
