import { describe, expect, test } from "vitest";
import { partitionNames } from "../../../../src/access/patterns/partition.ts";

/** Examples and the patterns that meet them, in order of the examples. */
function examples(patterns: readonly string[], kind: "index" | "text", limit = 100): Record<string, string> {
  const { cells, tooMany } = partitionNames(patterns, kind, limit);
  expect(tooMany).toBe(false);
  const named = cells.map(({ matched, example }) => [example, matched.map((at) => patterns[at]).join(" ")] as const);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("fragments", () => {
  test("of indexes", () => {
    expect(examples(["logs-*", "logs-app-*", "*", "*-prod", "hr-1", "/hr-[0-9]+/", "metrics*"], "index")).toEqual({
      "hr-0": "* /hr-[0-9]+/",
      "hr-1": "* hr-1 /hr-[0-9]+/",
      "logs-2026": "logs-* *",
      "logs-app-2026": "logs-* logs-app-* *",
      "logs-app-prod": "logs-* logs-app-* * *-prod",
      "logs-prod": "logs-* * *-prod",
      "metrics-2026": "* metrics*",
      "metrics-prod": "* *-prod metrics*",
      other: "*",
      "other-prod": "* *-prod",
    });
  });

  test("of actions", () => {
    const actions = ["indices:data/read/*", "indices:data/write/*", "indices:data/write/bulk*", "indices:*"];
    expect(examples([...actions, "cluster:monitor/*", "indices:admin/mapping/put"], "text")).toEqual({
      "cluster:monitor/stats": "cluster:monitor/*",
      "indices:admin/mapping/put": "indices:* indices:admin/mapping/put",
      "indices:data/read/search": "indices:data/read/* indices:*",
      "indices:data/write/bulk": "indices:data/write/* indices:data/write/bulk* indices:*",
      "indices:data/write/index": "indices:data/write/* indices:*",
      "indices:monitor/stats": "indices:*",
      other: "",
    });
  });

  test("of no pattern at all", () => expect(examples([], "index")).toEqual({ other: "" }));
  test("of names, which are never empty", () => {
    expect(examples(["/[^q]*/", "??*"], "text")).toEqual({
      a: "/[^q]*/",
      "aa-a": "/[^q]*/ ??*",
      aq: "??*",
      q: "",
    });
    expect(examples(["*", ""], "text")).toEqual({ other: "*" });
  });
  test("without the one that no text is of", () => expect(examples(["*"], "text")).toEqual({ other: "*" }));

  test("of what can name an index", () => {
    expect(
      examples(["LOGS-*", "a b", ".", "..", "-a", "_all", "+*", "a,b", "a:*", "a#*", "...", ".?"], "index"),
    ).toEqual({
      "...": "...",
      ".a": ".?",
      other: "",
    });
  });

  test("texts that are written out are no example of another fragment", () => {
    expect(examples(["a?", "logs-*", "logs-2026", "other"], "index")).toEqual({
      aa: "a?",
      another: "",
      "logs-2026": "logs-* logs-2026",
      "logs-a": "logs-*",
      other: "other",
    });
    const written = ["ab-2026", "ab-a", "ab-b", "ab"];
    expect(examples(["ab*", "a*", ...written], "index")).toEqual({
      ...Object.fromEntries(written.map((text) => [text, `ab* a* ${text}`])),
      aba: "ab* a*",
      "a-2026": "a*",
      other: "",
    });
    expect(examples(["/[ab]/", "a", "b"], "text")).toEqual({ a: "/[ab]/ a", b: "/[ab]/ b", other: "" });
    expect(examples(["?", "/[a-c]/", "a"], "text")).toEqual({ a: "? /[a-c]/ a", b: "? /[a-c]/", d: "?", other: "" });
  });

  test("one pattern twice, and opaque ones", () => {
    expect(partitionNames(["a*", "${user.name}", "a*", "/\\bx/", "b", "b"], "text", 9)).toMatchObject({
      cells: [
        { matched: [4, 5], example: "b" },
        { matched: [], example: "other" },
        { matched: [0, 2], example: "a-a" },
      ],
      opaque: [1, 3],
      tooMany: false,
    });
  });

  test("no more of them than there are, for stems that no text begins with", () => {
    expect(partitionNames(["LOGS-*", "-a*", "_*", "a?"], "index", 2)).toMatchObject({ tooMany: false });
    expect(partitionNames(["LOGS-*", "-a*", "_*", "a?"], "text", 4)).toMatchObject({ tooMany: true });
  });

  test("too many of them, or too long a search", () => {
    expect(partitionNames(["a*", "b*", "c"], "text", 4)).toMatchObject({ tooMany: false });
    const { cells, tooMany } = partitionNames(["a*", "b*", "c"], "text", 3);
    expect([cells.length, tooMany]).toEqual([3, true]);
    const infixes = Array.from({ length: 40 }, (_, at) => `*${at}x*`);
    expect(partitionNames(infixes, "text", 100)).toMatchObject({ tooMany: true });
    expect(partitionNames(infixes, "text", 1e9)).toMatchObject({ tooMany: true });
  });
});
