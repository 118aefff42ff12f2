// What a Search Guard 7.5.1-38 was seen to choke on, and what it bears.
import { describe, expect, it, test } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { findUnloadable } from "../../../src/diff/unloadable.ts";
import type { JsonObject } from "../../../src/json/value.ts";

const dialect = createDialect("search-guard", "7");

function unloadable(role: JsonObject, groups: Readonly<Record<string, readonly string[]>> = {}) {
  const lists = Object.entries(groups).map(([name, allowed_actions]) => [name, { allowed_actions }]);
  const family = (name: "roles" | "action_groups", body: unknown) =>
    [name, decodeFamily(dialect, name, body) ?? new Map()] as const;
  const resources = new Map([family("roles", { r: role }), family("action_groups", Object.fromEntries(lists))]);
  return findUnloadable({ resources, paths: new Map() });
}

const index = (more: JsonObject) => ({
  index_permissions: [{ index_patterns: ["a"], allowed_actions: ["READ"], ...more }],
});

describe("null", () => {
  test.for<[string, JsonObject]>([
    ["as an index permission", { index_permissions: [null] }],
    ["as a tenant permission", { tenant_permissions: [null] }],
    ["among its index patterns", index({ index_patterns: ["a", null] })],
  ])("%s is unloadable", ([place, role]) => {
    expect(unloadable(role)).toEqual([
      { address: "roles/r", why: `the role "r" has null ${place}`, repairs: ["roles/r"] },
    ]);
  });

  test.for<[string, JsonObject]>([
    ["among cluster permissions", { cluster_permissions: [null] }],
    ["among actions", index({ allowed_actions: [null] })],
    ["among fields", index({ fls: [null] })],
    ["among tenant patterns", { tenant_permissions: [{ tenant_patterns: [null], allowed_actions: [null] }] }],
  ])("%s is borne", ([, role]) => expect(unloadable(role)).toEqual([]));
});

describe("a cycle of action groups", () => {
  const cycle = { a: ["b"], b: ["READ", "a"], c: ["a"], READ: ["indices:data/read*"] };

  test.for<[string, JsonObject, string]>([
    ["cluster permissions", { cluster_permissions: ["a"] }, "a > b > a"],
    ["index permissions", index({ allowed_actions: ["READ", "b"] }), "b > a > b"],
    ["a group that leads to it", { cluster_permissions: ["c"] }, "c > a > b > a"],
  ])("is unloadable where a role uses it in %s", ([, role, member]) => {
    const [found] = unloadable(role, cycle);
    expect(found?.why).toContain(`contain each other: ${member}`);
    expect(found?.repairs).toEqual(expect.arrayContaining(["roles/r", "action_groups/a", "action_groups/b"]));
  });

  it("is borne where only a tenant permission uses it", () =>
    expect(unloadable({ tenant_permissions: [{ tenant_patterns: ["t"], allowed_actions: ["a"] }] }, cycle)).toEqual(
      [],
    ));
  it("is borne where no role uses it", () => expect(unloadable({ cluster_permissions: ["READ"] }, cycle)).toEqual([]));
  it("is one group within itself, too", () =>
    expect(unloadable({ cluster_permissions: ["a"] }, { a: ["a"] })).toHaveLength(1));
});

it("is found in many groups without end", () => {
  // Each contains both of the next two: as many ways as there are numbers, and each group is looked at once.
  const groups = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`g${at}`, [`g${at + 1}`, `g${at + 2}`]]));
  expect(unloadable({ cluster_permissions: ["g0"] }, groups)).toEqual([]);
});

describe("a chain of 12 000 groups, longer than the machine's stack", () => {
  const chain = (last: readonly string[]) =>
    Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`g${at}`, at === 11_999 ? last : [`g${at + 1}`]]));

  it("is no cycle", () => expect(unloadable({ cluster_permissions: ["g0"] }, chain(["READ"]))).toEqual([]));
  it("is one where it ends in itself, and is named by its two ends", () => {
    const [found] = unloadable({ cluster_permissions: ["g0"] }, chain(["g0"]));
    expect(found?.why).toMatch(/: g0 > g1 > .* > \.\.\. 11981 more \.\.\. > g11999 > g0$/);
  });
});
