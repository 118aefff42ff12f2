import { expect, test } from "vitest";
import { groupItems, listDistinct } from "../../../src/json/collections.ts";
import { memoise, memoiseByKey, memoiseByObject, memoiseByWord } from "../../../src/json/memoise.ts";

test("each result is computed once, undefined too", () => {
  const asked: unknown[] = [];
  const byKey = memoiseByKey((key: string) => void asked.push(key));
  const byObject = memoiseByObject((key: object) => asked.push(key));
  const [one, other] = [{}, {}];
  expect([byKey("a"), byKey("b"), byKey("a")]).toEqual([undefined, undefined, undefined]);
  expect([byObject(one), byObject(other), byObject(one)]).toEqual([3, 4, 3]);
  expect(asked).toHaveLength(4);
});

test("of words only short ones are kept, and so many at most", () => {
  const asked: string[] = [];
  const byWord = memoiseByWord((word) => asked.push(word) > 0 && word.length > 3);
  const [short, long] = ["abc", "x".repeat(41)];
  expect([byWord(short), byWord(short), byWord(long), byWord(long)]).toEqual([false, false, true, true]);
  expect(asked).toEqual([short, long, long]);
  for (let other = 0; other < 50_000; other++) byWord(`w${other}`);
  asked.length = 0;
  expect([byWord("w49999"), byWord(short)]).toEqual([true, false]);
  expect(asked).toEqual([short]);
});

test("nothing is computed before it is asked for", () => {
  let count = 0;
  const ask = memoise(() => ++count);
  expect(count).toBe(0);
  expect([ask(), ask()]).toEqual([1, 1]);
});

test("items with the same key are together, in the order of the first", () => {
  expect(groupItems(["b1", "a1", "b2"], (text) => text.slice(0, 1))).toEqual([["b1", "b2"], ["a1"]]);
});

test("equal items are one", () => {
  expect(listDistinct([{ a: 1 }, { a: 2 }, { a: 1 }])).toEqual([{ a: 1 }, { a: 2 }]);
});
