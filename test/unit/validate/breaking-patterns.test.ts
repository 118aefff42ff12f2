// Patterns by which a real server was seen to fail, and others that look like them: each product by itself.
import { describe, expect, it } from "vitest";
import { assumedRelease, createDialect } from "../../../src/dialects/index.ts";
import type { Product } from "../../../src/model/plan.ts";
import { findBreakingPattern, type PatternUse } from "../../../src/validate/breaking-patterns.ts";

const range = { file: "roles.yml", start: 0, end: 1 } as never;

function breaks(text: string, use: PatternUse, product: Product, release?: string): boolean {
  const dialect = createDialect(product, release ?? assumedRelease[product]);
  return findBreakingPattern(dialect, use)(text, range).length > 0;
}

const refused = ["/", "/[/", "/(/", "/a{2,1}/", "/(?<n/", "/{/", "/[b-a]/", "/a)/"];
const taken = ["//", "/*/", "/a/b", "/a/", "/[a-b]{1,2}/", "/(a|b)/", "/[]a]/", "a(", "/x", "/\\(/"];
const uses = ["members", "indices", "actions", "cluster", "tenants"] as const;

describe("regular expressions that Java refuses", () => {
  it.each(["7.x-38.0.0", "6"])("harm Search Guard %s, wherever they are", (release) => {
    for (const use of uses) {
      expect([use, ...refused.filter((text) => !breaks(text, use, "search-guard", release))]).toEqual([use]);
      expect([use, ...taken.filter((text) => breaks(text, use, "search-guard", release))]).toEqual([use]);
    }
  });

  it("harm OpenSearch but in what is about indices", () => {
    const harmed = uses.filter((use) => refused.every((text) => breaks(text, use, "opensearch")));
    expect(harmed).toEqual(["members", "cluster", "tenants"]);
    expect(uses.filter((use) => refused.some((text) => breaks(text, use, "opensearch")))).toEqual(harmed);
  });

  it("are left alone where no server was tried", () => {
    expect(refused.filter((text) => breaks(text, "members", "gate"))).toEqual([]);
    expect(refused.filter((text) => breaks(text, "members", "search-guard", "FLX"))).toEqual([]);
  });
});

it("date expressions harm Search Guard alone", () => {
  const bad = ["<>", "<{}>", "<x-{now/q}>", "<x-{nope}>", "<x-{now+1q}>"];
  const good = ["<x-{now/d}>", "<x-1>", "<x-{now/d{YYYY}}>", "<x-{now-1M/M}>", "<x-{now/d}", "<", "<x-*-{now/d}>"];
  expect([...bad, ...good].filter((text) => breaks(text, "indices", "search-guard", "7.x-38.0.0"))).toEqual(bad);
  expect([...bad, ...good].filter((text) => breaks(text, "indices", "opensearch"))).toEqual([]);
});
