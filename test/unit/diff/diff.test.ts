import { describe, expect, it } from "vitest";
import { diffResources } from "../../../src/diff/diff.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { DesiredResource } from "../../../src/model/desired.ts";
import type { LiveResource, Ownership } from "../../../src/model/live.ts";
import type { FamilyPolicy } from "../../../src/model/policy.ts";

const range = { file: { path: "roles.yml", text: "" }, start: 0, end: 0 };
const node = { ...range, kind: "map", entries: [] } as const;

function desired(name: string, value: Fields, serverOwned = false): DesiredResource {
  return { family: "roles", name, value, origin: range, node, serverOwned };
}

function live(name: string, value: Fields, ownership: Ownership = "open"): LiveResource {
  return { family: "roles", name, value, ownership };
}

function check(
  declared: readonly DesiredResource[],
  found: readonly LiveResource[],
  expected: readonly string[],
  policy?: FamilyPolicy,
) {
  const changes = diffResources(
    "roles",
    new Map(declared.map((resource) => [resource.name, resource])),
    new Map(found.map((resource) => [resource.name, resource])),
    policy,
  );
  const fields = (change: (typeof changes)[number]) => change.edits.map(({ path }) => path.join(".")).join(",");
  expect(changes.map((change) => `${change.action} ${change.name} ${change.reason} ${fields(change)}`.trim())).toEqual(
    expected,
  );
  return changes;
}

const [a, b] = [{ cluster_permissions: ["a"] }, { cluster_permissions: ["b"] }];

describe("the differ", () => {
  it("creates what is missing", () => check([desired("r", a)], [], ["create r declared cluster_permissions"]));
  it("updates what differs", () => check([desired("r", b)], [live("r", a)], ["update r declared cluster_permissions"]));
  it("leaves what is in sync", () => check([desired("r", a)], [live("r", a)], ["leave r in-sync"]));
  it("deletes what is not declared", () => check([], [live("r", a)], ["delete r not-declared cluster_permissions"]));
  it("does not when the mode is adopt", () => check([], [live("r", a)], ["leave r unmanaged"], { mode: "adopt" }));
  it("leaves service accounts as they are, whatever is declared of them", () => {
    const account = (description: string): Fields => ({ description, attributes: { service: "true" } });
    const family = "internal_users";
    const declared = ["here", "new"].map((name): DesiredResource => ({ ...desired(name, account("b")), family }));
    const changes = diffResources(
      family,
      new Map(declared.map((one) => [one.name, one])),
      new Map([["here", { ...live("here", account("a")), family }]]),
      { mode: "manage" },
    );
    expect(changes.map(({ action, name, reason }) => `${action} ${name} ${reason}`)).toEqual([
      "leave here service-account",
      "leave new service-account",
    ]);
  });

  it("only reports when the mode is observe", () =>
    check(
      [desired("n", a), desired("u", b)],
      [live("u", a), live("x", a)],
      [
        "leave n observed cluster_permissions",
        "leave u observed cluster_permissions",
        "leave x observed cluster_permissions",
      ],
      { mode: "observe" },
    ));
  it("leaves what is outside the scope", () =>
    check(
      [],
      [live("ops_a", a), live("ours", a)],
      ["leave ops_a out-of-scope", "delete ours not-declared cluster_permissions"],
      {
        exclude: ["ops_*"],
      },
    ));
  for (const ownership of ["reserved", "static"] as const) {
    it(`never touches a ${ownership} one`, () => {
      check([desired("r", b)], [live("r", a, ownership)], [`leave r ${ownership} cluster_permissions`]);
      check([], [live("r", a, ownership)], [`leave r ${ownership}`]);
    });
  }
  it("never writes an entry that its own file gives to the server", () => {
    check([desired("r", b, true)], [live("r", a)], ["leave r server-owned cluster_permissions"]);
    check([desired("r", b, true)], [], ["leave r server-owned cluster_permissions"]);
  });
  it("sorts by code unit and knows odd names", () =>
    check(
      ["b", "__proto__", "557", "constructor", "B"].map((name) => desired(name, a)),
      [],
      ["557", "B", "__proto__", "b", "constructor"].map((name) => `create ${name} declared cluster_permissions`),
    ));
});

describe("fields that gate-sync does not know", () => {
  it("of a resource are kept", () => {
    const [change] = check(
      [desired("r", b)],
      [live("r", { ...a, x: { y: 1 } })],
      ["update r declared cluster_permissions"],
    );
    expect(change?.after).toEqual({ ...b, x: { y: 1 } });
  });
  it("alone are no difference", () => check([desired("r", a)], [live("r", { ...a, x: 1 })], ["leave r in-sync"]));
  const permission = (pattern: string, more: Fields = {}) => ({ index_patterns: [pattern], ...more });
  const role = (...index_permissions: Fields[]) => ({ index_permissions });
  it("of a permission follow it", () => {
    const [change] = check(
      [desired("r", role(permission("a", { fls: ["f"] }), permission("b")))],
      [live("r", role(permission("a", { x: 1 }), permission("b", { x: 2 })))],
      ["update r declared index_permissions"],
    );
    expect(change?.after).toEqual(role(permission("a", { fls: ["f"], x: 1 }), permission("b", { x: 2 })));
  });
  it("of a permission stay with it when its patterns grow", () => {
    const [change] = check(
      [desired("r", role({ index_patterns: ["a-*", "b-*"], allowed_actions: ["read"] }))],
      [live("r", role({ index_patterns: ["a-*"], allowed_actions: ["read"], deny: true }))],
      ["update r declared index_permissions"],
    );
    expect(change?.after).toEqual(role({ index_patterns: ["a-*", "b-*"], allowed_actions: ["read"], deny: true }));
  });
  it("of a permission do not move to one that is merely alike", () => {
    const plain = { index_patterns: ["a"], allowed_actions: ["x"] };
    const guarded = { index_patterns: ["a"], dls: "{}", allowed_actions: ["x"] };
    const [change] = check(
      [desired("r", role({ ...guarded, allowed_actions: ["x", "y"] }))],
      [live("r", role({ ...plain, note: "P" }, { ...guarded, note: "D" }))],
      ["update r declared index_permissions"],
    );
    expect(change?.after).toEqual(role({ ...guarded, allowed_actions: ["x", "y"], note: "D" }));
  });
  it("of a permission are no difference", () =>
    check([desired("r", role(permission("a")))], [live("r", role(permission("a", { x: 1 })))], ["leave r in-sync"]));
});

describe("a field of the live resource that gate-sync does not know", () => {
  const element = { index_patterns: ["pay-*"], allowed_actions: ["READ"] };
  const odd = { ...a, x: 1, index_permissions: [{ ...element, deep: { k: [1] } }] };
  const unknownOf = (declared: Fields, ...rest: [Ownership?, boolean?]) =>
    check([desired("r", declared, rest[1])], [live("r", odd, rest[0])], [expect.any(String)])[0]?.unknown;
  const both = [
    { path: ["index_permissions", "0", "deep"], value: { k: [1] } },
    { path: ["x"], value: 1 },
  ];
  const byPath = (found: ReturnType<typeof unknownOf>) =>
    found?.toSorted((one, other) => (one.path.join() < other.path.join() ? -1 : 1));

  it("is named, on an entry in sync and on one that changes", () => {
    expect(byPath(unknownOf({ ...a, index_permissions: [element] }))).toEqual(both);
    expect(byPath(unknownOf({ ...b, index_permissions: [element] }))).toEqual(both);
  });
  it("is not where the files declare it", () => {
    expect(unknownOf({ ...a, x: 2, index_permissions: [element] })).toEqual(both.slice(0, 1));
    expect(unknownOf(odd)).toBeUndefined();
  });
  it("is not where the entry is the server's own", () => {
    expect(unknownOf({ ...a, index_permissions: [element] }, "reserved")).toBeUndefined();
    expect(unknownOf({ ...a, index_permissions: [element] }, "open", true)).toBeUndefined();
  });
  it("is not where it is empty", () => {
    const empty = { ...a, x: [], y: {}, z: "", n: null };
    const [change] = check([desired("r", a)], [live("r", empty)], ["leave r in-sync"]);
    expect(change?.unknown).toBeUndefined();
  });
});
