import { describe, expect, test } from "vitest";
import { includes, overlaps } from "../../../../src/access/patterns/includes.ts";
import { isOpaque } from "../../../../src/access/patterns/syntax.ts";
import type { Verdict } from "../../../../src/access/verdict.ts";

const evil = `/.*a${".".repeat(25)}/`;

describe("inclusion", () => {
  test.for<[patterns: readonly string[], pattern: string, verdict: Verdict]>([
    [["logs-*"], "logs-2026", "yes"],
    [["logs-*"], "logs", "no"],
    [["logs-*"], "logs-app-*", "yes"],
    [["logs-app-*"], "logs-*", "no"],
    [["a*", "b*"], "/[ab].*/", "yes"],
    [["a*"], "/[ab].*/", "no"],
    [["/[ab].*/"], "a*", "yes"],
    [["?*", ""], "*", "yes"],
    [["?*"], "*", "no"],
    [["/.*/"], "*", "yes"],
    [["**"], "*", "yes"],
    [["a**b"], "a*b", "yes"],
    [["/[^a]*/", "*a*"], "*", "yes"],
    [["/^logs.*$/"], "logs*", "yes"],
    [["logs"], "/^logs/", "yes"],
    [["/^logs/"], "logs*", "no"],
    [["/\\d+/"], "/[0-9]+/", "yes"],
    [["/\\w/"], "/[0-9A-Za-z_]/", "yes"],
    [["/[a-]/"], "-", "yes"],
    [["/a|b|/"], "", "yes"],
    [["/logs\\.x/"], "logs.x", "yes"],
    [["Logs-*"], "logs-*", "no"],
    [["?"], "🔑", "no"],
    [["??"], "🔑", "yes"],
    [["?", "??"], "/./", "yes"],
    [["?*"], "/.+/", "yes"],
    [["/./"], "ä", "yes"],
    [[], "", "no"],
    [[], "a", "no"],
    [["indices:data/*"], "indices:data/read/*", "yes"],
    // What is opaque is included where nothing has to be known about it.
    [["a", "/\\bx/"], "/\\bx/", "yes"],
    [["**"], "${user.name}", "yes"],
    [["a*"], "a-${user.name}", "unknown"],
    [["/\\bx/"], "x", "unknown"],
    [["/\\bx/", "x*"], "x", "yes"],
    [["*"], "a\nb", "yes"],
    [["/.*/"], "a\nb", "unknown"],
    [[evil], "*b*", "no"],
    [["/.*a....../", "/.*b....../"], "/.*[ab]....../", "yes"],
    [["/.*a....../", "/.*b...../"], "/.*[ab]....../", "no"],
  ])("%j, %s: %s", ([patterns, pattern, verdict]) => expect(includes(patterns, pattern)).toBe(verdict));

  test("what would take too long is unknown", () => {
    expect(includes([evil, `/.*b${".".repeat(25)}/`], `/.*[ab]${".".repeat(25)}/`)).toBe("unknown");
    expect(overlaps(evil, `/.*b${".".repeat(25)}/`)).toBe("unknown");
  });
});

describe("overlap", () => {
  test.for<[a: string, b: string, verdict: Verdict]>([
    ["a*", "*b", "yes"],
    ["a*", "b*", "no"],
    ["a?", "??c", "no"],
    ["a?*", "??c", "yes"],
    ["logs-*", "/logs-[0-9]+/", "yes"],
    ["logs-a*", "/logs-[0-9]+/", "no"],
    ["*", "", "yes"],
    ["?*", "", "no"],
    ["a", "A", "no"],
    ["${user.name}", "*", "yes"],
    ["${user.name}", "${user.name}", "yes"],
    ["${user.name}", "ana", "unknown"],
  ])("%s, %s: %s", ([a, b, verdict]) => expect([overlaps(a, b), overlaps(b, a)]).toEqual([verdict, verdict]));
});

test.for([
  ...["", "*", "a", "//", "/a|b/", "/[a-z]+/", "a$b", "{x}"].map((pattern) => [pattern, false] as const),
  ...["/(a)/", "/a{2}/", "/a++/", "/é/", `/${"a".repeat(1000)}/`].map((pattern) => [pattern, false] as const),
  ...[
    "/[z-a]/",
    "/[/",
    "/",
    "a*?",
    "/.++a/",
    String.raw`/(a)\1/`,
    `/${"a".repeat(2001)}/`,
    "${user.name}",
    "a\nb",
    "\ud800",
  ].map((pattern) => [pattern, true] as const),
])("%j is opaque: %s", ([pattern, is]) => expect(isOpaque(pattern)).toBe(is));
