// The parts of what a request names: each name belongs to one of them, as the region of the part says.
import { describe, expect, it } from "vitest";
import { partitionIndices } from "../../../../src/access/evaluate/index-parts.ts";
import { matchesPattern } from "../../../../src/access/patterns/matches.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const ana = subjectFrom("ana @1.1.1.1", {});
const names = [
  "l",
  "lo",
  "logs-a",
  "logs-app",
  "logs-2026",
  "hr-main",
  "hr-secret",
  "pay",
  "pay-a",
  "a1",
  ".kib",
  "ana",
  "x-y",
];

function partsWith(patterns: readonly string[], asked: string) {
  const elements = patterns.map((pattern) => `{ index_patterns: ['${pattern}'], allowed_actions: [read] }`);
  const text = `
roles: { r: { index_permissions: [${elements.join(", ")}] } }
role_mappings: { r: { users: [ana] } }
`;
  return partitionIndices(modelFrom(text), ana, asked).parts;
}

describe("parts", () => {
  it.each([
    [["logs-*", "/logs-.*/"], "*"],
    [["/logs-.*/", "logs-*", "logs-a"], "l*"],
    [["/[lhp].{2,}/", "/(?:hr|pay).*/", "/[a-z]+-[a-z]+/", "logs-2026"], "p*"],
    [["*", "hr-*", "hr-secret", "*-a*"], "*"],
    [["*", "hr-*", "hr-secret", "*-a*"], "hr-*"],
    [["?*", "/(?!hr).*/", ".*"], "*"],
    [["x-${user_name}", "a*", "ana"], "a*"],
  ])("%j of %s hold each name once", (patterns, asked) => {
    const parts = partsWith(patterns, asked);
    for (const name of names.filter((one) => matchesPattern(asked, one) === "yes")) {
      const holding = parts.filter(
        ({ region: { allOf, noneOf } }) =>
          allOf.every((one) => matchesPattern(one, name) === "yes") &&
          !noneOf.some((one) => matchesPattern(one, name) === "yes"),
      );
      expect([name, holding.length]).toEqual([name, 1]);
    }
  });

  it("two patterns that match the same do not hide each other", () =>
    expect(partsWith(["logs-*", "/logs-.*/"], "l*").map(({ by }) => by)).toEqual([[], ["/logs-.*/"]]));
});
