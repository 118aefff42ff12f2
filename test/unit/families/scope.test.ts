import { describe, expect, it } from "vitest";
import { isInScope, matchesName } from "../../../src/families/scope.ts";

describe("name patterns", () => {
  const check = (pattern: string, name: string, expected: boolean) => expect(matchesName(pattern, name)).toBe(expected);
  it("match the whole name", () => {
    check("ops", "ops", true);
    check("ops", "ops_a", false);
    check("ops", "devops", false);
    check("ops", "Ops", false);
    check("ops*", "Ops", false);
  });
  it("know * and ?", () => {
    check("ops_*", "ops_", true);
    check("ops_*", "ops_a/b\nc", true);
    check("r?", "r1", true);
    check("r?", "r😀", true);
    check("r?", "r", false);
  });
  it("take everything else as it is", () => {
    check("a.b", "axb", false);
    check("a(b)[c]+$", "a(b)[c]+$", true);
    check("a\\b", "a\\b", true);
  });
  it("try every place that a star may end", () => {
    check("*ab*ab", "abxab", true);
    check("*ab*ab", "ab", false);
    check("a**b", "ab", true);
    check("", "", true);
    check("*", "", true);
  });
  it("answer at once, however many stars", () => check(`${"*a".repeat(30)}b`, "a".repeat(5_000), false));
  it("distinguish cases", () => check("OPS_*", "ops_a", false));
});

describe("the scope", () => {
  it("is everything by default", () => expect(isInScope(undefined, "x")).toBe(true));
  it("is what include names", () =>
    expect(["a1", "b1"].map((name) => isInScope({ include: ["a*"] }, name))).toEqual([true, false]));
  it("is never what exclude names", () => expect(isInScope({ include: ["a*"], exclude: ["a1"] }, "a1")).toBe(false));
});
