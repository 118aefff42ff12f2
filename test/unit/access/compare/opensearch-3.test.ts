// What the access diff says where OpenSearch 3 evaluates otherwise than 2.19.
import { expect, test } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import type { Element, Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";

function kindsOf(release: string, before: readonly Element[], after: readonly Element[]): readonly string[] {
  const [was, is] = [before, after].map((elements) => {
    const fixture: Fixture = {
      product: "opensearch",
      release,
      groups: {},
      roles: {
        r: { index_permissions: elements.map((one) => ({ allowed_actions: ["indices:data/read/search"], ...one })) },
      },
      mappings: { r: { users: ["ann"] } },
    };
    return modelOfFixture(fixture);
  });
  if (!was || !is) throw new Error("no states");
  const { statements } = compareAccess(was, is, []);
  return [...new Set(statements.flatMap(({ differences }) => differences.map(({ kind }) => kind)))].sort();
}

const red = '{"term":{"team":"red"}}';
const blue = '{"term":{"team":"blue"}}';
const on = (pattern: string, more: Element): Element => ({ index_patterns: [pattern], ...more });

test.each([
  ["team:red", "lost"],
  // A plugin of one's own may bring it.
  ['{"trem":{"team":"red"}}', "may-change"],
  [`{"query":${red}}`, "lost"],
])("where the query becomes %s, which is none, it is a gain from 3.6 on, and before that %s", (dls, kind) => {
  const [before, after] = [[on("logs-*", { dls: red })], [on("logs-*", { dls })]];
  expect(kindsOf("3.8", before, after)).toEqual(["widened"]);
  expect(kindsOf("3.8", after, before)).toEqual(["narrowed"]);
  expect(kindsOf("2.19", before, after)).toEqual([kind]);
});

test("of two restrictions of one role for one index one counts, and which is unknown", () => {
  const [before, after] = [[on("logs-a", { dls: red })], [on("logs-a", { dls: red }), on("logs-*", { dls: blue })]];
  expect(kindsOf("3.8", before, after)).toContain("may-change");
  expect(kindsOf("2.19", before, after)).not.toContain("may-change");
});

test("FLS shows more where a name becomes a pattern for it", () => {
  const [before, after] = [[on("logs-a", { fls: ["geo"] })], [on("logs-a", { fls: ["geo", "geo.*"] })]];
  expect(kindsOf("3.8", before, after)).toEqual(["widened"]);
  expect(kindsOf("2.19", before, after)).toEqual([]);
});
