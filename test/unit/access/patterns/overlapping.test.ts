import { expect, test } from "vitest";
import { overlaps } from "../../../../src/access/patterns/includes.ts";
import { createOverlapFinder } from "../../../../src/access/patterns/overlapping.ts";
import { isOpaque, readPattern } from "../../../../src/access/patterns/syntax.ts";
import { randomFrom } from "../../../fixtures/index.ts";

const patterns = [
  ..."* a* ab* abc abcd* a?c *b b* bb b? a ab _all *? /ab.*/ /[ab]c/ ${user.name}-x x-${user.name} <a-{now}>".split(
    " ",
  ),
  "",
];

test("a pattern overlaps one of many where it overlaps any of them by itself", () => {
  const random = randomFrom("overlapping");
  for (let round = 0; round < 3000; round++) {
    const [some, pattern] = [random.some(patterns, 0, 5), random.pick(patterns)];
    const isExpected = some.some((one) => overlaps(one, pattern) !== "no");
    expect({ some, pattern, found: createOverlapFinder(some)(pattern) }).toEqual({ some, pattern, found: isExpected });
  }
});

test("a pattern is opaque where it cannot be read", () => {
  const random = randomFrom("opaque");
  const chars = [..."ab*?${}/.[]^()-\\<é\n"];
  for (let round = 0; round < 20_000; round++) {
    const pattern = Array.from({ length: random.below(round % 50 === 0 ? 120 : 7) }, () => random.pick(chars)).join("");
    expect({ pattern, isOpaque: isOpaque(pattern) }).toEqual({ pattern, isOpaque: readPattern(pattern) === undefined });
  }
});
