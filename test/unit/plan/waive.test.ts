import { describe, expect, it, test } from "vitest";
import type { Waiver } from "../../../src/model/waiver.ts";
import { waiveViolations } from "../../../src/plan/guards/waive.ts";

const origin = { file: { path: "waivers.yaml", text: "" }, start: 0, end: 0 };
const finding = {
  rule: "deletions",
  family: "roles",
  what: "Two would go.",
  addresses: ["roles/a", "roles/b=c"],
} as const;
const both = ["roles/a", "roles/b=c"];
const today = "2026-06-15";

function waiver(addresses: readonly string[], more: Partial<Waiver> = {}): Waiver {
  return { rule: "deletions", addresses, reason: "OPS-1", origin, ...more };
}

/** The addresses still refused, and the codes of what is said of waivers. */
function check(
  allowed: readonly string[],
  waivers: readonly Waiver[],
  left: readonly string[],
  ...codes: readonly string[]
) {
  const { violations, waived, diagnostics, notes } = waiveViolations([finding], { allowed, waivers, today });
  expect(violations.flatMap(({ addresses }) => addresses)).toEqual(left);
  expect(waived.flatMap(({ addresses }) => addresses)).toEqual(both.filter((address) => !left.includes(address)));
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  expect(notes.some((note) => !note.endsWith("waived nothing."))).toBe(left.length === 0);
}

describe("--allow", () => {
  test.for<[word: string, left: readonly string[]]>([
    ["deletions", []],
    ["deletions=roles", []],
    ["deletions=tenants", both],
    ["deletion", both],
    ["deletions=roles/a", ["roles/b=c"]],
    ["deletions=roles/b=c", ["roles/a"]],
    ["changes", both],
  ])("%s leaves %j", ([word, left]) => check([word], [], left));
});

describe("a waiver", () => {
  it("lifts what it names", () => check([], [waiver(both)], []));
  it("waives nothing more: one address more, and it is again", () => {
    check([], [waiver(["roles/a"])], ["roles/b=c"]);
    const [violation] = waiveViolations([finding], { allowed: [], waivers: [waiver(["roles/a"])], today }).violations;
    expect(violation?.why).toBe("1 of them is waived; these are not:");
  });
  it("waives nothing that names no entry, and neither does --allow", () => {
    const { violations } = waiveViolations([{ ...finding, addresses: [] }], {
      allowed: ["deletions"],
      waivers: [waiver(both)],
      today,
    });
    expect(violations.map(({ rule, remedies }) => [rule, remedies])).toEqual([["deletions", []]]);
  });
  it("may be in several places", () => check([], [waiver(["roles/a"]), waiver(["roles/b=c"])], []));
  it("goes together with --allow", () => check(["deletions=roles/b=c"], [waiver(["roles/a"])], []));
  it("is held against the findings of its own rule, however many there are of each", () => {
    const changes = { ...finding, rule: "changes", addresses: ["roles/c"] };
    const waivers = [waiver(both), waiver(["roles/c"]), waiver(["roles/c", "roles/d"], { rule: "changes" })];
    const { violations, diagnostics } = waiveViolations([finding, changes, finding], { allowed: [], waivers, today });
    expect(violations).toEqual([]);
    expect(diagnostics.map(({ what }) => what)).toEqual([
      "The waiver to deletions waives nothing.",
      "The waiver to changes waives nothing for roles/d.",
    ]);
  });
  it("is reported one by one where there are few, and else together with those of its reason", () => {
    const addresses = Array.from({ length: 500 }, (_, index) => `roles/r${index}`);
    const explained = (count: number) => {
      const some = addresses.slice(0, count);
      const waivers = some.map((address, index) => waiver([address], index === 7 ? { reason: "OPS-2" } : {}));
      return waiveViolations([{ ...finding, addresses: some }], { allowed: [], waivers, today }).notes;
    };
    expect(explained(20)).toHaveLength(20);
    expect(explained(500)).toEqual([
      "Waived at waivers.yaml:1:1 and 498 more places (deletions: OPS-1): Two would go.",
      "Waived at waivers.yaml:1:1 (deletions: OPS-2): Two would go.",
    ]);
  });
  it("of another rule waives nothing, which is reported", () => {
    check([], [waiver(both, { rule: "changes" })], both, "unused-waiver");
  });
  it("to more than there is waives it, and the rest is reported", () => {
    check([], [waiver([...both, "roles/gone"])], [], "unused-waiver");
  });
  it("counts on its last day, and not on the next", () => {
    check([], [waiver(both, { until: today })], []);
    check([], [waiver(both, { until: "2026-06-14" })], both, "expired-waiver");
  });
});

it("says of an address or a family that was allowed and waived nothing", () => {
  const noted = (...allowed: readonly string[]) => waiveViolations([finding], { allowed, waivers: [], today }).notes;
  expect(noted("deletions", "changes")).toHaveLength(1);
  expect(noted("deletions=roles", "deletions=roles/misspelt", "changes=roles")).toEqual([
    expect.stringContaining("Allowed for this run"),
    "--allow deletions=roles/misspelt waived nothing.",
    "--allow changes=roles waived nothing.",
  ]);
});

it("what no rule of ours may waive is whatever is allowed", () => {
  const unloadable = { ...finding, rule: "unloadable" };
  const all = { allowed: ["unloadable"], waivers: [waiver(both, { rule: "unloadable" })], today };
  expect(waiveViolations([unloadable], all).violations).toMatchObject([{ rule: "unloadable", remedies: [] }]);
});

it("the remedies are ready to be copied", () => {
  const [violation] = waiveViolations([finding], { allowed: [], waivers: [], today }).violations;
  expect(violation?.remedies.map(({ text }) => text)).toEqual([
    "--allow deletions=roles",
    'waivers:\n  - rule: deletions\n    addresses:\n      - roles/a\n      - "roles/b=c"\n    reason: WHY',
  ]);
  const [one] = waiveViolations([{ ...finding, addresses: ["roles/it's $HOME"] }], {
    allowed: [],
    waivers: [],
    today,
  }).violations;
  expect(one?.remedies[0]?.text).toBe(`--allow 'deletions=roles/it'\\''s $HOME'`);
});
