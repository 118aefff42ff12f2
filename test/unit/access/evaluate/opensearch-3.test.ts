// What OpenSearch 3.4.0 answered, and 3.8.0 where that is recorded.
import { describe, expect, test } from "vitest";
import type { AskedRequest } from "../../../../src/access/evaluate/asked-request.ts";
import { isSearched, showField } from "../../../../src/access/evaluate/fields.ts";
import { findLimits } from "../../../../src/access/evaluate/limits.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { evaluateTenantAccess } from "../../../../src/access/evaluate/tenants.ts";
import { listLimitDoubts } from "../../../../src/access/explain/doubts.ts";
import type { Element, Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture, subjectOfPerson } from "../../../support/modelled.ts";

const search: AskedRequest = {
  name: "search",
  cluster: [],
  index: ["indices:data/read/search"],
  reads: true,
  failsWhereRestricted: "no",
};
const red = '{"term":{"team":"red"}}';
const blue = '{"term":{"team":"blue"}}';
const ofDepartment = `{"term":{"team":"\${attr.internal.dept}"}}`;

/** One role for each list of elements, all of them of the same user. */
function ask(
  release: string,
  roles: readonly (readonly Element[])[],
  attributes: Readonly<Record<string, string>> = {},
) {
  const names = roles.map((_, at) => `r${at}`);
  const fixture: Fixture = {
    product: "opensearch",
    release,
    groups: {},
    roles: Object.fromEntries(
      roles.map((elements, at) => [
        `r${at}`,
        { index_permissions: elements.map((one) => ({ allowed_actions: ["indices:data/read/*"], ...one })) },
      ]),
    ),
    mappings: Object.fromEntries(names.map((name) => [name, { users: ["ann"] }])),
  };
  const model = modelOfFixture(fixture);
  const subject = subjectOfPerson({ user: "ann", backendRoles: [], attributes });
  const limits = findLimits(model, subject, { name: "logs-a" });
  return {
    verdict: evaluateQuestion(model, subject, search, ["logs-a"]).verdict,
    queries: limits.documents?.map(({ key }) => key) ?? "all",
    limits,
    doubts: listLimitDoubts(model, subject, limits).map(({ kind }) => kind),
  };
}

const on = (pattern: string, more: Element): Element => ({ index_patterns: [pattern], ...more });

describe("a query that is none", () => {
  const invalid = ["team:red", `${red.slice(0, -1)},"match_all":{}}`, '{"trem":{"team":"red"}}', `{"query":${red}}`];

  test.each(invalid)("%s shows all documents from 3.6 on, and its FLS stays", (dls) => {
    const found = ask("3.8", [[on("logs-*", { dls, fls: ["team"] })]]);
    expect([found.verdict, found.queries, found.limits.fields.only]).toEqual(["yes", "all", ["team"]]);
    expect(ask("3.8", [[on("logs-*", { dls })], [on("logs-a", { dls: red })]]).queries).toEqual([red]);
    expect(ask("2.19", [[on("logs-*", { dls })]]).verdict).toBe(dls.includes("trem") ? "unknown" : "no");
    expect(ask("3.4", [[on("logs-*", { dls })]]).verdict).toBe("unknown");
  });

  test("one of spaces alone restricts nothing since 3.0", () => {
    const found = ["2.19", "3.4", "3.8"].map((release) => ask(release, [[on("logs-*", { dls: " " })]]));
    expect(found.map(({ verdict, limits }) => [verdict, limits.restricted])).toEqual([
      ["no", "yes"],
      ["yes", "no"],
      ["yes", "no"],
    ]);
  });

  test("with a variable it fails in every release", () => {
    for (const release of ["2.19", "3.4", "3.8"]) {
      expect(ask(release, [[on("logs-*", { dls: "team:${user.name}" })]]).verdict, release).toBe("no");
    }
  });
});

test("without an attribute of a query all requests fail, beside an unrestricted role as well", () => {
  const roles = [[on("logs-*", { dls: ofDepartment })], [on("*", {})]];
  expect([ask("2.19", roles), ask("3.4", roles), ask("3.8", roles)].map(({ verdict }) => verdict)).toEqual([
    "yes",
    "no",
    "no",
  ]);
  expect(ask("3.8", roles, { dept: "red" }).verdict).toBe("yes");
});

describe("variables of 3.7", () => {
  const may = (release: string, pattern: string, attributes: Readonly<Record<string, string>> = {}) =>
    ask(release, [[on(pattern, {})]], attributes).verdict;

  test.each<[string, Readonly<Record<string, string>>]>([
    ["logs-${attr.internal.nope:-a}", {}],
    ["logs-${attr.internal.${attr.internal.which}}", { which: "end", end: "a" }],
    ["logs-${attr_internal_the_end}", { "the.end": "a" }],
  ])("%s is an index pattern", (pattern, attributes) => {
    expect(may("3.7", pattern, attributes)).toBe("yes");
  });

  test("releases before take them as they are written", () => {
    expect(may("3.6", "logs-${attr.internal.nope:-a}")).toBe("no");
  });

  test("a query fails without a value, and not where it has another one for that", () => {
    const query = (variable: string) => [[on("logs-*", { dls: `{"term":{"team":"${variable}"}}` })]];
    expect(ask("3.7", query("${attr.internal.nope}")).verdict).toBe("no");
    expect(ask("3.7", query("$${user.name}")).verdict).toBe("no");
    expect(ask("3.7", query("${attr.internal.nope:-red}")).verdict).toBe("yes");
  });

  test("what an attribute holds is a pattern of tenants", () => {
    const access = (release: string) => {
      const fixture: Fixture = {
        product: "opensearch",
        release,
        groups: {},
        roles: { r: { tenant_permissions: [{ tenant_patterns: ["${attr.internal.of}"], allowed_actions: [] }] } },
        mappings: { r: { users: ["ann"] } },
        tenants: ["hr-1"],
      };
      const subject = subjectOfPerson({ user: "ann", backendRoles: [], attributes: { of: "hr-*" } });
      return evaluateTenantAccess(modelOfFixture(fixture), subject, "hr-1").reads;
    };
    expect([access("3.4"), access("3.8")]).toEqual(["no", "yes"]);
  });
});

describe("several restrictions on one index", () => {
  test("of one role one counts, and which is unknown", () => {
    const roles = [[on("logs-a", { dls: red }), on("logs-*", { dls: blue })]];
    expect(ask("2.19", roles)).toMatchObject({ queries: [blue, red], doubts: [] });
    expect(ask("3.8", roles)).toMatchObject({ limits: { unsure: ["r0"] }, doubts: ["rival"] });
  });

  test.each<[string, readonly (readonly Element[])[]]>([
    ["of two roles", [[on("logs-a", { dls: red })], [on("logs-*", { dls: blue })]]],
    ["by * and by names", [[on("*", { dls: red }), on("logs-a", { dls: blue })]]],
    ["by a variable and by names", [[on("logs-${attr.internal.end}", { dls: red }), on("logs-a", { dls: blue })]]],
  ])("%s all of them count", (_, roles) => {
    expect(ask("3.8", roles, { end: "a" })).toMatchObject({ queries: [blue, red], limits: { unsure: [] }, doubts: [] });
  });

  test("_all restricts nothing", () => {
    const roles = [[on("_all", { dls: red })], [on("*", {})]];
    expect(["2.19", "3.4"].map((release) => ask(release, roles).queries)).toEqual([[red], "all"]);
  });

  test("two masks of one field fail no request", () => {
    const roles = [[on("logs-a", { masked_fields: ["email"] })], [on("logs-a", { masked_fields: ["email::SHA-256"] })]];
    expect(["2.19", "3.8"].map((release) => ask(release, roles).verdict)).toEqual(["unknown", "yes"]);
  });
});

test.each<[readonly string[], shown: readonly string[]]>([
  [["t?am"], ["team"]],
  [["/t.am/"], ["team"]],
  [["~t?am"], ["email", "geo.city", "geo.zip"]],
  [["~*e"], ["team", "email", "geo.city", "geo.zip"]],
  [["geo"], []],
  [["geo.*"], ["geo.city", "geo.zip"]],
  [["g*"], ["geo.city", "geo.zip"]],
  [["*.city"], ["geo.city"]],
  [["/geo.*/"], ["geo.city", "geo.zip"]],
  [["~geo"], ["team", "email"]],
  [["*"], ["team", "email", "geo.city", "geo.zip"]],
])("FLS %j shows %j", (fls, shown) => {
  const { fields } = ask("3.8", [[on("logs-a", { fls })]]).limits;
  const all = ["team", "email", "geo.city", "geo.zip"];
  expect(all.filter((field) => showField(fields, field) === "shown")).toEqual(shown);
});

test("a search finds documents by what is in an object that FLS names, and not by what it hides", () => {
  const fieldsOf = (fls: readonly string[]) => ask("3.8", [[on("logs-a", { fls })]]).limits.fields;
  expect(isSearched(fieldsOf(["geo"]), "geo.city")).toBe(true);
  expect(isSearched(fieldsOf(["~geo"]), "geo.city")).toBe(false);
});

test("an expression in FLS that only Java reads leaves open what is shown", () => {
  const found = ask("3.8", [[on("logs-a", { fls: ["/(t)\\1eam/"] })]]);
  expect(found).toMatchObject({ limits: { unsure: ["r0"] }, doubts: ["expression"] });
});
