// Among many people it is the one whom a plan harms that counts.
import { expect, test } from "vitest";
import type { Fixture } from "../../../support/evaluated.ts";
import { inOrder } from "../../../support/ordered.ts";

const read = "indices:data/read/*";
const dls = '{"term":{"k":1}}';

function fixture(roles: Fixture["roles"], mappings: Fixture["mappings"]): Fixture {
  return { product: "opensearch", roles, mappings, groups: {}, tenants: [], blocks: [] };
}

function check(before: Fixture, after: Fixture, families: readonly string[]) {
  const found = inOrder(before, after);
  expect({ families: found.families, faults: found.faults, undecided: found.undecided }).toEqual({
    families,
    faults: [],
    undecided: undefined,
  });
}

const on = (pattern: string, more = {}) => ({
  index_permissions: [{ index_patterns: [pattern], allowed_actions: [read], ...more }],
});

test.each([10, 3_000])("one of %i users of a role leaves it while it changes", (count) => {
  const users = Array.from({ length: count }, (_, at) => `user${at}`);
  check(
    fixture({ r: on("salaries-2025") }, { r: { users: [...users, "zed"] } }),
    fixture({ r: on("salaries-2026") }, { r: { users: [...users, "zoe"] } }),
    ["role_mappings", "roles", "role_mappings"],
  );
});

test.each([3, 300])("a user with two of the roles, beside %i who have another one", (count) => {
  const backend_roles = Array.from({ length: count }, (_, at) => `b${at}`);
  const spare = (action: string) => ({ index_permissions: [{ index_patterns: ["x"], allowed_actions: [action] }] });
  check(
    fixture(
      { full: on("a"), narrow: on("a", { dls }), spare: spare(read) },
      { full: { backend_roles: ["zaa"] }, narrow: { backend_roles: ["zbb"] }, spare: { backend_roles } },
    ),
    fixture(
      { full: on("a"), narrow: on("b", { dls }), spare: spare("indices:data/write/*") },
      { full: { backend_roles: ["zcc"] }, narrow: { backend_roles: ["zbb"] }, spare: { backend_roles } },
    ),
    ["role_mappings", "roles"],
  );
});

test("more principals at once than are evaluated: that is reported", () => {
  const patterns = Array.from({ length: 2_000 }, (_, at) => `p${at}-*`);
  const [before, after] = [on("salaries-2025"), on("salaries-2026")].map((r, at) =>
    fixture({ r }, { r: { users: [...patterns, at === 0 ? "zed" : "zoe"] } }),
  ) as [Fixture, Fixture];
  expect(inOrder(before, after).undecided).toEqual([
    expect.stringMatching(/^\d+ principals concerned are too many to evaluate$/),
  ]);
});

/** So many roles, each with its own index and backend role. */
function many(
  count: number,
  of: (at: number) => readonly [string, Fixture["roles"][string], readonly string[]],
): Fixture {
  const all = Array.from({ length: count }, (_, at) => of(at));
  return fixture(
    Object.fromEntries(all.map(([name, role]) => [name, role])),
    Object.fromEntries(all.map(([name, , backend_roles]) => [name, { backend_roles }])),
  );
}

test("a hundred renamed roles are evaluated for all pairs of principals that a state may harm", () => {
  const [before, after] = ["old", "new"].map((name) => many(100, (at) => [`${name}${at}`, on(`a${at}`), [`b${at}`]]));
  check(before as Fixture, after as Fixture, ["role_mappings", "roles", "role_mappings"]);
});

test("more pairs of principals at once than are evaluated: that is reported", () => {
  const [before, after] = ["old", "new"].map((name) =>
    many(45, (at) => [`${name}${at}`, on("a", { dls }), [`b${at}`]]),
  );
  const { undecided, isUnsureOfPairs } = inOrder(before as Fixture, after as Fixture);
  expect({ undecided, isUnsureOfPairs }).toEqual({ undecided: undefined, isUnsureOfPairs: true });
});

test("thirty members of a role that give way to thirty others are two sorts of principals", () => {
  const members = (start: string) => Array.from({ length: 30 }, (_, at) => `${start}${at}`);
  check(
    fixture({ r: on("a") }, { r: { users: members("old") } }),
    fixture({ r: on("a*") }, { r: { users: members("new") } }),
    ["role_mappings", "roles"],
  );
});
