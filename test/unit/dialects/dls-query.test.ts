// What real servers answered to a search by a role with each query: the documents that were found, or the status. Recorded on
// OpenSearch 2.19.4, 2.19.1 and 3.4.0, Search Guard 7.5.1-38 and 6.5.4-24, none of which had modules or plugins besides.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findQueryFaults, showsAllByInvalidQuery } from "../../../src/dialects/dls-query.ts";

interface Row {
  readonly query: string;
  readonly "2.19.4"?: Answer;
  readonly "2.19.1"?: Answer;
  readonly "3.4.0"?: Answer;
  readonly "7.5.1-38": Answer;
  readonly "6.5.4-24": Answer;
  readonly opensearch: string;
  readonly "search-guard": string;
}
type Answer = number | readonly number[];

const rows = readFileSync(new URL("dls-queries.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);
const products = { opensearch: ["2.19.4", "2.19.1", "3.4.0"], "search-guard": ["7.5.1-38", "6.5.4-24"] } as const;

test.each(rows.map((row) => [row.query, row] as const))("finds what is wrong with %j", (query, row) => {
  for (const product of ["opensearch", "search-guard"] as const) {
    const kinds = findQueryFaults(query, { product }).map(({ kind }) => kind);
    expect(kinds.join(), product).toBe(row[product]);
    if (kinds.every((kind) => kind === "unread")) continue;
    // 3.4.0 finds nothing by a query that is none, and everything by one of spaces alone.
    for (const version of products[product])
      if (row[version] !== undefined && version !== "3.4.0") expect(row[version], version).toBe(500);
  }
});

test("takes every query that a server runs", () => {
  const run = rows.filter((row) =>
    [row["2.19.4"], row["2.19.1"]].some((found) => Array.isArray(found) && found.length > 0),
  );
  expect(run.length).toBeGreaterThan(50);
  expect(run.filter(({ opensearch }) => opensearch !== "" && opensearch !== "unread")).toEqual([]);
});

test.each([
  "${attr.internal.query}",
  "${user.attrs.query}",
  '{"term": {"a": ${attr.internal.value}}}',
  '{"terms": {"a": ${user.roles}}}',
  '{"terms": {"a": "${user.roles}"}}',
  '{"term": {"a": "x", ${attr.internal.more}}}',
  "{${attr.internal.clause}}",
  '{"${attr.internal.name}": {"a": "x", "b": "y"}}',
  '{"term": {"${attr.internal.field}": "x"}}',
  '{"bool": {"must": [${attr.internal.clauses}]}}',
  '{"bool": {"must": ["${attr.internal.clause}"]}}',
  '{"term": {"a": "${attr.internal.${attr.internal.which}}"}}',
  '{"term": {"a": "${attr.internal.x:-none}"}}',
  '{"term": "${attr.internal.term}"}',
])("says nothing of what a variable decides: %s", (query) => {
  expect(findQueryFaults(query, { product: "opensearch" })).toEqual([]);
});

test("says what a variable cannot mend", () => {
  const faults = findQueryFaults('{"term": {"a": ${user.name}}, "match": {"b": "${user.name}"}}', { product: "gate" });
  expect(faults.map(({ what }) => what)).toEqual([
    'The document-level query has "term" and "match" side by side, and takes one name.',
  ]);
  expect(findQueryFaults('{"term": {"a": ${user.name}}', { product: "gate" })).toHaveLength(1);
  expect(findQueryFaults("${user.name}", { product: "gate" })).toHaveLength(1);
});

test("reads a query that is nested deeply", () => {
  const deep = `${'{"bool":{"must":['.repeat(20_000)}{"trem":{}}${"]}}".repeat(20_000)}`;
  expect(findQueryFaults(deep, { product: "opensearch" }).map(({ kind }) => kind)).toEqual(["unknown-name"]);
});

test.each([
  ["opensearch", "2.19", false],
  ["opensearch", "3.5", false],
  ["opensearch", "3.6", true],
  ["opensearch", "3", true],
  ["search-guard", "FLX", false],
  ["gate", "7.x-43.0.0", false],
] as const)("knows which release shows all by such a query: %s %s", (product, release, shows) => {
  expect(showsAllByInvalidQuery({ product, release })).toBe(shows);
});
