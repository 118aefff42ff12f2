import { expect, it } from "vitest";
import { countCharacters } from "../../../src/render/layout.ts";

it.each([
  ["", 0],
  ["abc", 3],
  ["é😀", 2],
  ["\ud800a", 2],
])("%j has %i characters", (text, count) => expect(countCharacters(text)).toBe(count));
