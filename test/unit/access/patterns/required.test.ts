import { expect, test } from "vitest";
import { findRequiredRuns, mayContain } from "../../../../src/access/patterns/required.ts";

test.each<[pattern: string, runs: readonly (readonly string[])[]]>([
  ["team-*", [["team-"]]],
  ["*a?b*", [["a", "b"]]],
  ["*", [[]]],
  ["/team-.*/", [["team-"]]],
  ["/tea?m/", [["te", "m"]]],
  [
    "/te(am|st)+-x/",
    [
      ["te", "am", "-x"],
      ["te", "st", "-x"],
    ],
  ],
  ["/te(am)?/", [["te"]]],
  ["/te(am){0,2}/", [["te"]]],
  ["/te(am){2}/", [["te", "am"]]],
  ["/a|b.*/", [["a"], ["b"]]],
  ["/(?i)\\.Open[Dd]istro/", [[".OpenDistro"]]],
  ["/(?s)\\.opendistro_security/", [[".opendistro_security"]]],
  ["/(?!team).*/", [[]]],
  ["/(?<name>ab)c/", [["ab", "c"]]],
  ["/(?x) a b/", [[]]],
  ["/\\Qteam\\E/", [[]]],
  ["/\\p{Lower}\\x41bc/", [["bc"]]],
  ["/[]ab]cd/", [["cd"]]],
  ["/[a&&[^b]]cd/", [["cd"]]],
  ["/(ab/", [[]]],
  ["/ab)/", [[]]],
  ["/[ab/", [[]]],
  ["/a++b/", [["a", "b"]]],
])("%s requires %j", (pattern, runs) => {
  expect(findRequiredRuns(pattern)).toEqual(runs);
});

test("a name that lacks what is required is not matched, whatever else a pattern says", () => {
  expect(mayContain("/(?=x)(logs|hr)-.*/", ".opendistro_security")).toBe(false);
  expect(mayContain("/(?=x)(logs|OPENDISTRO).*/", ".opendistro_security")).toBe(true);
});

test("an expression that is deep or long requires nothing, and ends", () => {
  expect(findRequiredRuns(`/${"(".repeat(400)}a${")".repeat(400)}/`)).toEqual([[]]);
  expect(findRequiredRuns(`/${"(a|b)".repeat(150)}/`).length).toBeLessThanOrEqual(64);
});
