// The second opinion on the order of writes is itself held to what can be said with a pencil.
import { expect, test } from "vitest";
import type { Fixture } from "../support/evaluated.ts";
import { breachesBetween } from "./order/batches.ts";
import { type Asked, type Fewest, fewestRequests } from "./order/fewest.ts";
import { fixtureWith, fragmentsBetween } from "./order/fragments.ts";

const search = "indices:data/read/search";
const write = "indices:data/write/index";
const on = (...actions: string[]) => ({
  r: { index_permissions: [{ index_patterns: ["a*"], allowed_actions: actions }] },
});
const users = (...names: string[]) => ({ r: { users: names } });

function fixture(roles: Fixture["roles"], mappings: Fixture["mappings"], more: Partial<Fixture> = {}): Fixture {
  return { product: "opensearch", roles, mappings, groups: {}, tenants: [], blocks: [], ...more };
}

function check(before: Fixture, after: Fixture, fewest: Fewest, more: Partial<Asked> = {}) {
  expect(fewestRequests({ before, after, checksRoles: false, ...more })).toBe(fewest);
}

test.each<[string, Fixture, Fixture, Fewest]>([
  ["nothing", fixture(on(search), users("u1")), fixture(on(search), users("u1")), 0],
  ["a role that grows", fixture(on(search), users("u1")), fixture(on(search, write), users("u1")), 1],
  [
    "a role and who has it, both growing",
    fixture(on(search), users("u1")),
    fixture(on(search, write), users("u1", "u2")),
    2,
  ],
  [
    "one loses a role while it grows",
    fixture(on(search), users("u1", "u2")),
    fixture(on(search, write), users("u1")),
    2,
  ],
  ["one for another, and another permission", fixture(on(search), users("u1")), fixture(on(write), users("u2")), 3],
  [
    "the same, and a third who keeps the role",
    fixture(on(search), users("u1", "u3")),
    fixture(on(write), users("u2", "u3")),
    3,
  ],
  [
    "the same, and what the role keeps",
    fixture(on(search, "indices:data/read/get"), users("u1", "u3")),
    fixture(on(write, "indices:data/read/get"), users("u2", "u3")),
    3,
  ],
  [
    "two who change places with their roles, so that for them nothing changes",
    fixture({ ...on(search), s: on(write).r }, { ...users("u1"), s: users("u2").r }),
    fixture({ ...on(write), s: on(search).r }, { ...users("u2"), s: users("u1").r }),
    "none",
  ],
])("the fewest requests: %s", (_, before, after, fewest) => check(before, after, fewest));

test("a mapping before its role", () => {
  const [before, after] = [fixture({}, {}), fixture(on(search), users("u1"))];
  check(before, after, 2, { checksRoles: true });
  check(before, after, "none", { checksRoles: true, most: 1 });
});

test("too many edits are not tried", () => {
  check(fixture({}, {}), fixture({}, users(...Array.from("abcdefghijk"))), "too many edits");
});

test("a block is never about nothing", () => {
  const block = (...value: string[]) => [{ type: "name", value, verdict: "disallow" } as const];
  check(fixture({}, {}, { blocks: block("u1") }), fixture({}, {}, { blocks: block("u2") }), 1);
});

test("the edits of a list inside a permission, one by one, and all together the fixture after", () => {
  const [before, after] = [fixture(on(search), users("u1")), fixture(on(write, "g"), users("u2"))];
  const fragments = fragmentsBetween(before, after);
  expect(fragments.map(({ family }) => family)).toEqual(["roles", "roles", "roles", "role_mappings", "role_mappings"]);
  expect(fixtureWith(new Set(fragments), fragments, before, after)).toEqual(after);
  const [goes, , comes] = fragments.map(
    (fragment) => fixtureWith(new Set([fragment]), fragments, before, after).roles.r,
  );
  expect(goes).toEqual({ index_permissions: [{ index_patterns: ["a*"] }] });
  expect(comes).toEqual(on(search, "g").r);
});

test("leaks and outages, for each alone and for who is both", () => {
  const grants = { index_permissions: [{ index_patterns: ["ab"], allowed_actions: [search] }] };
  const mappings = { r: { users: ["u1"] }, s: { backend_roles: ["b1"] } };
  const [before, after] = [fixture({ r: grants, s: {} }, mappings), fixture({ r: {}, s: grants }, mappings)];
  const breachesOf = breachesBetween(before, after);
  const between = (roles: Fixture["roles"]) =>
    new Set(breachesOf(fixture(roles, mappings)).map((line) => line.replace(/ ab.*/, "")));
  // A user who is both has it all along.
  expect(between({ r: {}, s: {} })).toEqual(
    new Set([`[{"field":"users","entries":["u1"]},{"field":"backend_roles","entries":["b1"]}] outage ${search}`]),
  );
  expect(between({ r: grants, s: grants })).toEqual(new Set());
  const other = { index_permissions: [{ index_patterns: ["ab"], allowed_actions: [write] }] };
  expect(between({ r: grants, s: other })).toContain(`[{"field":"backend_roles","entries":["b1"]}] leak ${write}`);
});
