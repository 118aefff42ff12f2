// What people call sets of actions: no name of a few may stand for a pattern that grants more.
import { expect, test } from "vitest";
import { matchesPattern } from "../../../src/access/patterns/matches.ts";
import { knownActions } from "../../../src/dialects/requests.ts";
import { formatClusterActions, formatIndexActions } from "../../../src/render/views/access-actions.ts";

const term = (pattern: string, ...noneOf: readonly string[]) => ({ allOf: [pattern], noneOf });

test.each([
  [[term("cluster:monitor/*", "cluster:monitor/main")], ["cluster:monitor/health", "cluster:monitor/nodes/info"]],
  [[term("cluster:monitor/nodes/*")], ["cluster:monitor/nodes/info"]],
])("cluster actions by a pattern are named by it: %j", (terms, examples) => {
  const [{ allOf, noneOf } = term("")] = terms;
  const except = noneOf.length === 0 ? "" : ` except ${noneOf.join()}`;
  expect(formatClusterActions({ terms, examples })).toBe(`use ${allOf.join()}${except}`);
});

test("what has a name goes first, and single actions are named", () => {
  const examples = ["cluster:monitor/health", "indices:data/write/bulk"];
  expect(formatClusterActions({ terms: examples.map((one) => term(one)), examples })).toBe(
    "send writes and use cluster:monitor/health",
  );
});

test("index actions by a pattern, too", () => {
  const terms = [term("indices:data/write/update*")];
  const examples = ["indices:data/write/update", "indices:data/write/update/byquery"];
  expect(formatIndexActions({ terms, examples })).toBe("use indices:data/write/update* on");
});

test.each([
  [
    [term("cluster:admin/repository/*"), term("cluster:admin/snapshot/*")],
    "use cluster:admin/repository/*, cluster:admin/snapshot/*",
  ],
  [[term("cluster:monitor/main"), term("cluster:admin/ingest/*")], "use cluster:monitor/main, cluster:admin/ingest/*"],
  [[term("cluster:admin/reroute-by-plugin")], "use cluster:admin/reroute-by-plugin"],
  // Within an area that is named as a whole, more is not said.
  [[term("cluster:monitor/*"), term("cluster:monitor/plugin/*")], "monitor the cluster"],
])("cluster actions that are not known here are named beside those that are: %j", (terms, expected) => {
  const examples = knownActions.filter((action) =>
    terms.some(({ allOf }) => matchesPattern(allOf[0] ?? "", action) === "yes"),
  );
  expect(formatClusterActions({ terms, examples })).toBe(expected);
});

test.each([
  [["indices:data/read*", "indices:admin/resolve/index"], "read"],
  [["indices:data/read*", "indices:admin/seq_no/*"], "read and use indices:admin/seq_no/* on"],
  [["indices:data/read/search*", "indices:data/read/suggest*"], "search"],
  [["indices:admin/seq_no/*"], "use indices:admin/seq_no/* on"],
  // The products' group GET.
  [["indices:data/read/get*", "indices:data/read/mget*"], "get documents of"],
])("index actions that are not known here, too: %j", (patterns, expected) => {
  const examples = knownActions.filter((action) => patterns.some((one) => matchesPattern(one, action) === "yes"));
  expect(formatIndexActions({ terms: patterns.map((one) => term(one)), examples })).toBe(expected);
});
