import { describe, expect, it } from "vitest";
import type { Fields } from "../../../../src/json/value.ts";
import type { Change } from "../../../../src/model/change.ts";
import type { ResourceFamily } from "../../../../src/model/names.ts";
import { getIntermediateResource, splitIntoFragments } from "../../../../src/plan/order/fragments.ts";

function changeOf(family: ResourceFamily, before: Fields | undefined, after: Fields | undefined): Change {
  const action = !before ? "create" : after ? "update" : "delete";
  return {
    family,
    name: "x",
    action,
    reason: "declared",
    edits: [],
    ...(before && { before }),
    ...(after && { after }),
  };
}

/** What the resource is with each of its fragments alone, in their order. */
function check(
  family: ResourceFamily,
  before: Fields | undefined,
  after: Fields | undefined,
  expected: readonly (Fields | undefined)[],
) {
  const change = changeOf(family, before, after);
  const fragments = splitIntoFragments(change);
  expect(fragments.map((fragment) => getIntermediateResource(change, new Set([fragment])))).toEqual(expected);
  expect(getIntermediateResource(change, new Set())).toBe(before);
  expect(getIntermediateResource(change, new Set(fragments))).toBe(after);
}

const permission = (patterns: readonly string[], actions: readonly string[], more: Fields = {}): Fields => ({
  index_patterns: patterns,
  allowed_actions: actions,
  ...more,
});
const role = (...index_permissions: readonly Fields[]): Fields => ({ index_permissions });

describe("what of a change a request can make by itself", () => {
  it("an element that a set loses, one that it gains; sets come first as they are to be", () =>
    check("role_mappings", { users: ["a", "b"] }, { users: ["b", "c"] }, [
      { users: ["b"] },
      { users: ["a", "b", "c"] },
    ]));
  it("other fields change along with the first", () =>
    check(
      "role_mappings",
      { users: ["a"], description: "old" },
      { backend_roles: ["r"], users: ["a"], description: "new" },
      [{ backend_roles: ["r"], users: ["a"], description: "new" }],
    ));
  it("what is made again is there with its first element, what goes is there until its last", () => {
    check("action_groups", undefined, { allowed_actions: ["a", "b"] }, [
      { allowed_actions: ["a"] },
      { allowed_actions: ["b"] },
    ]);
    check("action_groups", { allowed_actions: ["a", "b"] }, undefined, [
      { allowed_actions: ["b"] },
      { allowed_actions: ["a"] },
    ]);
  });
  it("the elements of the one list of a permission that changes", () =>
    check("roles", role(permission(["a"], ["x", "y"])), role(permission(["a"], ["y", "z"])), [
      role(permission(["a"], ["y"])),
      role(permission(["a"], ["x", "y", "z"])),
    ]));
  it("a permission that changes otherwise goes and comes as a whole", () =>
    check("roles", role(permission(["a"], ["x"], { dls: "1" })), role(permission(["a"], ["x"], { dls: "2" })), [
      {},
      role(permission(["a"], ["x"], { dls: "1" }), permission(["a"], ["x"], { dls: "2" })),
    ]));
  it("one whose patterns have nothing in common too: it would be about nothing", () =>
    check("roles", role(permission(["a"], ["x"])), role(permission(["b"], ["x"])), [
      {},
      role(permission(["a"], ["x"]), permission(["b"], ["x"])),
    ]));
  it("nothing of a mapping whose set of backend roles changes: with a part of the set, others would be let in", () =>
    check(
      "role_mappings",
      { and_backend_roles: ["a", "b"], users: ["u"] },
      { and_backend_roles: ["a", "c"], users: ["v"] },
      [{ and_backend_roles: ["a", "c"], users: ["v"] }],
    ));
  it("nothing of what has no sets, or is of another kind afterwards", () => {
    check("tenants", undefined, { description: "t" }, [{ description: "t" }]);
    check(
      "blocks",
      { type: "name", value: ["u"], verdict: "allow" },
      { type: "name", value: ["v"], verdict: "disallow" },
      [{ type: "name", value: ["v"], verdict: "disallow" }],
    );
  });
});
