// The second opinion on the order of writes is itself held to what can be said with a pencil.
import { expect, test } from "vitest";
import type { World } from "../support/judged.ts";
import { atomsBetween, worldWith } from "./order/atoms.ts";
import { type Asked, type Fewest, fewestRequests } from "./order/fewest.ts";
import { breachesBetween } from "./order/pieces.ts";

const search = "indices:data/read/search";
const write = "indices:data/write/index";
const on = (...actions: string[]) => ({
  r: { index_permissions: [{ index_patterns: ["a*"], allowed_actions: actions }] },
});
const users = (...names: string[]) => ({ r: { users: names } });

function world(roles: World["roles"], mappings: World["mappings"], more: Partial<World> = {}): World {
  return { product: "opensearch", roles, mappings, groups: {}, tenants: [], blocks: [], ...more };
}

function check(before: World, after: World, fewest: Fewest, more: Partial<Asked> = {}) {
  expect(fewestRequests({ before, after, checksRoles: false, ...more })).toBe(fewest);
}

test.each<[string, World, World, Fewest]>([
  ["nothing", world(on(search), users("u1")), world(on(search), users("u1")), 0],
  ["a role that grows", world(on(search), users("u1")), world(on(search, write), users("u1")), 1],
  [
    "a role and who has it, both growing",
    world(on(search), users("u1")),
    world(on(search, write), users("u1", "u2")),
    2,
  ],
  ["one loses a role while it grows", world(on(search), users("u1", "u2")), world(on(search, write), users("u1")), 2],
  ["one for another, and another permission", world(on(search), users("u1")), world(on(write), users("u2")), 3],
  [
    "the same, and a third who keeps the role",
    world(on(search), users("u1", "u3")),
    world(on(write), users("u2", "u3")),
    3,
  ],
  [
    "the same, and what the role keeps",
    world(on(search, "indices:data/read/get"), users("u1", "u3")),
    world(on(write, "indices:data/read/get"), users("u2", "u3")),
    3,
  ],
  [
    "two who change places with their roles, so that for them nothing changes",
    world({ ...on(search), s: on(write).r }, { ...users("u1"), s: users("u2").r }),
    world({ ...on(write), s: on(search).r }, { ...users("u2"), s: users("u1").r }),
    "none",
  ],
])("the fewest requests: %s", (_, before, after, fewest) => check(before, after, fewest));

test("a mapping before its role", () => {
  const [before, after] = [world({}, {}), world(on(search), users("u1"))];
  check(before, after, 2, { checksRoles: true });
  check(before, after, "none", { checksRoles: true, most: 1 });
});

test("too many edits are not tried", () => {
  check(world({}, {}), world({}, users(...Array.from("abcdefghijk"))), "too many edits");
});

test("a block is never about nothing", () => {
  const block = (...value: string[]) => [{ type: "name", value, verdict: "disallow" } as const];
  check(world({}, {}, { blocks: block("u1") }), world({}, {}, { blocks: block("u2") }), 1);
});

test("the edits of a list inside a permission, one by one, and all together the world after", () => {
  const [before, after] = [world(on(search), users("u1")), world(on(write, "g"), users("u2"))];
  const atoms = atomsBetween(before, after);
  expect(atoms.map(({ family }) => family)).toEqual(["roles", "roles", "roles", "role_mappings", "role_mappings"]);
  expect(worldWith(new Set(atoms), atoms, before, after)).toEqual(after);
  const [goes, , comes] = atoms.map((atom) => worldWith(new Set([atom]), atoms, before, after).roles.r);
  expect(goes).toEqual({ index_permissions: [{ index_patterns: ["a*"] }] });
  expect(comes).toEqual(on(search, "g").r);
});

test("leaks and outages, for each alone and for who is both", () => {
  const grants = { index_permissions: [{ index_patterns: ["ab"], allowed_actions: [search] }] };
  const mappings = { r: { users: ["u1"] }, s: { backend_roles: ["b1"] } };
  const [before, after] = [world({ r: grants, s: {} }, mappings), world({ r: {}, s: grants }, mappings)];
  const breachesOf = breachesBetween(before, after);
  const between = (roles: World["roles"]) =>
    new Set(breachesOf(world(roles, mappings)).map((line) => line.replace(/ ab.*/, "")));
  // Whoever is both has it all along.
  expect(between({ r: {}, s: {} })).toEqual(
    new Set([`[{"field":"users","entries":["u1"]},{"field":"backend_roles","entries":["b1"]}] outage ${search}`]),
  );
  expect(between({ r: grants, s: grants })).toEqual(new Set());
  const other = { index_permissions: [{ index_patterns: ["ab"], allowed_actions: [write] }] };
  expect(between({ r: grants, s: other })).toContain(`[{"field":"backend_roles","entries":["b1"]}] leak ${write}`);
});
