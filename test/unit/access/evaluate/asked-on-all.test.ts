// Actions that servers ask for on all indices, whichever a request names: tried on OpenSearch 2.11.1, 2.19.1 and 3.4.0,
// Search Guard 7.5.1-38 and 6.5.4-24, each route by users with these patterns.
import { describe, expect, it } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { explainShares } from "../../../../src/access/explain/explanation.ts";
import { nowhere } from "../../../../src/access/explain/grant-path.ts";
import type { Product } from "../../../../src/model/plan.ts";
import { listIgnoredNotes, parseQuestion } from "../../../../src/questions/asked.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const rollover = "indices:admin/rollover";
const resize = "indices:admin/resize";
const readAll = "indices:data/read/point_in_time/readall";
const aliases = "indices:admin/aliases/get";

function asked(
  [product, release]: readonly [Product, string],
  patterns: readonly string[],
  action: string,
  index?: string,
) {
  const text = `
roles:
  turner:
    cluster_permissions: ['*']
    index_permissions: [{ index_patterns: ${JSON.stringify(patterns)}, allowed_actions: ['*'] }]
role_mappings: { turner: { users: [turner] } }
`;
  const [model, subject] = [modelFrom(text, product, release), subjectFrom("turner @1.1.1.1", {})];
  const question = parseQuestion({ action, ...(index !== undefined && { index }) }, release);
  if (question.of !== "request") throw new Error("no request");
  const found = evaluateQuestion(model, subject, question.request, question.indices);
  const shares = explainShares(model, subject, found, { reads: false, misses: true, places: nowhere });
  return { verdict: found.verdict, permissions: shares.flatMap(({ permissions }) => permissions) };
}

const servers = {
  "opensearch 2.11": ["opensearch", "2.11"],
  "opensearch 2.19": ["opensearch", "2.19"],
  "opensearch 3.4": ["opensearch", "3.4"],
  "search-guard 7": ["search-guard", "7.x-38"],
  "search-guard 6": ["search-guard", "6"],
} as const;
type Server = keyof typeof servers;

const onAll: readonly (readonly [Server, action: string, isOnAll: boolean])[] = [
  ["opensearch 2.11", rollover, true],
  ["opensearch 2.11", resize, true],
  ["opensearch 2.11", readAll, true],
  ["opensearch 2.19", rollover, true],
  ["opensearch 2.19", resize, false],
  ["opensearch 2.19", readAll, true],
  ["opensearch 3.4", rollover, false],
  ["opensearch 3.4", resize, false],
  ["opensearch 3.4", readAll, true],
  ["search-guard 7", rollover, true],
  ["search-guard 7", resize, true],
  ["search-guard 6", rollover, false],
  ["search-guard 6", resize, false],
];

describe("an action on one index, with rights on that alone", () => {
  it.each(onAll)("%s: %s", (server, action, isOnAll) => {
    for (const index of ["desk-1", "desk-write", "desk*"]) {
      expect(asked(servers[server], ["desk*"], action, index).verdict).toBe(isOnAll ? "no" : "yes");
      expect(asked(servers[server], ["*"], action, index).verdict).toBe("yes");
      expect(asked(servers[server], ["desk*"], "indices:admin/get", index).verdict).toBe("yes");
    }
  });

  it("says that it is asked for on all", () => {
    const [permission] = asked(servers["opensearch 2.19"], ["desk*"], rollover, "desk-1").permissions;
    expect(permission?.misses[0]).toEqual({ kind: "all-indices" });
  });
});

describe("what grants it on all indices", () => {
  // By the status of `POST /desk-roller/_rollover`, where there were desk-*, other-* and the product's own index.
  it.each<[Server, patterns: readonly string[], verdict: string]>([
    ["opensearch 2.19", ["desk*", "other*", ".ds*"], "no"],
    ["opensearch 2.19", ["desk*", "other*", ".*"], "unknown"],
    ["opensearch 2.19", ["/[^x].*/", "x*"], "yes"],
    ["opensearch 2.19", ["?*"], "yes"],
    ["opensearch 2.19", ["/.*/"], "yes"],
    ["opensearch 2.19", ["?"], "no"],
    ["opensearch 2.19", ["_all"], "no"],
    ["opensearch 2.19", [".*"], "no"],
    ["opensearch 2.11", ["desk*", "*"], "yes"],
    ["opensearch 2.11", ["?*"], "no"],
    ["opensearch 2.11", ["**"], "no"],
    ["opensearch 2.11", ["/.*/"], "no"],
    ["search-guard 7", ["desk*", "other*", "searchguard"], "no"],
    ["search-guard 7", ["/[^x].*/", "x*"], "unknown"],
    ["search-guard 7", ["?*"], "yes"],
    ["search-guard 7", ["_all"], "no"],
    ["search-guard 7", ["desk*", "/[*d].*/"], "unknown"],
  ])("%s: %j", (server, patterns, verdict) => {
    const found = asked(servers[server], patterns, rollover, "desk-1");
    expect(found.verdict).toBe(verdict);
    const doubts = found.permissions.flatMap((one) => one.doubts);
    if (verdict === "unknown") expect(doubts).not.toEqual([]);
  });

  it.each(["?*", "**", "/.*/"])("before OpenSearch 2.19, a search of all takes `*` itself, and not %s", (pattern) => {
    expect(asked(servers["opensearch 2.11"], [pattern], "search", "*").verdict).toBe("no");
    expect(asked(servers["opensearch 2.19"], [pattern], "search", "*").verdict).toBe("yes");
  });
});

describe("a request that names no index", () => {
  it.each(["opensearch 2.11", "opensearch 2.19", "search-guard 7"] as const)("is about all: %s", (server) => {
    expect(asked(servers[server], ["desk*"], aliases).verdict).toBe("no");
    expect(asked(servers[server], ["*"], aliases).verdict).toBe("yes");
    expect(asked(servers[server], ["desk*"], aliases, "desk-1").verdict).toBe("yes");
    expect(asked(servers[server], ["desk*"], readAll).verdict).toBe("no");
  });

  it("is another question than one about an index, which says so", () => {
    const notes = (words: Parameters<typeof parseQuestion>[0]) => listIgnoredNotes(parseQuestion(words, "2.19"));
    expect(notes({ action: aliases, index: "desk-1" }).join()).toContain("GET _alias/NAME");
    expect([...notes({ action: aliases }), ...notes({ action: "search", index: "desk-1" })]).toEqual([]);
  });

  it("has to name one elsewhere", () => {
    expect(() => asked(servers["opensearch 2.19"], ["*"], rollover)).toThrow("none is named");
    expect(findRequestKind(rollover, "2.19")?.index).toEqual([rollover]);
  });
});

it.each([
  ["opensearch", "2.19", "no"],
  // Seen to fail, and not to.
  ["search-guard", "7.x-38", "unknown"],
] as const)("resizing fails where a restriction applies, or may: %s", (product, release, restricted) => {
  const text = `
roles:
  all: { index_permissions: [{ index_patterns: ['*'], allowed_actions: ['*'] }] }
  less: { index_permissions: [{ index_patterns: [hr-1], allowed_actions: [read], fls: [a] }] }
role_mappings: { all: { users: [ana] }, less: { users: [ana] } }
`;
  const request = findRequestKind(resize, release);
  if (!request) throw new Error("no resizing");
  const verdict = (index: string) =>
    evaluateQuestion(modelFrom(text, product, release), subjectFrom("ana @1.1.1.1", {}), request, [index]).verdict;
  expect([verdict("hr-1"), verdict("hr-2")]).toEqual([restricted, "yes"]);
});
