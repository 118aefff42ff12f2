// What is left of an index to be seen, as restrictions by different patterns meet.
import { describe, expect, it } from "vitest";
import { findLimits } from "../../../../src/access/evaluate/limits.ts";
import { findBlindFields } from "../../../../src/access/explain/blind-fields.ts";
import type { Product } from "../../../../src/model/plan.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const [one, two] = ['{"term": {"a": 1}}', '{"term": {"a": 2}}'];

/** Elements of a role as `pattern: what restricts`; the roles that may restrict, or the number of queries. */
function check(
  elements: readonly string[],
  expected: number | "unsure",
  product: Product = "opensearch",
  release = "2.19",
) {
  const text = `roles: { r: { index_permissions: [${elements.join(", ")}] } }\nrole_mappings: { r: { users: [ana] } }`;
  const { documents = [], unsure } = findLimits(modelFrom(text, product, release), subjectFrom("ana @1.1.1.1"), {
    name: "hr-1",
  });
  expect(unsure.length > 0 ? "unsure" : documents.length).toBe(expected);
}

const element = (pattern: string, dls: string) => `{ index_patterns: ['${pattern}'], dls: '${dls}' }`;

describe("queries of several patterns", () => {
  it("by names and * all count", () => check([element("hr-*", one), element("hr-1", two)], 2));
  it("the same query is one, whatever the pattern", () => check([element("hr-*", one), element("hr-?", one)], 1));
  it("one by ? or an expression may not apply, as an alias may have a name that it matches", () => {
    for (const pattern of ["hr-?", "/hr-.*/", "hr-?*", "/hr-(1|2)/"]) {
      check([element(pattern, one)], "unsure");
      check([element(pattern, one)], 1, "search-guard", "7.x-38.0.0");
      check([element(`${pattern}', 'hr-*`, one)], 1);
    }
    check([element("/hr-1/", one)], 1);
    check([element("hr-1", one)], 1);
  });
  it("by ? or an expression, one pattern alone counts, and which is unknown", () => {
    check([element("hr-*", one), element("hr-?", two)], "unsure");
    check([element("hr-*", one), element("/hr-.*/", two)], "unsure");
    check([element("hr-?", one), element("?r-1", two)], "unsure");
  });
  it("of one such pattern all count", () =>
    check([element("hr-?", one), element("hr-?", two)], 2, "search-guard", "7.x-38.0.0"));
  it("FLX takes them all", () => check([element("hr-*", one), element("hr-?", two)], 2, "search-guard", "FLX"));
});

it("a role that is held for certain is not held perhaps, by another way", () => {
  const text = `roles: { r: { index_permissions: [${element("hr-*", one)}] } }\nrole_mappings: { r: { users: [ana], hosts: [10.0.7.*] } }`;
  const model = modelFrom(text);
  const [ana, bo] = [subjectFrom("ana"), subjectFrom("bo")];
  expect(model.holdings(ana).map(({ verdict, member }) => [verdict, member.field])).toEqual([["yes", "users"]]);
  expect(findLimits(model, ana, { name: "hr-1" }).unsure).toEqual([]);
  expect(model.holdings(bo).map(({ verdict, member }) => [verdict, member.field])).toEqual([["unknown", "hosts"]]);
  expect(findLimits(model, bo, { name: "hr-1" }).unsure).toEqual(["r"]);
});

it("_all restricts on OpenSearch, though it grants nothing there", () => check([element("_all", one)], 1));

describe("a query by a field that is not seen", () => {
  it.each([
    ["hidden", "fls: ['~a']", ["a"]],
    ["not among those that are seen", "fls: [b]", ["a"]],
    ["masked", "masked_fields: [a]", ["a"]],
    ["seen", "fls: [a]", []],
  ])("%s", (_, more, expected) => {
    const text = `roles: { r: { index_permissions: [{ index_patterns: ['hr-*'], dls: '${one}', ${more} }] } }\nrole_mappings: { r: { users: [ana] } }`;
    const limits = findLimits(modelFrom(text), subjectFrom("ana @1.1.1.1"), { name: "hr-1" });
    expect(findBlindFields(limits)).toEqual(expected);
  });

  it("by a query that is nested deeply", () => {
    const deep = `${'{"bool":{"filter":'.repeat(20_000)}${one}${"}}".repeat(20_000)}`;
    const fields = { not: ["a"], masks: [] };
    const documents = [{ key: deep, shown: deep }];
    expect(findBlindFields({ documents, fields, restricted: "yes", unsure: [] })).toEqual(["a"]);
  });
});
