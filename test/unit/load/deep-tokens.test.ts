import { describe, expect, it } from "vitest";
import { Parser } from "yaml";
import { refuseDeep } from "../../../src/load/deep-tokens.ts";

function countTokens(text: string): number {
  return [...refuseDeep(new Parser().parse(text))].length;
}

describe("refuseDeep", () => {
  it.each([
    ["lists", (depth: number) => "- ".repeat(depth)],
    ["lists in brackets", (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["maps", (depth: number) => Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:\n`).join("")],
    ["keys", (depth: number) => "? ".repeat(depth)],
    ["the last of a list", (depth: number) => `- a\n- b\n${"- ".repeat(depth)}`],
    ["a value after others", (depth: number) => `a: 1\nb:\n ${"- ".repeat(depth - 1)}`],
    ["the second document", (depth: number) => `a: 1\n---\n${"- ".repeat(depth)}`],
    ["what is not closed", (depth: number) => "[".repeat(depth)],
  ])("takes 300 levels and no more: %s", (_, nest) => {
    expect(countTokens(nest(300))).toBeGreaterThan(0);
    expect(() => countTokens(nest(301))).toThrow(RangeError);
  });
  it("takes any number beside each other, and texts that look like more", () => {
    expect(countTokens(`${"- [a]\n".repeat(400)}- "${"[".repeat(400)}"\n`)).toBe(1);
    for (const text of ["", "# only a comment\n", "--- # nothing\n", "- \n- \n"]) countTokens(text);
  });
});
