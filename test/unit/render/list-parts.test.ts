import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { splitIntoParts } from "../../../src/render/views/list-parts.ts";
import { randomFrom } from "../../fixtures/random.ts";
import { planMarkdown, planText } from "../../support/rendered.ts";
import { at, create, leave, plain, planOf, remove, update } from "./plans.ts";

function numbered<T>(count: number, make: (name: string, index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(String(index).padStart(4, "0"), index));
}

const monitor = (name: string, line = 1) =>
  update(
    "roles",
    name,
    { cluster_permissions: [`own:${name}`] },
    { cluster_permissions: [`own:${name}`, "monitor"] },
    at("roles.yml", line),
  );
/** In other words than its name. */
const inWords = (name: string) => name.replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
const different = (name: string) =>
  update("roles", name, {}, { cluster_permissions: [`x:${inWords(name)}`] }, at("roles.yml", 2));

/** The section of the roles. */
function check(changes: readonly Change[], lines: readonly string[], parts: Parameters<typeof planOf>[0] = {}): void {
  const text = planText(planOf({ changes, ...parts }), plain);
  const [, , section = ""] = text.split("\n\n");
  expect(section.split("\n").slice(1)).toEqual(lines);
}

const team = (count: number, from = 0) => numbered(count + from, (name) => monitor(`team_${name}`)).slice(from);
const monitorRows = ["      cluster_permissions", "        + monitor"];
const ownLines = (name: string) => [`  ~ ${name}${" ".repeat(80 - 4 - name.length - 11)}roles.yml:1`, ...monitorRows];

describe("a long plan", () => {
  it("is shown as it is up to twelve changes", () => {
    check(
      team(12),
      team(12).flatMap(({ name }) => ownLines(name)),
    );
  });
  it("shows what is alike once, from four on", () => {
    check(
      [...team(21)],
      [
        `  ~ 21 roles alike${" ".repeat(80 - 18 - 9)}roles.yml`,
        "    team_0000, team_0001, team_0002, team_0003, team_0004, ... 16 more (--full)",
        ...monitorRows,
      ],
    );
    const others = numbered(18, (name) => different(`other_${name}`));
    expect(planText(planOf({ changes: [...others, ...team(3)] }), plain)).not.toContain("alike");
    expect(planText(planOf({ changes: [...others, ...team(4)] }), plain)).toContain(
      "    team_0000, team_0001, team_0002, team_0003\n      cluster_permissions\n        + monitor\n",
    );
  });
  it("keeps apart what a guard names, agreed to or not", () => {
    const named = { rule: "protected", what: "w", addresses: ["roles/team_0007"] };
    for (const parts of [{ waived: [named] }, { violations: [{ ...named, remedies: [] }] }]) {
      check(
        team(30),
        [
          `  ~ 29 roles alike${" ".repeat(80 - 18 - 9)}roles.yml`,
          "    team_0000, team_0001, team_0002, team_0003, team_0004, ... 24 more (--full)",
          ...monitorRows,
          ...ownLines("team_0007"),
        ],
        parts,
      );
    }
  });
  it("folds what is only evaluated by its number", () => {
    const addresses = team(30).map(({ name }) => `roles/${name}`);
    const waived = [{ rule: "changes", countsEntries: true, what: "w", addresses }] as const;
    const text = planText(planOf({ changes: team(30), waived }), plain);
    expect(text).toContain("~ 30 roles alike");
  });
  it("names all that is deleted, up to four hundred", () => {
    const gone = (count: number) =>
      numbered(count, (name) => remove("roles", `gone_${name}`, { cluster_permissions: [name] }));
    const text = planText(planOf({ changes: gone(400) }), plain);
    expect(text).toMatch(/\n {2}- 400 roles +not declared\n {4}gone_0000, /);
    for (const { name } of gone(400)) expect(text).toContain(`${name}`);
    expect(planText(planOf({ changes: gone(401) }), plain)).toMatch(/gone_0398,\s+\.\.\. 2 more \(--full\)/);
  });
  it("shows forty of too many that are all different, names a hundred and counts the rest", () => {
    const text = planText(planOf({ changes: numbered(500, different) }), plain);
    expect(text).toMatch(
      / {2}~ 0039 +roles.yml:2\n {6}cluster_permissions\n {8}\+ x:aadj\n {2}~ 460 more roles, by name only +roles.yml\n {4}0040, /,
    );
    expect(text).toContain("0138, ... 361 more (--full)\n");
    expect(planText(planOf({ changes: numbered(100, different) }), plain)).not.toContain("more");
  });
  it("shows what differs beyond the line that is shown of it", () => {
    const changes = numbered(30, (name) =>
      create("tenants", name, { description: `${"long ".repeat(40)}${inWords(name)}` }),
    );
    expect(planText(planOf({ changes }), plain)).not.toContain("alike");
  });
  it("does not take what comes for what goes, or one file for several", () => {
    const there = numbered(15, (name) => leaveDiffering(name, { before: ["a"] }));
    const declared = numbered(15, (name) => leaveDiffering(`n${name}`, { after: ["a"] }));
    const both = numbered(15, (name) => leaveDiffering(`w${name}`, { before: [], after: ["a"] }));
    expect(planText(planOf({ changes: [...there, ...declared, ...both] }), plain).match(/15 roles alike +.*/g)).toEqual(
      [
        expect.stringContaining("not declared, observed only"),
        expect.stringContaining("not on the server, observed only"),
        expect.stringContaining("differs, observed only"),
      ],
    );
    const files = numbered(30, (name, index) => ({ ...monitor(name), origin: at(`${index % 3}.yml`, 1) }));
    expect(planText(planOf({ changes: files }), plain)).toMatch(/~ 30 roles alike +3 files\n/);
  });
  it("shows entries of one pattern once, with all their names", () => {
    const reader = (word: string) =>
      create("roles", `${word}_reader`, {
        index_permissions: [{ index_patterns: [`${word}-*`], allowed_actions: ["READ"] }],
      });
    const words = numbered(20, (name) => `team${inWords(name)}`);
    const changes = [...words.map(reader), create("roles", "odd_reader", { cluster_permissions: ["odd"] })];
    const text = planText(planOf({ changes }), plain);
    expect(text).toMatch(/\n {2}\+ 20 roles alike but for … in …_reader\n/);
    for (const word of words) expect(text).toContain(`${word}_reader`);
    expect(text).toContain("      index_permissions  + …-*\n");
    expect(text).toContain("\n  + odd_reader\n      cluster_permissions\n        + odd\n");
    const inside = create("roles", "hr_reader", {
      index_permissions: [{ index_patterns: ["hr-*", "payroll"], allowed_actions: ["READ"] }],
    });
    expect(planText(planOf({ changes: [...changes, inside] }), plain)).toMatch(/\n {2}\+ hr_reader\n/);
  });
  it("takes a single digit for a word of its own, and not for a part of others", () => {
    const reader = (index: number, pattern = `team-${index}-*`) =>
      create("roles", `team_${index}_reader`, {
        index_permissions: [{ index_patterns: [pattern], allowed_actions: ["READ"] }],
      });
    const changes = Array.from({ length: 30 }, (_, index) => reader(index));
    expect(planText(planOf({ changes }), plain)).toMatch(/\n {2}\+ 30 roles alike but for … in team_…_reader\n/);
    const odd = [...changes.slice(0, 7), reader(7, "team-17-*"), ...changes.slice(8)];
    expect(planText(planOf({ changes: odd }), plain)).toMatch(
      /\n {2}\+ team_7_reader\n {6}index_permissions +\+ team-17-\*/,
    );
  });
  it("names all that is renamed, up to four hundred", () => {
    const role = (name: string) => ({ cluster_permissions: [`own:${name}`] });
    const changes = numbered(300, (name) => [
      create("roles", `new_${name}`, role(name)),
      remove("roles", `old_${name}`, role(name)),
    ]).flat();
    for (const text of [planText(planOf({ changes }), plain), planMarkdown(planOf({ changes }))]) {
      expect(text).toMatch(/~ 300 roles renamed/);
      for (const { name } of changes) expect(text).toContain(name);
    }
  });
  it("names what is renamed where there is no space for what is created", () => {
    const role = { cluster_permissions: ["moved"] };
    const created = numbered(150, (name) => create("roles", `a${name}`, { cluster_permissions: [inWords(name)] }));
    const moved = [create("roles", "new", role), remove("roles", "old", role)];
    const text = planText(planOf({ changes: [...created, ...moved] }), plain);
    expect(text).toMatch(/\n {2}\+ 110 more roles, by name only\n/);
    expect(text).toMatch(/\n {2}~ 1 more role, by name only\n {4}old -> new\n/);
    const long = numbered(90, (name, index) =>
      create("roles", `b${name}`, {
        cluster_permissions: Array.from({ length: 20 }, (_, at) => inWords(`${index}`).repeat(40) + at),
      }),
    );
    const comment = planMarkdown(planOf({ changes: [...long, ...moved] }));
    expect(comment).toContain("more, too long for a comment");
    expect(comment).toContain("~ old -> new");
  });
  it("never leaves to a name what may be done", () => {
    const words = [
      "read",
      "write",
      "manage",
      "search",
      "index",
      "get",
      "delete",
      "monitor",
      "crud",
      "data",
      "all",
      "bulk",
      "scroll",
    ];
    const changes = words.map((word) => create("roles", `${word}_x`, { cluster_permissions: [`own:${word}`] }));
    const text = planText(planOf({ changes }), plain);
    expect(text).not.toContain("alike");
    for (const word of words) expect(text).toContain(`\n        + own:${word}\n`);
  });
  it("counts requests beyond fifty", () => {
    const operations = numbered(
      60,
      (name) => ({ family: "roles", method: "PUT", path: `/${name}`, names: [name], bulk: false }) as const,
    );
    const text = planText(planOf({ changes: team(1), operations }), plain);
    expect(text).toContain("  49  PUT     role 0048\n  ... 11 more (--full)\n\n");
    expect(planText(planOf({ changes: team(1), operations }), { ...plain, full: true })).toContain(
      "60  PUT     role 0059\n",
    );
  });
});

/** @param sides what its permissions are on each side on which there is one */
function leaveDiffering(
  name: string,
  sides: { readonly before?: readonly string[]; readonly after?: readonly string[] },
): Change {
  const whole = Object.entries(sides).map(([side, cluster_permissions]) => [side, { cluster_permissions }]);
  const edits = [{ path: ["cluster_permissions"], ...sides }];
  return { ...leave("roles", name, "observed"), edits, ...Object.fromEntries(whole) };
}

/** Some hundred changes, of which few or many are alike. */
function chance(seed: number): readonly Change[] {
  const random = randomFrom(`fold ${seed}`);
  const kinds = 1 + random.below(300);
  return numbered(1 + random.below(400), (name): Change => {
    const kind = String(random.below(kinds));
    if (random.chance(0.2)) return remove("roles", name);
    return random.chance(0.3)
      ? create("roles", name, { cluster_permissions: [random.chance(0.2) ? name : kind] })
      : update("roles", name, { cluster_permissions: ["a"] }, { cluster_permissions: [kind] });
  });
}

describe.each([...Array(8).keys()])("whatever is folded: %i", (seed) => {
  const changes = chance(seed);
  const apart = new Set(changes.filter((_, index) => index % 17 === 0));

  it("each is in exactly one part, and what is to be apart is", () => {
    const parts = splitIntoParts(changes, {
      looks: ({ action, after }) => `${action} ${JSON.stringify(after)}`,
      isAlone: (change) => apart.has(change),
      isShown: () => false,
      kindOf: ({ action }) => action,
    });
    const all = parts.flatMap(({ items }) => items);
    expect(all).toHaveLength(changes.length);
    expect(new Set(all)).toEqual(new Set(changes));
    const alone = parts.flatMap((part) => (part.kind === "one" ? part.items : []));
    expect([...apart].filter((change) => !alone.includes(change))).toEqual([]);
  });
  it("the counts that are shown are those of the plan, and --full shows each", () => {
    const plan = planOf({ changes });
    for (const text of [planText(plan, plain), planMarkdown(plan)]) {
      const counted = [
        ...text.matchAll(/^ *[-+~] (\d+) (?:more )?roles?(?: alike(?: but for … in …)?|, by name only)?(?: {4}|$)/gm),
      ];
      const shown = text.match(/^ {0,2}[-+~] \d{4}(?: |$)/gm) ?? [];
      expect(counted.reduce((sum, [, count]) => sum + Number(count), shown.length)).toBe(changes.length);
    }
    for (const text of [planText(plan, { ...plain, full: true }), planMarkdown(plan, { full: true })]) {
      const shown = [...text.matchAll(/^ {0,2}[-+~] (\d{4})(?: |$)/gm)].map(([, name]) => name);
      expect(shown).toEqual(changes.map(({ name }) => name));
    }
  });
});

it("what comes to mean everything is shown whole among many that are only named", () => {
  const narrow = numbered(130, (name) =>
    update("roles", name, { cluster_permissions: ["a"] }, { cluster_permissions: [inWords(name)] }),
  );
  const wide = update("roles", "wide", { cluster_permissions: ["a"] }, { cluster_permissions: ["*"] });
  const text = planText(planOf({ changes: [...narrow, wide] }), plain);
  expect(text).toContain("by name only");
  expect(text).toMatch(/~ wide(?: .*)?\n +cluster_permissions\n +- a\n +\+ \*/);
});

it("so it is where several are alike, and there is no space for all that are", () => {
  const alike = numbered(120, (group) =>
    numbered(5, (name) =>
      update("roles", `${group}_${name}`, { cluster_permissions: ["a"] }, { cluster_permissions: [group] }),
    ),
  ).flat();
  const wide = numbered(4, (name) => create("roles", `wide_${name}`, { cluster_permissions: ["*"] }));
  const text = planText(planOf({ changes: [...alike, ...wide] }), plain);
  expect(text).toContain("by name only");
  expect(text).toMatch(/\+ 4 roles alike/);
});
