// What goes is lost, also where a grant by a name that is not known may stay, and may show more.
import { expect, test } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import type { Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";

const read = { allowed_actions: ["indices:data/read/search"] };

function fixtureOf(restriction: { readonly dls?: string }, members: readonly string[]): Fixture {
  return {
    product: "opensearch",
    groups: {},
    roles: {
      own: { index_permissions: [{ index_patterns: ["$" + "{user_name}"], ...read }] },
      team: { index_permissions: [{ index_patterns: ["dl-*"], ...read, ...restriction }] },
    },
    mappings: { own: { users: ["*"] }, team: { backend_roles: members } },
  };
}

test.for<[title: string, restriction: { readonly dls?: string }, kinds: readonly string[]]>([
  ["without a restriction", {}, ["lost"]],
  ["with a restriction", { dls: '{"term":{"k":1}}' }, ["lost", "may-change"]],
])("a role that goes beside a grant of everybody's own index, %s", ([, restriction, kinds]) => {
  const before = modelOfFixture(fixtureOf(restriction, ["team"]));
  const after = modelOfFixture(fixtureOf(restriction, []));
  const { statements } = compareAccess(before, after);
  expect(statements.flatMap(({ differences }) => differences.map(({ kind }) => kind))).toEqual(kinds);
});
