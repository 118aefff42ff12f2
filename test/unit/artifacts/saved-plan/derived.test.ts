import { expect, test } from "vitest";
import { isDerivable, listDesired, listWholeEdits } from "../../../../src/artifacts/saved-plan/derived.ts";
import type { Json, JsonObject } from "../../../../src/json/value.ts";
import type { SavedChange } from "../../../../src/model/plan-file.ts";

const change = (
  basis: Json | undefined,
  edits: SavedChange["edits"],
  more: Partial<SavedChange> = {},
): SavedChange => ({
  family: "tenants",
  name: "t",
  action: "update",
  edits,
  ...(basis !== undefined && { basis }),
  ...more,
});
const desiredOf = (one: SavedChange, held: readonly JsonObject[] = []) =>
  listDesired({ changes: [one], desired: held.map((value) => ({ family: "tenants", name: "t", value })) });

test.each<[string, Json | undefined, path: string[], before: Json]>([
  ["a field", { a: [1], b: 2 }, ["a"], [1]],
  ["a field inside", { a: { b: "x" } }, ["a", "b"], "x"],
  ["a field that appears", { a: 1 }, ["b"], null],
  ["an entry that appears", undefined, ["a"], null],
  ["a field beside one that reads like a slot", { a: { $plain: { $secret: "x", b: 1 } } }, ["a", "b"], 1],
  ["a field that every object inherits", { a: {} }, ["a", "constructor"], null],
])("what was there before comes from the basis: %s", (_, basis, path, before) => {
  expect(listWholeEdits(change(basis, [{ path, after: 7 }]))).toEqual([{ path, before, after: 7 }]);
});

test("what is desired comes from basis and edits", () => {
  const edits = [{ path: ["a", "b"], after: [1] }, { path: ["c"] }, { path: ["__proto__"], after: "x" }];
  const made = JSON.parse('{"a":{"b":[1],"d":1},"__proto__":"x"}');
  expect(desiredOf(change({ a: { b: [], d: 1 }, c: 2 }, edits))).toEqual([
    { family: "tenants", name: "t", value: made },
  ]);
});

test("of an entry that is created there is no basis", () => {
  const created = change(undefined, [{ path: ["a"], after: 1 }], { action: "create" });
  expect(desiredOf(created)).toEqual([{ family: "tenants", name: "t", value: { a: 1 } }]);
});

test("nothing is desired of what is deleted", () => {
  expect(desiredOf(change({ a: 1 }, [{ path: ["a"] }], { action: "delete" }))).toEqual([]);
});

test("a desired value in the file counts", () => {
  expect(desiredOf(change({ a: 1 }, [{ path: ["a"], after: 2 }]), [{ a: 3 }])).toMatchObject([{ value: { a: 3 } }]);
});

test("what edits do not make of the basis is in the file", () => {
  const edited = change({ a: 1, x_note: "kept" }, [{ path: ["a"], after: 2 }]);
  const value = (fields: JsonObject) => ({ family: "tenants", name: "t", value: fields }) as const;
  expect(isDerivable(edited, value({ a: 2, x_note: "kept" }))).toBe(true);
  expect(isDerivable(edited, value({ a: 2 }))).toBe(false);
  expect(isDerivable({ ...edited, family: "config" }, value({ a: 2, x_note: "kept" }))).toBe(false);
});
