import { describe, expect, it } from "vitest";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { LiveState } from "../../../src/model/live.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import { listDanglingNotes } from "../../../src/plan/dangling.ts";

type Entry = readonly [family: ResourceFamily, name: string, value: Fields];

const origin = { file: { path: "a.yml", text: "" }, start: 0, end: 0 };

function check(
  deleted: readonly Entry[],
  declared: readonly Entry[],
  others: readonly Entry[],
  notes: readonly string[],
) {
  const changes: Change[] = [
    ...deleted.map(([family, name]) => change(family, name, "delete")),
    ...declared.map(([family, name]) => ({ ...change(family, name, "leave"), origin })),
  ];
  const live = [...deleted, ...declared, ...others];
  const resources = new Map<
    ResourceFamily,
    Map<string, { family: ResourceFamily; name: string; value: Fields; ownership: "open" }>
  >();
  for (const [family, name, value] of live) {
    const entries = resources.get(family) ?? new Map();
    resources.set(family, entries.set(name, { family, name, value, ownership: "open" }));
  }
  const state: LiveState = { resources, paths: new Map() };
  expect(listDanglingNotes(changes, state)).toEqual(notes);
}

function change(family: ResourceFamily, name: string, action: "delete" | "leave"): Change {
  return { family, name, action, reason: "in-sync", edits: [] };
}

const group: Entry = ["action_groups", "SEARCH", { allowed_actions: ["indices:data/read/search"] }];
const user = (name: string): Entry => ["roles", name, { cluster_permissions: ["SEARCH"] }];

describe("what a deletion leaves behind", () => {
  it("is named where it is unmanaged to change", () =>
    check(
      [group],
      [],
      [user("ops_reader")],
      ['The action group "SEARCH" is deleted, and still used by the role "ops_reader".'],
    ));
  it("is not repeated for what is declared: that is evaluated in its file", () =>
    check([group], [user("ours")], [], []));
  it("is nothing where the user goes too", () => check([group, user("gone")], [], [], []));
  it("is a mapping without its role", () =>
    check(
      [["roles", "r", {}]],
      [],
      [["role_mappings", "r", { users: ["a"] }]],
      ['The role "r" is deleted, and still used by the role mapping "r".'],
    ));
  it("is counted where there is much of it", () => {
    const users = ["a", "b", "c", "d", "e"].map(user);
    check([group], [], users, [
      'The action group "SEARCH" is deleted, and still used by the role "a", role "b", role "c" and 2 more.',
    ]);
  });
});
