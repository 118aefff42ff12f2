// What is said of an order that is not clean.
import { expect, test } from "vitest";
import { createAddress } from "../../../../src/model/names.ts";
import { order } from "../../../../src/plan/guards/order.ts";
import type { FaultAfter } from "../../../../src/plan/order/order.ts";
import type { Fixture, Mapping } from "../../../support/evaluated.ts";
import { inOrder } from "../../../support/ordered.ts";
import { evaluated } from "../evaluated.ts";

const reads = (dls: string) => ({
  index_permissions: [{ index_patterns: ["a"], dls, allowed_actions: ["indices:data/read/search"] }],
});
const [before, after] = [1, 2].map((k) => reads(`{"term":{"k":${k}}}`));

type Holder = (role: string) => Mapping;
const left: Holder = (role) => ({ users: [`ana-${role}`] });
const come: Holder = (role) => ({ backend_roles: [`hr-${role}`] });

/** A user who is both keeps the role, and misses it in one intermediate state: else others would see by the one query or the other. */
function exchanged(...names: readonly string[]) {
  const fixture = (role: typeof before, holder: Holder): Fixture => ({
    product: "opensearch",
    groups: {},
    roles: Object.fromEntries(names.map((name) => [name, role ?? {}])),
    mappings: Object.fromEntries(names.map((name) => [name, holder(name)])),
  });
  return inOrder(fixture(before, left), fixture(after, come)).faults;
}

test("the worst fault of an intermediate state is reported, and that others are concerned", () => {
  const [one] = exchanged("r");
  const words = "principals with backend role hr-r and user ana-r would temporarily lose";
  expect(one).toMatchObject({ kind: "outage", words: expect.stringContaining(words) });
  expect(one?.isOneOfSeveral).toBe(false);
  expect(exchanged("r", "s")[0]?.isOneOfSeveral).toBe(true);
});

test("a fault that no order avoids harms no one else", () => {
  const fixture = (role: typeof before, holder: Holder, user: string, index: string): Fixture => ({
    product: "opensearch",
    groups: {},
    roles: { r: role ?? {}, s: { index_permissions: [{ index_patterns: [index], allowed_actions: ["*"] }] } },
    mappings: { r: holder("r"), s: { users: [user] } },
  });
  const { families, faults } = inOrder(fixture(before, left, "ben", "b1"), fixture(after, come, "zoe", "b2"));
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.filter(({ words }) => /user (?:ben|zoe)\b/.test(words))).toEqual([]);
  expect(families).toEqual(["role_mappings", "roles", "role_mappings"]);
});

const onIndices = (...names: readonly string[]) => ({
  index_permissions: [{ index_patterns: names, allowed_actions: ["indices:data/read/search"] }],
});

test("of each request that comes before another one than usual, what would be wrong otherwise", () => {
  const fixture: Fixture = {
    product: "opensearch",
    groups: {},
    roles: { r: onIndices("a") },
    mappings: { r: { users: ["ana", "ben", "eva"] } },
  };
  const { families, reasons } = inOrder(fixture, {
    ...fixture,
    roles: { r: onIndices("a", "b") },
    mappings: { r: { users: ["ben", "eva"] } },
    blocks: [{ type: "name", value: ["eva"], verdict: "disallow" }],
  });
  expect(families).toEqual(["role_mappings", "blocks", "roles"]);
  expect(reasons).toEqual([
    expect.stringMatching(/^before the roles: otherwise user ana would temporarily gain .* on b,/),
    expect.stringMatching(/^before the roles: otherwise user eva would temporarily gain .* on b,/),
    "",
  ]);
});

test("whose name represents a variable is evaluated by it, though others have the same rules", () => {
  const fixture = (patterns: readonly string[], users: readonly string[]): Fixture => ({
    product: "opensearch",
    groups: {},
    roles: { q: onIndices("home-ana"), r: onIndices(...patterns) },
    mappings: { q: { users: ["ana", "ben"] }, r: { users } },
  });
  const before = fixture(["a"], ["ana", "ben", "eva"]);
  const { families, reasons } = inOrder(before, fixture(["a", "home-${user.name}"], ["eva"]));
  expect(families).toEqual(["role_mappings", "roles"]);
  expect(reasons[0]).toContain("otherwise user ben would temporarily gain indices:data/read/search on home-ben");
});

test("of several requests of a family it is said once", () => {
  const fixture = (isAfter: boolean): Fixture => ({
    product: "search-guard-6",
    groups: {},
    roles: Object.fromEntries(["r", "s"].map((name) => [name, onIndices(...(isAfter ? ["a", name] : ["a"]))])),
    mappings: Object.fromEntries(
      ["r", "s"].map((name) => [name, { users: isAfter ? ["ben"] : ["ben", `ana-${name}`] }]),
    ),
  });
  const { families, reasons } = inOrder(fixture(false), fixture(true), { isSingly: true });
  expect(families).toEqual(["role_mappings", "role_mappings", "roles", "roles"]);
  expect(reasons).toEqual([
    expect.stringMatching(/^before the roles: otherwise user ana-r would temporarily gain/),
    "",
    "",
    "",
  ]);
});

test("a search that takes too much work is ended, and that is the reason of the refusal", () => {
  const member = (holder: Holder, role: Fixture["roles"][string]): Fixture => ({
    product: "opensearch",
    groups: {},
    roles: { r: role },
    mappings: { r: holder("r") },
  });
  const from = member(() => ({ users: ["ana", "ben"] }), onIndices("a"));
  const to = member(() => ({ users: ["ben"] }), onIndices("b"));
  expect(inOrder(from, to)).toMatchObject({
    families: ["role_mappings", "roles"],
    faults: [],
    isEndedEarly: undefined,
  });
  const { families, faults, isEndedEarly } = inOrder(from, to, { isHalfSpent: true });
  expect(families).toEqual(["roles", "role_mappings"]);
  expect(isEndedEarly).toBe(true);
  const [finding] = order.evaluate(evaluated([], { order: { faults, isEndedEarly: true } }));
  expect(finding?.what).toContain("user ana would temporarily gain indices:data/read/search on b");
  expect(finding?.why).toContain("The search for a safe order was stopped");
});

test("of many intermediate states a few are reported one by one, and the rest together", () => {
  const faults = Array.from(
    { length: 8 },
    (_, at): FaultAfter => ({
      after: at + 1,
      kind: "leak",
      words: `user u${at} would hold x`,
      addresses: [createAddress("roles", `r${at % 7}`)],
      isOneOfSeveral: at === 0,
    }),
  );
  const findings = order.evaluate(evaluated([], { order: { faults } }));
  expect(findings.map(({ what }) => what)).toEqual([
    "After request 1 of 0 ( ), user u0 would hold x. Other principals are affected, too.",
    ...[1, 2, 3, 4].map((at) => `After request ${at + 1} of 0 ( ), user u${at} would hold x.`),
    "After 3 more of the requests, principals would temporarily gain or lose access, too.",
  ]);
  expect(findings.at(-1)?.addresses).toEqual(["roles/r5", "roles/r6", "roles/r0"]);
});

test("who holds a role that stays, besides one that changes, is concerned by how roles may span", () => {
  const [shard, write] = ["indices:data/write/bulk[s]", "indices:data/write/index"] as const;
  // The same objects before and after: what has not changed is known by that.
  const stays = {
    role: { index_permissions: [{ index_patterns: ["a"], allowed_actions: [write] }] },
    holders: { backend_roles: ["it"] },
  };
  const holders = { backend_roles: ["hr"] };
  const fixture = (spans: boolean, ...actions: readonly string[]): Fixture => ({
    product: "search-guard-7",
    settings: { multi_rolespan_enabled: spans },
    groups: {},
    roles: {
      r: { index_permissions: [{ index_patterns: ["a"], allowed_actions: actions }] },
      s: stays.role,
    },
    mappings: { r: holders, s: stays.holders },
  });
  const { families, faults } = inOrder(fixture(false, shard), fixture(true, "indices:data/read/search"));
  expect(families).toEqual(["roles", "config"]);
  expect(faults).toEqual([]);
});

test("of several principals whom the same parts of a plan concern, each is named", () => {
  const fixture = (index: string, action: string, users: readonly string[]): Fixture => ({
    product: "opensearch",
    groups: { g: [action] },
    roles: { r: { index_permissions: [{ index_patterns: [index], allowed_actions: ["g"] }] } },
    mappings: { r: { users } },
  });
  const faultsFor = (...users: readonly string[]) =>
    inOrder(fixture("a", "indices:data/read/search", users), fixture("b", "indices:data/read/get", users), {
      isHalfSpent: true,
    }).faults;
  const affectedBy = (...users: readonly string[]) =>
    faultsFor(...users).map(({ listAffected }) => listAffected?.().map(({ who }) => who));
  const principal = (user: string) => ({ kind: "principal", member: { field: "users", entries: [user] } });
  expect(affectedBy("ana")).toEqual([[principal("ana")]]);
  expect(affectedBy("ana", "ben")).toEqual([[principal("ana"), principal("ben")]]);
});

test("where what helps each principal alone leads nowhere, all of them are asked at once", () => {
  const reading = { index_patterns: ["ab"], allowed_actions: ["indices:data/read/*", "indices:data/read/search"] };
  const hiding = {
    index_patterns: ["a*"],
    fls: ["~g"],
    allowed_actions: ["indices:data/read/get", "indices:data/write/index"],
  };
  const two: Fixture = {
    product: "opensearch",
    groups: {},
    roles: { r: { index_permissions: [hiding] }, s: { index_permissions: [reading] } },
    mappings: { r: { backend_roles: ["b1"] }, s: { users: ["u*", "u1"] } },
  };
  const merged: Fixture = {
    ...two,
    roles: { r: { index_permissions: [hiding, reading] } },
    mappings: { r: { users: ["u1"] } },
  };
  const { families, faults } = inOrder(two, merged, { checksRoles: true });
  expect(faults).toEqual([]);
  expect(families).toEqual(["role_mappings", "roles", "role_mappings"]);
});
