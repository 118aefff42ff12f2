import { describe, expect, test } from "vitest";
import {
  matchNearlyAll,
  matchUnwritten,
  measureBreadth,
  type NameKind,
} from "../../../../src/access/patterns/breadth.ts";
import type { Verdict } from "../../../../src/access/verdict.ts";

describe("nearly all", () => {
  test.for<[patterns: readonly string[], kind: NameKind, verdict: Verdict]>([
    ...["*", "**", "?*", "??*", "/[\\s\\S]*/", "/.{0,}/", "/(?s).*/", "/.*+/", "/\\S+/", "/(.|x)*/", "/^.*$/"].map(
      (pattern): [readonly string[], NameKind, Verdict] => [[pattern], "names", "yes"],
    ),
    ...["/.{1,}/", "/(?i).*/", "/(?!admin).*/", "/[^ ]+?/", "/(a|[^a]).*/", "/\\w[\\w\\W]*/"].map(
      (pattern): [readonly string[], NameKind, Verdict] => [[pattern], "names", "yes"],
    ),
    [["/[^q]*/", "*q*"], "names", "yes"],
    [["/[a-m].*/", "/[n-z].*/"], "names", "yes"],
    [["/[a-z]+/"], "names", "yes"],
    [["*@*"], "names", "yes"],
    [["a*", "b*", "ci-*", "*-admin", "/svc-\\d+/", "ana"], "names", "no"],
    [["/ana|bob/", "carl"], "names", "no"],
    [["*?"], "names", "unknown"],
    [["/(a)\\1/"], "names", "unknown"],
    [["/(a)\\1/", "*"], "names", "yes"],
    [["/[/"], "names", "unknown"],
    [[], "names", "no"],
    [[..."0123456789"].map((digit) => `${digit}*`), "addresses", "yes"],
    [["*.*"], "addresses", "yes"],
    [["*:*"], "addresses", "yes"],
    [["/\\d+\\..*/"], "addresses", "yes"],
    [["10.*", "192.168.*", "127.0.0.1", "*.example.org"], "addresses", "no"],
  ])("%j of %s: %s", ([patterns, kind, verdict]) => expect(matchNearlyAll(patterns, kind)).toBe(verdict));

  test("as a share", () => {
    expect(measureBreadth(["a*"], "names").most).toBeLessThan(0.1);
    expect(measureBreadth(["/[a-m].*/"], "names").least).toBeGreaterThan(0.4);
    expect(measureBreadth(["ana", "/bob/"], "names")).toEqual({ least: 0, most: 0 });
    expect(measureBreadth(["a*", "${user.name}*"], "names").most).toBe(1);
  });
});

test.for<[patterns: readonly string[], verdict: Verdict]>([
  [["ana", "bob"], "no"],
  [["/ana/", "/(?i)bob/", "/svc-[12]/", "/(a|b){0,2}/"], "no"],
  [["a?"], "yes"],
  [["ana*"], "yes"],
  [["/svc-\\d+/"], "yes"],
  // Of all that the expression matches, nothing is left.
  [["/(?!.*x)a?/", "", "a"], "no"],
  [["/(a)\\1/"], "unknown"],
])("unwritten names match %j: %s", ([patterns, verdict]) => expect(matchUnwritten(patterns)).toBe(verdict));
