// Which requests a server fails over as an index pattern becomes an expression that Java refuses: each line was tried on a
// real server.
import { describe, expect, it } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { listPermissionDoubts } from "../../../../src/access/explain/doubts.ts";
import { findMisses } from "../../../../src/access/explain/misses.ts";
import { type AccessModel, createAccessModel } from "../../../../src/access/model/access-model.ts";
import type { AccessSettings } from "../../../../src/access/model/state.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const products = {
  opensearch: createDialect("opensearch", "2.19.1"),
  "opensearch 3": createDialect("opensearch", "3.4.0"),
  "search-guard 7": createDialect("search-guard", "7.x-38.0.0"),
  "search-guard 6": createDialect("search-guard", "6"),
} as const;
type Product = keyof typeof products;

interface Held {
  /** Of the element with the pattern. */
  readonly own?: string;
  /** Of another role that the user holds. */
  readonly other?: string;
  readonly pattern?: string;
  readonly actions?: string;
}

const dls = `, dls: '{"match_all":{}}'`;
const broken = "/(hr|${user_name})-[a-z]*/";

function modelOf(product: Product, held: Held = {}, settings: AccessSettings = {}): AccessModel {
  const { own = "", other = "", pattern = broken, actions = "'*'" } = held;
  const { state } = modelFrom(`
roles:
  plain: { cluster_permissions: ['*'], index_permissions: [{ index_patterns: [shop], allowed_actions: ['*'] }] }
  bad: { index_permissions: [{ index_patterns: ['${pattern}'], allowed_actions: [${actions}]${own} }] }
  more: { index_permissions: [{ index_patterns: [else], allowed_actions: ['*']${other} }] }
role_mappings: { plain: { users: ['*'] }, bad: { users: ['*'] }, more: { users: ['*'] } }
`);
  return createAccessModel({ ...state, semantics: getSemantics(products[product]), settings });
}

const asked = ["health", "search", "index", "get-mapping"] as const;

function answersOf(model: AccessModel, who = "a(b", attributes: Record<string, string> = {}) {
  const subject = subjectFrom(who, attributes);
  return asked
    .map((word) => {
      const request = findRequestKind(word, "2.19");
      if (!request) throw new Error(`no action ${word}`);
      return evaluateQuestion(model, subject, request, word === "health" ? [] : ["shop"]).verdict;
    })
    .join(" ");
}

describe("for a user whose name makes it an expression that Java refuses", () => {
  const spans = { spansRoles: true };
  it.each<[Product, string, Held, AccessSettings, string]>([
    ["opensearch", "nothing restricts", {}, {}, "yes yes yes yes"],
    ["opensearch", "its element restricts", { own: dls }, {}, "no no no no"],
    ["opensearch", "another role restricts", { other: dls }, {}, "no no no no"],
    ["opensearch 3", "nothing restricts", {}, {}, "yes yes yes yes"],
    ["opensearch 3", "its element restricts", { own: dls }, {}, "yes no no no"],
    ["opensearch 3", "another role restricts", { other: dls }, {}, "yes yes yes yes"],
    ["search-guard 7", "nothing restricts", {}, {}, "yes no no no"],
    ["search-guard 7", "its element grants something else", { actions: "'indices:admin/shrink'" }, {}, "yes no no no"],
    ["search-guard 7", "its element restricts", { own: dls }, {}, "no no no no"],
    ["search-guard 7", "another role restricts", { other: dls }, {}, "yes no no no"],
    ["search-guard 7", "one role has to grant it", {}, { spansRoles: false }, "yes unknown unknown unknown"],
    ["search-guard 7", "requests are reduced", {}, { reducesRequests: true }, "yes no no no"],
    [
      "search-guard 7",
      "requests are reduced, and its element grants something else",
      { actions: "'indices:admin/shrink'" },
      { reducesRequests: true },
      "yes yes no no",
    ],
    ["search-guard 6", "nothing restricts", {}, spans, "yes no no no"],
    ["search-guard 6", "its element restricts", { own: dls }, spans, "no no no no"],
    ["search-guard 6", "it has a dot", { pattern: "/(hr|${user_name})-.*/", own: dls }, spans, "yes yes yes yes"],
  ])("%s, where %s", (product, _, held, settings, answers) => {
    expect(answersOf(modelOf(product, held, settings))).toBe(answers);
    expect(answersOf(modelOf(product, held, settings), "ab")).toBe("yes yes yes yes");
  });
});

describe("an attribute", () => {
  const held = { own: dls, pattern: "/(hr|${attr.internal.dept})-.*/" };
  it.each<[string, Record<string, string> | undefined, string]>([
    ["with a plain value", { "internal.dept": "it" }, "yes yes yes yes"],
    ["that is *", { "internal.dept": "*" }, "no no no no"],
    ["that the user lacks", {}, "no no no no"],
  ])("%s", (_, attributes, answers) => {
    for (const product of ["opensearch", "search-guard 7"] as const)
      expect(answersOf(modelOf(product, held), "ana", attributes)).toBe(answers);
  });

  it("that is not known leaves open what would be granted, and nothing else", () => {
    const model = modelOf("search-guard 7", { ...held, actions: "'indices:admin/shrink'" });
    const subject = subjectFrom("ana");
    const verdictOn = (index: string) => {
      const request = findRequestKind("search", "7");
      return request && evaluateQuestion(model, subject, request, [index]);
    };
    expect([verdictOn("shop")?.verdict, verdictOn("other")?.verdict]).toEqual(["unknown", "no"]);
    const found = verdictOn("shop")?.shares.flatMap(({ answer }) => answer.parts.map(({ evaluation }) => evaluation));
    expect(listPermissionDoubts(model, subject, found ?? [], true)).toContainEqual({
      kind: "refused-expression",
      role: "bad",
      pattern: "/(hr|${attr.internal.dept})-.*/",
    });
  });
});

it("an expression that is refused as it is written does the same, but on OpenSearch 3", () => {
  const held = { own: dls, pattern: "/(hr/" };
  expect(answersOf(modelOf("opensearch", held), "ana")).toBe("no no no no");
  expect(answersOf(modelOf("opensearch 3", held), "ana")).toBe("yes yes yes yes");
});

it("the reason is the pattern", () => {
  const model = modelOf("search-guard 7", { own: dls });
  const request = findRequestKind("search", "7");
  const found = request && evaluateQuestion(model, subjectFrom("a(b", {}), request, ["shop"]);
  const [part] = found?.shares[0]?.answer.parts ?? [];
  expect(part && findMisses(model, subjectFrom("a(b", {}), part)).toEqual([
    { kind: "refused-expression", role: "bad", pattern: "/(hr|${user_name})-[a-z]*/" },
  ]);
});

describe("a diff says", () => {
  const subject = subjectFrom("a(b", {});
  const kindsOf = (before: Held, after: Held, product: Product = "opensearch") => {
    const models = [modelOf(product, before), modelOf(product, after)] as const;
    const { statements } = compareAccess(...models, [{ name: "p", subject }]);
    const own = statements
      .filter(({ who }) => who.some(({ kind }) => kind === "persona"))
      .flatMap((one) => one.differences);
    return [...new Set(own.map(({ kind }) => kind))];
  };
  it("that all is lost by a restriction beside it, and gained without", () => {
    expect(kindsOf({}, { other: dls })).toEqual(["lost"]);
    expect(kindsOf({ other: dls }, {})).toEqual(["gained"]);
  });
  it("that all is lost by the pattern", () => {
    expect(kindsOf({ pattern: "hr-*" }, {}, "search-guard 7")).toEqual(["lost"]);
  });
  it("nothing where all failed before and after", () => {
    expect(kindsOf({ other: dls }, { other: `${dls}, fls: [a]` })).toEqual([]);
  });
});
