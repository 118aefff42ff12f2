import { describe, expect, it } from "vitest";
import { applyEdits, findEdits } from "../../../src/json/patch.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Fields } from "../../../src/json/value.ts";
import { isEqual } from "../../../src/json/value.ts";
import { differs } from "../../../src/json/witness.ts";

const cases: readonly (readonly [title: string, before: Fields, after: Fields, paths: readonly string[]])[] = [
  ["nothing", { a: 1 }, { a: 1 }, []],
  ["a field that appears", {}, { a: 1 }, ["a"]],
  ["a field that goes", { a: 1 }, {}, ["a"]],
  ["a field that changes", { a: 1 }, { a: 2 }, ["a"]],
  ["a field inside a field", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ["a.c"]],
  ["a list as a whole", { a: ["x", "y"] }, { a: ["x", "z"] }, ["a"]],
  ["a list that grows", { a: ["x"] }, { a: ["x", "y", "z"] }, ["a"]],
  ["an object in a list as part of the list", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ["a"]],
  ["names with slashes and tildes", { "a/b": { "~1": 1 } }, { "a/b": { "~1": 2 } }, ["a/b.~1"]],
  ["a secret that changes", { p: new Secret("live", "old") }, { p: new Secret("${env:P}", "new") }, ["p"]],
  ["a secret that is the same", { p: new Secret("live", "s") }, { p: new Secret("${env:P}", "s") }, []],
  ["a text that looks like nothing else", { p: "\u0000secret 0" }, { p: new Secret("${env:P}", "s") }, ["p"]],
  ["a secret that was written in clear", { p: "s" }, { p: new Secret("${env:P}", "s") }, []],
];

describe("edits", () => {
  for (const [title, before, after, paths] of cases) {
    it(`find ${title}`, () => {
      const edits = findEdits(before, after);
      expect(edits.map(({ path }) => path.join("."))).toEqual(paths);
      expect(isEqual(applyEdits(before, edits), after)).toBe(true);
      expect(differs(before, after)).toBe(edits.length > 0);
    });
  }

  it("leave what they were handed as it was", () => {
    const before = { a: { b: ["x"] } };
    const frozen = JSON.stringify(before);
    applyEdits(before, findEdits(before, { a: { b: ["y"] }, c: 1 }));
    expect(JSON.stringify(before)).toBe(frozen);
  });
});
