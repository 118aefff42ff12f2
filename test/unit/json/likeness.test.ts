import { expect, test } from "vitest";
import { pairInOrder } from "../../../src/json/likeness.ts";

const fields = (...members: readonly string[]) => ({ a: members });

test.each([
  ["the most alike", [fields("x", "y")], [fields("x"), fields("x", "y", "z"), fields("y")], [[0, 1]]],
  ["none that cross", [fields("x"), fields("y", "z")], [fields("y", "z"), fields("x", "w")], [[1, 0]]],
  [
    "as many as can be",
    [fields("x"), fields("x", "y")],
    [fields("x", "z"), fields("y")],
    [
      [0, 0],
      [1, 1],
    ],
  ],
  ["none with nothing in common", [fields("x"), fields("y")], [fields("z"), fields("y", "w")], [[1, 1]]],
  ["the same value of another field not", [fields("x")], [{ b: ["x"] }], []],
])("pairs in order: %s", (_, left, right, pairs) => {
  expect(pairInOrder(left, right, 100)).toEqual(pairs);
});

test("pairs nothing where that were too much work", () => {
  const many = Array.from({ length: 10 }, (_, index) => fields(`x${index}`));
  expect(pairInOrder(many, many, 200)).toHaveLength(10);
  expect(pairInOrder(many, many, 199)).toEqual([]);
});
