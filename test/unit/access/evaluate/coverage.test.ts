// What index patterns cover; date math as OpenSearch 2.19.1 and Search Guard 7.5.1-38 were seen to resolve it on 2026-11-22.
import { expect, test } from "vitest";
import { coversIndex, type IndexName } from "../../../../src/access/evaluate/coverage.ts";
import type { Verdict } from "../../../../src/access/verdict.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";

const openSearch = getSemantics(createDialect("opensearch", "2.19"));
const searchGuard = getSemantics(createDialect("search-guard", "7.x-38"));

function covers(pattern: string, index: IndexName | string): readonly [openSearch: Verdict, searchGuard: Verdict] {
  const name = typeof index === "string" ? { name: index } : index;
  const verdict = (semantics: typeof openSearch) => coversIndex(pattern, name, semantics, { backendRoles: [] });
  return [verdict(openSearch), verdict(searchGuard)];
}

test.for<[pattern: string, index: IndexName | string, openSearch: Verdict, searchGuard: Verdict]>([
  ["<metrics-1>", "metrics-1", "yes", "yes"],
  ["<metrics-1>", "metrics-10", "no", "no"],
  ["<metrics-1>", "<metrics-1>", "no", "no"],
  ["<METRICS-1>", "metrics-1", "no", "no"],
  ["<two-a,two-b>", "two-a", "no", "no"],
  ["<metrics-1", "metrics-1", "no", "no"],
  ["<metrics-1>x", "metrics-1", "no", "no"],
  // Search Guard looks for the indices that there are.
  ["<ghost-1>", { name: "ghost-1", mayBeMissing: true }, "yes", "unknown"],
  ["<ghost-1>", { name: "other", mayBeMissing: true }, "no", "no"],
  ["<metrics-1*>", "metrics-10", "yes", "yes"],
  // OpenSearch grants by it, but the restrictions of such an element do not apply.
  ["<metrics-?>", "metrics-1", "unknown", "no"],
  ["<metrics-?>", "hr-1", "no", "no"],
  ["<*>", "*", "yes", "no"],
  ["<logs-{now/d}>", "logs-2026.11.22", "unknown", "unknown"],
  ["<logs-{now/d}>", "logs-x", "no", "no"],
  ["<logs-{now/d}>", "hr-2026.11.22", "no", "no"],
  ["<logs-{now/d}-x>", "logs-2026.11.22", "no", "no"],
  ["<mon-{now/M{yyyy.MM}}>", "mon-2026.11", "unknown", "unknown"],
  ["<mon-{now/M{yyyy.MM|+12:00}}>", "hr-2026.11", "no", "no"],
  ["<logs-*{now/d}>", "logs-2026.11.22", "unknown", "unknown"],
  ["<logs-*{now/d}>", "hr-1", "no", "no"],
  ["<{now/d}>", "metrics-1", "no", "no"],
  ["<metrics-\\{1\\}>", "metrics-{1}", "yes", "yes"],
  // OpenSearch leaves these out, Search Guard answers 500 to all that their holders ask for.
  ["<>", "metrics-1", "no", "unknown"],
  ["<logs-{now/d>", "logs-1", "no", "unknown"],
  ["<logs-${user.name}>", "logs-ana", "unknown", "unknown"],
])("%s on %j: %s on OpenSearch, %s on Search Guard", ([pattern, index, ...verdicts]) =>
  expect(covers(pattern, index)).toEqual(verdicts),
);
