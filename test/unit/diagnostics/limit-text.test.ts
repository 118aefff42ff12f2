import { expect, test } from "vitest";
import { limitText } from "../../../src/diagnostics/limit-text.ts";

test("cuts what is longer than a message quotes", () => {
  expect(limitText("abc", 3)).toBe("abc");
  expect(limitText("abcd", 3)).toBe("ab…");
  expect(limitText("x".repeat(61))).toHaveLength(60);
});
