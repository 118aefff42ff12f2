import { expect, test } from "vitest";
import { matchUnwritten } from "../../../../src/access/patterns/written-names.ts";
import type { Verdict } from "../../../../src/access/verdict.ts";

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
