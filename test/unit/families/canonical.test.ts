import { describe, expect, test } from "vitest";
import { canonicaliseFields } from "../../../src/families/canonical.ts";
import { factsOf } from "../../../src/families/index.ts";
import type { Fields, Json } from "../../../src/json/value.ts";

/** Text against text: the order of keys is a part of the form. */
function check(given: Fields, canonical: Json) {
  expect(JSON.stringify(canonicaliseFields(given, factsOf.roles.fields))).toBe(JSON.stringify(canonical));
}

const read = { index_patterns: ["a"], allowed_actions: ["read"] };
const write = { index_patterns: ["a"], allowed_actions: ["write"] };

describe("the canonical form of a role", () => {
  test.each<[what: string, given: Fields, canonical: Json]>([
    ["fields at their default are absent", { description: "", cluster_permissions: [], index_permissions: null }, {}],
    ["sets are sorted and unique", { cluster_permissions: ["b", "a", "b"] }, { cluster_permissions: ["a", "b"] }],
    ["one text is a set of one", { cluster_permissions: "a" }, { cluster_permissions: ["a"] }],
    ["numbers among texts are texts", { cluster_permissions: [1, true] }, { cluster_permissions: ["1", "true"] }],
    [
      "permissions are sorted by content, none is merged",
      { index_permissions: [write, read, { ...write, fls: [] }] },
      { index_permissions: [read, write, write] },
    ],
    [
      "known fields come in one order, unknown ones after them, with their keys in order",
      { z: { b: [2, 1], a: "" }, index_permissions: [read], a: null, cluster_permissions: ["a"] },
      { cluster_permissions: ["a"], index_permissions: [read], a: null, z: { a: "", b: [2, 1] } },
    ],
  ])("%s", (_what, given, canonical) => check(given, canonical));
});
