// What people call sets of actions: no name of a few may stand for a pattern that grants more.
import { expect, test } from "vitest";
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
