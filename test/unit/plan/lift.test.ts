import { describe, expect, it, test } from "vitest";
import type { Consent } from "../../../src/model/consent.ts";
import { lift } from "../../../src/plan/guards/lift.ts";

const origin = { file: { path: "consents.yaml", text: "" }, start: 0, end: 0 };
const finding = {
  rule: "deletions",
  family: "roles",
  what: "Two would go.",
  addresses: ["roles/a", "roles/b=c"],
} as const;
const today = "2026-06-15";

function consent(addresses: readonly string[], more: Partial<Consent> = {}): Consent {
  return { rule: "deletions", addresses, reason: "OPS-1", origin, ...more };
}

/** The addresses that still stand against the plan, and the codes of what is said of consents. */
function check(
  allowed: readonly string[],
  consents: readonly Consent[],
  left: readonly string[],
  ...codes: readonly string[]
) {
  const { violations, diagnostics, notes } = lift([finding], { allowed, consents, today });
  expect(violations.flatMap(({ addresses }) => addresses)).toEqual(left);
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  expect(notes.some((note) => !note.endsWith("lifted nothing."))).toBe(left.length === 0);
}

const both = ["roles/a", "roles/b=c"];

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

describe("a consent", () => {
  it("lifts what it names", () => check([], [consent(both)], []));
  it("lifts nothing more: one address more, and it stands again", () => {
    check([], [consent(["roles/a"])], ["roles/b=c"]);
    const [violation] = lift([finding], { allowed: [], consents: [consent(["roles/a"])], today }).violations;
    expect(violation?.why).toBe("1 of them is consented to; these are not:");
  });
  it("may stand in several places", () => check([], [consent(["roles/a"]), consent(["roles/b=c"])], []));
  it("goes together with --allow", () => check(["deletions=roles/b=c"], [consent(["roles/a"])], []));
  it("is held against the findings of its own rule, however many there are of each", () => {
    const changes = { ...finding, rule: "changes", addresses: ["roles/c"] };
    const consents = [consent(both), consent(["roles/c"]), consent(["roles/c", "roles/d"], { rule: "changes" })];
    const { violations, diagnostics } = lift([finding, changes, finding], { allowed: [], consents, today });
    expect(violations).toEqual([]);
    expect(diagnostics.map(({ what }) => what)).toEqual([
      "The consent to deletions lifts nothing.",
      "The consent to changes lifts nothing for roles/d.",
    ]);
  });
  it("is told one by one where there are few, and else together with those of its reason", () => {
    const addresses = Array.from({ length: 500 }, (_, index) => `roles/r${index}`);
    const told = (count: number) => {
      const some = addresses.slice(0, count);
      const consents = some.map((address, index) => consent([address], index === 7 ? { reason: "OPS-2" } : {}));
      return lift([{ ...finding, addresses: some }], { allowed: [], consents, today }).notes;
    };
    expect(told(20)).toHaveLength(20);
    expect(told(500)).toEqual([
      "Consented to at consents.yaml:1:1 and 498 more places (deletions: OPS-1): Two would go.",
      "Consented to at consents.yaml:1:1 (deletions: OPS-2): Two would go.",
    ]);
  });
  it("of another rule lifts nothing, which is told", () => {
    check([], [consent(both, { rule: "changes" })], both, "unused-consent");
  });
  it("to more than there is lifts it, and the rest is told", () => {
    check([], [consent([...both, "roles/gone"])], [], "unused-consent");
  });
  it("counts on its last day, and not on the next", () => {
    check([], [consent(both, { until: today })], []);
    check([], [consent(both, { until: "2026-06-14" })], both, "expired-consent");
  });
});

it("says of an address or a family that was allowed and lifted nothing", () => {
  const noted = (...allowed: readonly string[]) => lift([finding], { allowed, consents: [], today }).notes;
  expect(noted("deletions", "changes")).toHaveLength(1);
  expect(noted("deletions=roles", "deletions=roles/misspelt", "changes=roles")).toEqual([
    expect.stringContaining("Allowed for this run"),
    "--allow deletions=roles/misspelt lifted nothing.",
    "--allow changes=roles lifted nothing.",
  ]);
});

it("what no rule of ours may lift stands whatever is allowed", () => {
  const poisoned = { ...finding, rule: "poisoned" };
  const all = { allowed: ["poisoned"], consents: [consent(both, { rule: "poisoned" })], today };
  expect(lift([poisoned], all).violations).toMatchObject([{ rule: "poisoned", remedies: [] }]);
});

it("the remedies are ready to be copied", () => {
  const [violation] = lift([finding], { allowed: [], consents: [], today }).violations;
  expect(violation?.remedies.map(({ text }) => text)).toEqual([
    "--allow deletions=roles",
    'consents:\n  - rule: deletions\n    addresses:\n      - roles/a\n      - "roles/b=c"\n    reason: WHY',
  ]);
  const [one] = lift([{ ...finding, addresses: ["roles/it's $HOME"] }], {
    allowed: [],
    consents: [],
    today,
  }).violations;
  expect(one?.remedies[0]?.text).toBe(`--allow 'deletions=roles/it'\\''s $HOME'`);
});
