// Patterns of users may overlap without one being a part of the other: a user of both has the roles of both.
import { expect, test } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import type { Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";

function fixtureOf(all: readonly string[], restricted: readonly string[]): Fixture {
  const element = { index_patterns: ["a"], allowed_actions: ["indices:data/read/search"] };
  return {
    product: "search-guard-7",
    groups: {},
    roles: {
      all: { index_permissions: [element] },
      some: { index_permissions: [{ ...element, dls: '{"term":{"k":1}}' }] },
    },
    mappings: { all: { users: all }, some: { users: restricted } },
  };
}

test.for<[all: string, restricted: string]>([
  ["u*", "*1"],
  ["u*", "/.*[12]/"],
  ["/[uv].*/", "?1*"],
])("a restriction of %s and %s that goes shows more to who is both", ([all, restricted]) => {
  const [before, after] = [fixtureOf([all], [restricted]), fixtureOf([all], [])].map((one) => modelOfFixture(one));
  if (!before || !after) throw new Error("two of them");
  const { statements } = compareAccess(before, after);
  const kinds = statements.flatMap(({ who, differences }) =>
    who.flatMap((one) => (one.kind === "pair" ? differences.map(({ kind }) => kind) : [])),
  );
  expect(kinds).toEqual(["widened"]);
});

test("on OpenSearch a restriction of `_all`, which grants nothing, takes from who has another role, too", () => {
  const fixtureWith = (users: readonly string[]): Fixture => ({
    product: "opensearch",
    groups: {},
    roles: {
      read: { index_permissions: [{ index_patterns: ["a"], allowed_actions: ["indices:data/read/search"] }] },
      some: { index_permissions: [{ index_patterns: ["_all"], allowed_actions: [], dls: '{"term":{"k":1}}' }] },
    },
    mappings: { read: { backend_roles: ["b"] }, some: { users } },
  });
  const { statements } = compareAccess(modelOfFixture(fixtureWith([])), modelOfFixture(fixtureWith(["u"])));
  const pairs = statements.flatMap(({ who, differences }) =>
    who.some(({ kind }) => kind === "pair") ? differences.map(({ kind }) => kind) : [],
  );
  expect(pairs).toEqual(["narrowed"]);
});
