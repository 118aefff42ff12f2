import { expect, test } from "vitest";
import { shorten } from "../../../src/diagnostics/shorten.ts";

test("cuts what is longer than a message quotes", () => {
  expect(shorten("abc", 3)).toBe("abc");
  expect(shorten("abcd", 3)).toBe("ab…");
  expect(shorten("x".repeat(61))).toHaveLength(60);
});
