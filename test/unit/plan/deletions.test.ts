import { describe, expect, it } from "vitest";
import type { Fields } from "../../../src/json/value.ts";
import type { Action, Change } from "../../../src/model/change.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Policies } from "../../../src/model/policy.ts";
import { deletions } from "../../../src/plan/guards/deletions.ts";
import { evaluated } from "./evaluated.ts";

const origin = { file: { path: "roles.yml", text: "" }, start: 0, end: 0 };

/** So many deleted, so many in sync, and reserved ones that do not count. */
function check(deleted: number, inSync: number, refused: boolean, policies: Policies = {}, declaredEmpty = false) {
  const changes: Change[] = [
    ...roles(deleted, "delete", "not-declared"),
    ...roles(inSync, "leave", "in-sync").map((change) => (declaredEmpty ? change : { ...change, origin })),
    ...roles(50, "leave", "reserved"),
    ...(declaredEmpty ? [] : roles(1, "create", "declared").map(({ before: _, ...change }) => ({ ...change, origin }))),
  ];
  expect(deletions.evaluate(evaluated(changes, { policies })).length > 0).toBe(refused);
}

function roles(count: number, action: Action, reason: Change["reason"]): Change[] {
  return Array.from({ length: count }, (_, index) => ({
    family: "roles",
    name: `${reason}-${index}`,
    action,
    reason,
    edits: [],
    before: {},
  }));
}

describe("the guard on deletions", () => {
  it("lets a few of many go", () => check(2, 8, false));
  it("lets one of one go, as where it is renamed", () => check(1, 0, false));
  it("lets two of three go: fewer than three are never a share", () => check(2, 1, false));
  it("refuses two of two: nothing of what is there would be left", () => check(2, 0, true));
  it("lets two of two go where the family's limit is all of it", () =>
    check(2, 0, false, { roles: { deletions: { percent: 100 } } }));
  it("refuses three of fourteen", () => check(3, 11, true));
  it("lets three of fifteen go: just 20 %", () => check(3, 12, false));
  it("lets 25 of 1000 go", () => check(25, 975, false));
  it("refuses 26 of 1000", () => check(26, 974, true));
  it("refuses even one when the family is declared empty", () => check(1, 0, true, {}, true));
  it("refuses when all that is declared is the server's own", () => {
    const changes: Change[] = [
      ...roles(1, "delete", "not-declared"),
      ...roles(3, "leave", "reserved").map((change) => ({ ...change, origin })),
      ...roles(1, "leave", "server-owned").map((change) => ({ ...change, origin })),
    ];
    expect(deletions.evaluate(evaluated(changes))).toHaveLength(1);
  });
  it("takes the family's own limits", () => {
    check(5, 5, false, { roles: { deletions: { percent: 50 } } });
    check(2, 98, true, { roles: { deletions: { count: 1 } } });
  });
});

describe("what is emptied counts as deleted", () => {
  const update = (family: ResourceFamily, before: Fields, after: Fields, at: number): Change => ({
    family,
    name: `e${at}`,
    action: "update",
    reason: "declared",
    edits: [],
    before,
    after,
    origin,
  });
  const refused = (count: number, family: ResourceFamily, before: Fields, after: Fields) => {
    const changes = Array.from({ length: count }, (_, at) => update(family, before, after, at));
    return deletions.evaluate(evaluated(changes)).map(({ what }) => what);
  };
  const role = (index_patterns: string[], allowed_actions: string[]): Fields => ({
    index_permissions: [{ index_patterns, allowed_actions }],
  });
  it.each<[family: ResourceFamily, before: Fields, after: Fields]>([
    ["roles", { cluster_permissions: ["*"] }, { description: "was once" }],
    ["roles", role(["a"], ["*"]), role([], ["*"])],
    ["roles", role(["a"], ["*"]), role(["a"], [])],
    ["roles", { ...role(["a"], ["*"]), cluster_permissions: ["*"] }, { cluster_permissions: ["*"] }],
    ["roles", { tenant_permissions: [{ tenant_patterns: ["t"], allowed_actions: ["w"] }] }, {}],
    ["role_mappings", { users: ["ana"] }, { users: [] }],
    ["role_mappings", { and_backend_roles: ["a", "b"] }, {}],
    ["action_groups", { allowed_actions: ["read"] }, {}],
    ["blocks", { type: "name", value: ["x"], verdict: "disallow" }, { type: "name", verdict: "disallow" }],
  ])("of %s: %j to %j", (family, before, after) => {
    expect(refused(10, family, before, after)).toEqual([expect.stringMatching(/^10 of 10 .* would be emptied\.$/)]);
    expect(refused(1, family, before, after)).toEqual([]);
  });
  it("24 of 24 roles", () => expect(refused(24, "roles", role(["a"], ["*"]), {})).toHaveLength(1));
  it("an entry that says something else is not", () => {
    expect(refused(10, "role_mappings", { users: ["ana"] }, { users: ["bo"] })).toEqual([]);
    expect(refused(10, "roles", {}, {})).toEqual([]);
    expect(refused(10, "roles", { cluster_permissions: ["*"] }, role(["a"], ["*"]))).toEqual([]);
    expect(refused(10, "roles", { ...role(["a"], ["*"]), cluster_permissions: ["*"] }, role(["b"], ["*"]))).toEqual([]);
  });
});
