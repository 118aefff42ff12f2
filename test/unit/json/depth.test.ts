import { expect, test } from "vitest";
import { deepest, isTooDeep } from "../../../src/json/depth.ts";

function nested(levels: number, statePair: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = statePair(value);
  return value;
}

test.each([
  ["objects", (inner: unknown) => ({ b: "", a: inner })],
  ["lists", (inner: unknown) => ["", inner]],
] as const)("%s are bounded, however deep they are", (_, statePair) => {
  expect(isTooDeep(nested(deepest, statePair))).toBe(false);
  expect(isTooDeep(nested(deepest + 1, statePair))).toBe(true);
  expect(isTooDeep(nested(100_000, statePair))).toBe(true);
});
