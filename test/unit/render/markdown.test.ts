import { describe, expect, it } from "vitest";
import type { Plan, Violation } from "../../../src/model/plan.ts";
import { planToMarkdown } from "../../../src/render/markdown.ts";
import { create, documents, hrStory, inSync, nasty, planOf, refused, remove, secretText } from "./plans.ts";

/** What is left when fenced blocks and code spans are taken out, as a Markdown reader takes them out. */
function outsideCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const run = /^ {0,3}(`{3,})(?<info>.*)$/.exec(line);
    if (fence === undefined && run) fence = run[1];
    else if (fence !== undefined && run?.groups?.info?.trim() === "" && (run[1] ?? "").length >= fence.length)
      fence = undefined;
    else if (fence === undefined) kept.push(line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "CODE"));
  }
  expect(fence).toBeUndefined();
  return kept.join("\n");
}

describe("a plan as a comment", () => {
  it("begins with the summary", () => {
    expect(planToMarkdown(hrStory).split("\n")[0]).toBe(
      "`staging`: **1 to create, 2 to change, 1 to delete, in 2 requests.**",
    );
    expect(planToMarkdown(refused).split("\n")[0]).toBe("`staging`: **refused: 6 to delete, in 1 request.**");
    expect(planToMarkdown(inSync).split("\n\n")).toHaveLength(2);
  });
  it("counts in a table and shows each family as a diff", () => {
    const text = planToMarkdown(hrStory);
    expect(text).toContain("| Roles | 1 | 1 | 1 | 41 in sync, 9 reserved, 3 not ours |\n");
    expect(text).toContain(
      "<details><summary>Role mappings: 1 to change</summary>\n\n```diff\n~ hr_reader    (mappings.yml:8)\n",
    );
    expect(text).toContain('\n-     dls  {"term": {"dept": "hr"}}\n+          {"terms": {"dept": ["hr", "people"]}}\n');
    expect(text).toContain("\n2. PATCH `role mapping hr_reader` (64 B): `after the roles, ");
  });
  it("says that a snapshot's plan cannot be applied, and holds no secret", () => {
    const text = planToMarkdown(documents);
    expect(text).toContain("this plan cannot be applied.");
    expect(text).not.toMatch(new RegExp(`${secretText}|hunter1`));
  });
  it("lets nothing that users named out of code", () => {
    const outside = outsideCode(planToMarkdown(nasty));
    expect(outside).not.toMatch(/@|evil|script|__proto__|everyone|[^\P{C}\n]/u);
    expect(outside.match(/<[^>]*>/g)?.filter((tag) => !/^<\/?(details|summary)>$/.test(tag))).toEqual([]);
    expect(outside.match(/<details>/g)?.length).toBe(outside.match(/<\/details>/g)?.length);
  });
  it.each([
    [
      "many changes",
      planOf({
        changes: Array.from({ length: 3000 }, (_, i) => create("tenants", `t${i}`, { description: "x".repeat(60) })),
      }),
    ],
    ["a huge name", planOf({ changes: [create("tenants", "n".repeat(90_000), {})] })],
    ["huge notes", planOf({ changes: [create("tenants", "t", {})], notes: ["n".repeat(90_000)] })],
  ])("fits into a comment: %s", (_what, plan) => {
    const text = planToMarkdown(plan);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(outsideCode(text)).toMatch(/to create, in 0 requests[\s\S]*\| Tenants \|/);
    expect(text).toMatch(/too long for a comment/);
  });
});

const many = Array.from({ length: 1400 }, (_, index) => `roles/team_with_a_rather_long_name_${index}`);

function violationOf(parts: Partial<Violation>): Violation {
  return {
    rule: "deletions",
    family: "roles",
    what: "1400 of 1500 roles would be deleted",
    why: "limit: 20 %",
    addresses: many,
    remedies: [
      { how: "for this run", text: "--allow deletions=roles" },
      {
        how: "in a state file",
        text: ["consents:", "    addresses:", ...many.map((name) => `      - ${name}`), "    reason: WHY"].join("\n"),
      },
    ],
    ...parts,
  };
}

const deleted: Partial<Plan> = {
  changes: many.map((address) => remove("roles", address.slice("roles/".length))),
  operations: refused.operations,
};

describe("a refused plan that is too long says why", () => {
  it.each<[string, Partial<Plan>]>([
    ["many deletions", {}],
    ["and what is said at length besides", { notes: ["n".repeat(90_000)] }],
    ["and sentences without end", { violations: [violationOf({ why: `limit: 20 % ${"w".repeat(90_000)}` })] }],
    ["and hundreds of reasons", { violations: Array.from({ length: 300 }, () => violationOf({})) }],
    ["and changes of great detail", { changes: many.map((name) => create("tenants", name, { description: name })) }],
  ])("%s", (_what, parts) => {
    const since = { ref: "main", commit: "0".repeat(40), turned: [{ family: "roles", was: "adopt" }] } as const;
    const text = planToMarkdown(planOf({ ...deleted, violations: [violationOf({})], since, ...parts }));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toContain("! 1400 of 1500 roles would be deleted (guard deletions)\n    limit: 20 %");
    expect(text).toMatch(/ roles\/team_with_a_rather_long_name_0, .* and \d+ more\n/);
    expect(text).toContain("    --allow deletions=roles\n");
    expect(text).toMatch(/consents:\n[\s\S]*more lines: gate-sync plan --full\n {4} +reason: WHY/);
    expect(text).toContain("Since main, ");
    expect(text).toContain("Fingerprint: `0123456789abcdef0123456789abcdef`");
    expect(outsideCode(text)).not.toMatch(/team_with/);
  });
  it("and shows what there is room for of its changes", () => {
    const text = planToMarkdown(planOf({ ...deleted, violations: Array.from({ length: 9 }, () => violationOf({})) }));
    expect(text).toMatch(/\n- team_with_a_rather_long_name_0 [\s\S]*\n {2}\.\.\. \d+ more, too long for a comment/);
  });
});
