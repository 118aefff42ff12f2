// Drift in XML, where names, values and authors mean harm, and the words that all formats share.

import { expect, test } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import type { DriftDifference, DriftReport } from "../../../src/model/drift.ts";
import { driftJson, driftJunit, driftMarkdown, driftText } from "../../support/rendered.ts";
import { at, plain, planOf, secretText, update } from "./plans.ts";

function reportOf(differences: readonly DriftDifference[], more: Partial<DriftReport> = {}): DriftReport {
  return {
    target: planOf({}).target,
    differences,
    changes: differences.map(({ change }) => change),
    notes: [],
    ...more,
  };
}

const nasty = `<&"'>]]> \u0000\u0007\u001b[31m\ud800\ufffe\uffff\u202e é 😀\n--`;
const commit = "0123456789abcdef0123456789abcdef01234567";

const change = update("roles", nasty, { description: nasty }, { description: "b", cluster_permissions: [nasty] });
const hurting: DriftDifference = {
  change: { ...change, origin: at(`a&<"b.yml`, 3) },
  moved: "live",
  counts: true,
  author: { name: "<Ann> & \u0001", commit },
};

/** Every tag that is opened is closed, in order; returns what is outside of tags and in attributes. */
function check(xml: string): string {
  const open: string[] = [];
  const rest = xml.replace(/<(\/?)([a-z-]+)((?: [a-z]+="[^"<>]*")*)(\/?)>/g, (_all, end, name, attributes, alone) => {
    if (end) expect(open.pop()).toBe(name);
    else if (!alone) open.push(name);
    return attributes;
  });
  expect(open).toEqual([]);
  expect(rest.replace('<?xml version="1.0" encoding="UTF-8"?>', "")).not.toMatch(
    /[<>]|&(?!(amp|lt|gt|quot|apos|#\d+);)/,
  );
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  return rest;
}

test("XML carries whatever is in names, values, paths and authors", () => {
  const rest = check(driftJunit(reportOf([hurting], { target: { ...planOf({}).target, name: nasty } })));
  expect(rest).toContain('file="a&amp;&lt;&quot;b.yml" line="3"');
  expect(rest).toContain("&lt;Ann&gt; &amp; \\u0001 (0123456789ab)");
  expect(rest).toContain('name="roles/&lt;&amp;&quot;&apos;&gt;]]&gt; \\u0000\\u0007\\u001b[31m\\ud800');
});

test("what moved in git alone passes, what does not count is skipped, and a family without differences is one case", () => {
  const observed = { ...change, name: "o", action: "leave", reason: "observed" } as const;
  const still = { ...update("tenants", "t", {}, {}), action: "leave", reason: "in-sync" } as const;
  const report = reportOf([
    { change: { ...change, name: "g" }, moved: "git", counts: true },
    { change: observed, moved: "live", counts: false },
    { change: { ...change, name: "u" }, moved: "unknown", counts: true },
  ]);
  const xml = driftJunit({ ...report, changes: [...report.changes, still] });
  check(xml);
  expect(xml).toContain('tests="4" failures="1" errors="0" skipped="1"');
  expect(xml).toMatch(/name="roles\/g">\s*<system-out>changed in git: differs/);
  expect(xml).toMatch(
    /name="roles\/o">\s*<skipped message="changed on the server; observed only, left as it is: differs">/,
  );
  expect(xml).toMatch(/name="roles\/u">\s*<failure type="unknown"/);
  expect(xml).toContain('<testcase classname="drift.tenants" name="tenants in sync"/>');
});

test("no format shows a secret, on whichever side it is", () => {
  const secret = new Secret("bind", secretText);
  const config = update("config", "config", { dynamic: { a: secretText, b: 1 } }, { dynamic: { a: secret, b: 2 } });
  const report = reportOf([{ change: config, moved: "live", counts: true }]);
  const shown = [
    driftText(report, plain),
    JSON.stringify(driftJson(report)),
    driftMarkdown(report),
    driftJunit(report),
  ];
  expect(shown.filter((text) => text.includes(secretText))).toEqual([]);
  expect(shown.filter((text) => !/dynamic/.test(text))).toEqual([]);
});

test("text and Markdown hold no control characters, and Markdown no markup of others", () => {
  const report = reportOf([hurting], { baseline: { kind: "commit", ref: "`a`\u001b", commit } });
  expect(driftText(report, plain).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  const outside = driftMarkdown(report).replace(/^(`{3,})diff\n[\s\S]*?^\1$/gm, "");
  expect(outside.replaceAll("\n", "")).not.toMatch(/Ann|\p{Cc}/u);
});

test("the summary says what counts and what does not", () => {
  const one = (moved: DriftDifference["moved"], counts: boolean): DriftDifference => ({ change, moved, counts });
  const last = (...differences: readonly DriftDifference[]) => {
    const lines = driftText(reportOf(differences), plain).split("\n\n");
    // First, and where there is more to read, at the end too.
    if (differences.length > 0) expect(lines.at(-1)).toBe(lines[1]);
    return lines[1];
  };
  expect(last()).toBe("No drift.");
  expect(last(one("git", true))).toBe("No drift. 1 change of git not applied yet.");
  const kept: DriftDifference = {
    change: { family: "internal_users", name: "ana", action: "leave", reason: "not-rotated", edits: [] },
    moved: "git",
    counts: true,
  };
  expect(last(kept, kept)).toBe("No drift. 2 passwords changed in git, not written.");
  expect(last(one("git", true), kept)).toBe(
    "No drift. 1 change of git not applied yet. 1 password changed in git, not\nwritten.",
  );
  expect(last(one("live", false), one("unknown", false))).toBe("No drift. 2 differences left as they are.");
  expect(last(one("both", true), one("live", true), one("git", false))).toBe(
    "Drift: 1 changed on the server, 1 changed in both. 1 difference left as it is.",
  );
});

test("a report that is too long for a comment says what is missing", () => {
  const long = update("roles", "r".repeat(20_000), {}, { cluster_permissions: ["x"] });
  const text = driftMarkdown(reportOf([1, 2, 3].map(() => ({ change: long, moved: "live", counts: true }))));
  expect(text).toContain("... 1 more, too long for a comment: gate-sync drift --full shows them");
  expect(text.length).toBeLessThan(65_536);
});

test("of a journal that was edited nothing reaches the terminal that it would obey", () => {
  const baseline = { kind: "journal", journal: "j", run: "\u001b[2Jx", time: "\u001b[31m\u202e" } as const;
  const text = driftText(reportOf([], { baseline }), plain);
  expect(text).toContain("run \\u001b[2Jx)");
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("a long list says once what moved alike, and apart what did not, or whom another declared", () => {
  const of = (count: number, name: string, parts: Partial<DriftDifference>): readonly DriftDifference[] =>
    Array.from({ length: count }, (_, index) => ({
      change: { ...update("roles", `${name}${index}`, {}, { description: "b" }), origin: at("roles.yml", 3) },
      moved: "live",
      counts: true,
      ...parts,
    }));
  const differences = [
    ...of(12, "ann", { author: { name: "Ann", commit } }),
    ...of(9, "bob", { author: { name: "Bob", commit } }),
    ...of(5, "git", { moved: "git" }),
  ];
  const text = driftText(reportOf(differences), plain);
  expect(text.match(/^ {2}~ .*\n.*\n.*/gm)).toEqual([
    "  ~ 12 roles alike                                                     roles.yml\n    ann0, ann1, ann2, ann3, ann4, ... 7 more (--full)\n      changed on the server; declared by Ann (0123456789ab)",
    "  ~ 9 roles alike                                                      roles.yml\n    bob0, bob1, bob2, bob3, bob4, ... 4 more (--full)\n      changed on the server; declared by Bob (0123456789ab)",
    "  ~ 5 roles alike                                                      roles.yml\n    git0, git1, git2, git3, git4\n      changed in git",
  ]);
  const full = driftText(reportOf(differences), { ...plain, full: true });
  for (const { change: one } of differences) expect(full).toContain(`  ~ ${one.name} `);
  const many = of(300, "m", {}).map((one, index) => {
    const author = { name: `A${index}`, commit };
    return { ...one, author, moved: index % 3 === 0 ? ("both" as const) : one.moved };
  });
  expect(
    driftText(reportOf(many), plain)
      .match(/^ {2}~ \d+ more (?:.*\n {4})+ {2}.*/gm)
      ?.map(ends),
  ).toEqual([
    ["  ~ 174 more roles, by name only", "      changed on the server"],
    ["  ~ 86 more roles, by name only", "      changed in both"],
  ]);
});

function ends(lines: string): readonly (string | undefined)[] {
  const all = lines.split("\n");
  return [all[0]?.replace(/ {2,}\S*$/, ""), all.at(-1)];
}
