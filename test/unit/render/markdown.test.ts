import { describe, expect, it } from "vitest";
import { createDiagnostic } from "../../../src/diagnostics/diagnostic.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Plan, Violation } from "../../../src/model/plan.ts";
import { renderWarningBlocks } from "../../../src/render/markdown/diagnostics.ts";
import { createDiagnosticsView, type DiagnosticsView } from "../../../src/render/views/diagnostics.ts";
import { planMarkdown } from "../../support/rendered.ts";
import {
  at,
  create,
  documents,
  hrScenario,
  inSync,
  leave,
  nasty,
  planOf,
  refused,
  remove,
  secretText,
} from "./plans.ts";

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

/** What posts it adds a marker and links; GitHub refuses more than 65 536 characters. */
const mostInComment = 65_000;

describe("a plan as a comment", () => {
  it("begins with the summary", () => {
    expect(planMarkdown(hrScenario).split("\n")[0]).toBe(
      "`staging`: **1 to create, 2 to change, 1 to delete, in 2 requests.** The rest: 91 in sync, 9 reserved, 3 unmanaged.",
    );
    expect(planMarkdown(refused).split("\n")[0]).toBe(
      "`staging`: **refused: 6 to delete, in 1 request.** The rest: 6 in sync.",
    );
    expect(planMarkdown(inSync).split("\n\n")).toHaveLength(2);
    const violations = [{ rule: "access-tests", what: "w", addresses: [], remedies: [] }];
    expect(planMarkdown(planOf({ changes: [leave("tenants", "t")], violations })).split("\n")[0]).toMatch(
      /pass as it is\.\*\* 1 in sync\.$/,
    );
  });
  it("shows each family that changes as a diff, below its counts", () => {
    const text = planMarkdown(hrScenario);
    expect(text).toContain("<details><summary>Roles: 1 to create, 1 to change, 1 to delete</summary>\n");
    expect(text).not.toContain("Tenants");
    expect(text).toContain(
      "<details><summary>Role mappings: 1 to change</summary>\n\n```diff\n~ hr_reader    (mappings.yml:8)\n",
    );
    expect(text).toContain('\n-     dls  {"term": {"dept": "hr"}}\n+          {"terms": {"dept": ["hr", "people"]}}\n');
    expect(text).toContain("\n2. PATCH `role mapping hr_reader` (64 B): `after the roles, ");
  });
  it("counts what differs and is left, and what cannot be compared, beside what is pending", () => {
    const text = planMarkdown(documents);
    expect(text).toContain("<details><summary>Roles: 1 differs</summary>");
    expect(text).toContain("<details><summary>License: 1 cannot be compared</summary>");
    const user = { ...leave("internal_users", "ana"), passwordUnknown: true } as const;
    const [title] = planMarkdown(planOf({ changes: [...documents.changes, user] })).split("\n");
    expect(title).toContain("The rest: 1 in sync but for passwords.");
  });
  it("says that a snapshot's plan cannot be applied, and holds no secret", () => {
    const text = planMarkdown(documents);
    expect(text).toContain("this plan cannot be applied.");
    expect(text).not.toMatch(new RegExp(`${secretText}|hunter1`));
  });
  it("lets nothing that users named out of code", () => {
    const outside = outsideCode(planMarkdown(nasty));
    expect(outside).not.toMatch(/@|evil|script|__proto__|everyone|[^\P{C}\n]/u);
    expect(outside.match(/<[^>]*>/g)?.filter((tag) => !/^<\/?(details|summary)>$/.test(tag))).toEqual([]);
    expect(outside.match(/<details>/g)?.length).toBe(outside.match(/<\/details>/g)?.length);
  });
  it.each([
    [
      "many changes",
      planOf({
        changes: Array.from({ length: 3000 }, (_, i) =>
          create("tenants", `t${i}`, { description: `${i} ${"x".repeat(2000)}` }),
        ),
      }),
    ],
    ["a huge name", planOf({ changes: [create("tenants", "n".repeat(90_000), {})] })],
    ["notes that fit only alone", planOf({ changes: [create("tenants", "t", {})], notes: ["n".repeat(57_000)] })],
    ["huge notes", planOf({ changes: [create("tenants", "t", {})], notes: ["n".repeat(90_000)] })],
  ])("fits into a comment: %s", (_what, plan) => {
    const warnings = manyWarnings();
    const text = planMarkdown(plan, {}, warnings);
    expect(text.length).toBeLessThanOrEqual(mostInComment);
    expect(text).toContain("2000 warnings");
    expect(outsideCode(text)).toMatch(/to create, in 0 requests[\s\S]*Tenants: \d+ to create/);
    expect(text).toMatch(/too long for a comment|Shortened: 2960 of 3000 changes/);
    expect(text).toContain("All of them: `gate-sync plan --full`");
  });
  it("keeps its space for what is deleted, and for what a guard names", () => {
    const long = (name: string) =>
      create("tenants", name, { description: `${name.length} ${"x".repeat(4000)} ${name.at(-1)}` });
    const changes = [
      ...names(60, "t").map(long),
      long("zzz"),
      ...names(8, "gone").map((name) => remove("tenants", name)),
    ];
    const waived = [{ rule: "protected", what: "w", addresses: ["tenants/zzz"] }];
    const full = planMarkdown(planOf({ changes, waived }), { full: true });
    expect(full.length).toBeGreaterThan(200_000);
    for (const { name } of changes) expect(full).toMatch(new RegExp(`^[+-] ${name}( |$)`, "m"));
    expect(full).not.toContain("Shortened");
    const wide = planMarkdown(planOf({ changes: changes.map(wider), waived }));
    expect(wide).toMatch(/^\+ zzz$/m);
    expect(wide).toContain("\n-   gone0, gone1, gone2, gone3, gone4, gone5, gone6, gone7\n");
    expect(wide).toMatch(/\n {2}\.\.\. \d+ more, too long for a comment\n/);
  });
  it("has no more than fits beside its warnings, and all of them where it is full", () => {
    const [warnings = ""] = renderWarningBlocks(manyWarnings());
    expect(warnings.length).toBeLessThan(10_500);
    expect(warnings).toContain("... the rest is in the log");
    expect(renderWarningBlocks(manyWarnings(), true)[0]).toContain("w1999");
  });
});

function manyWarnings(): DiagnosticsView {
  const why = "A long one. ".repeat(60);
  const diagnostics = names(2000, "w").map((what) => createDiagnostic(at("a.yml", 3), "unknown-role", { what, why }));
  return createDiagnosticsView(diagnostics, { files: 2 });
}

function names(count: number, stem: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${stem}${index}`);
}

/** Many fields, none of which is cut. */
function wider(change: Change): Change {
  const { name, after } = change;
  if (after === undefined || name === "zzz") return change;
  const fields = Object.fromEntries(names(60, "field").map((field) => [field, `${name} ${"x".repeat(60)}`]));
  return { ...change, after: { ...after, ...fields } };
}

const many = Array.from({ length: 1400 }, (_, index) => `roles/team_with_a_rather_long_name_${index}`);

function violationOf(parts: Partial<Violation>): Violation {
  return {
    rule: "deletions",
    countsEntries: true,
    family: "roles",
    what: "1400 of 1500 roles would be deleted",
    why: "limit: 20 %",
    addresses: many,
    remedies: [
      { how: "for this run", text: "--allow deletions=roles" },
      {
        how: "in a state file",
        text: ["waivers:", "    addresses:", ...many.map((name) => `      - ${name}`), "    reason: WHY"].join("\n"),
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
    const since = {
      ref: "main",
      commit: "0".repeat(40),
      turned: [{ family: "roles", was: "adopt" }],
      ceased: [],
    } as const;
    const text = planMarkdown(planOf({ ...deleted, violations: [violationOf({})], since, ...parts }));
    expect(text.length).toBeLessThanOrEqual(mostInComment);
    expect(text).toContain("! 1400 of 1500 roles would be deleted (guard deletions)\n    limit: 20 %");
    expect(text).toMatch(/ roles\/team_with_a_rather_long_name_0, .* and \d+ more\n/);
    expect(text).toContain("    --allow deletions=roles\n");
    expect(text).toMatch(/ {4}\.\.\. \d+ lines to paste: gate-sync plan --full\n/);
    expect(text).not.toContain("waivers:");
    expect(text).toContain("Since main, ");
    expect(text).toContain("Fingerprint: `0123456789abcdef0123456789abcdef`");
    expect(outsideCode(text)).not.toMatch(/team_with/);
  });
  it("and shows what there is space for of its changes", () => {
    const text = planMarkdown(planOf({ ...deleted, violations: Array.from({ length: 9 }, () => violationOf({})) }));
    expect(text).toMatch(/\n- 1400 roles {4}\(not declared\)\n- {3}team_with_a_rather_long_name_0, /);
    expect(text).toContain("team_with_a_rather_long_name_398, ... 1001 more (--full)\n");
    expect(text).toContain("Shortened: 1400 of 1400 changes are shown together, by name or by their number only. ");
  });
});
