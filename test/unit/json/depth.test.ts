import { expect, test } from "vitest";
import { deepest, isTooDeep } from "../../../src/json/depth.ts";

function nested(levels: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = around(value);
  return value;
}

test.each([
  ["objects", (inner: unknown) => ({ b: "", a: inner })],
  ["lists", (inner: unknown) => ["", inner]],
] as const)("%s are bounded, however deep they are", (_, around) => {
  expect(isTooDeep(nested(deepest, around))).toBe(false);
  expect(isTooDeep(nested(deepest + 1, around))).toBe(true);
  expect(isTooDeep(nested(100_000, around))).toBe(true);
});
