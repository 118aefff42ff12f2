import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { measureWidth } from "../../../src/render/layout.ts";
import { withoutPaint } from "../../../src/render/text/ansi.ts";
import { formatCountLines } from "../../../src/render/text/family.ts";
import { planBlocks } from "../../../src/render/text/plan.ts";
import { createPlanView } from "../../../src/render/views/plan.ts";
import { planText } from "../../support/rendered.ts";
import {
  at,
  create,
  documents,
  hrScenario,
  inSync,
  leave,
  nasty,
  plain,
  planOf,
  refused,
  remove,
  secretText,
  update,
} from "./plans.ts";

const plans = { hrScenario, inSync, refused, documents, nasty };

function check(text: string, lines: readonly string[]): void {
  expect(text.split("\n")).toEqual(lines);
}

describe("a plan as text", () => {
  it("shows the scenario of hr_reader", () => {
    check(planText(hrScenario, plain), [
      "staging  https://search.staging.example:9200",
      '         search-guard 7.x-43.0.0 (detected), cluster "staging",',
      "         as ci-plan (read-only)",
      "",
      "1 to create, 2 to change, 1 to delete, in 2 requests.",
      "The rest: 91 in sync, 9 reserved, 3 unmanaged.",
      "",
      "Roles            1 to create, 1 to change, 1 to delete",
      "  ~ hr_reader                                                    roles/hr.yml:12",
      "      cluster_permissions",
      "        + cluster_composite_ops_ro",
      "      index_permissions  hr-*",
      '        dls  - {"term": {"dept": "hr"}}',
      '             + {"terms": {"dept": ["hr", "people"]}}',
      "        fls  + ~salary",
      "  + hr_writer                                                    roles/hr.yml:31",
      "      index_permissions  + hr-*",
      "        allowed_actions  + WRITE",
      "  - legacy_reader                                                   not declared",
      "",
      "Role mappings    1 to change",
      "  ~ hr_reader                                                     mappings.yml:8",
      "      backend_roles",
      "        + analysts",
      "",
      "Requests, in this order",
      "  1  PATCH   roles                   3 changes  94 B",
      "  2  PATCH   role mapping hr_reader             64 B",
      "             after the roles, because it refers to one that is created there",
      "",
      "Read for reference only: action groups.",
      "note: The release was not stated; 7.x-43.0.0 was read from the license endpoint.",
      "",
      "Fingerprint 0123456789abcdef0123456789abcdef",
      "1 to create, 2 to change, 1 to delete, in 2 requests.",
    ]);
  });
  it("is one line when everything is in sync, and the notes", () => {
    const line = "staging: in sync (6 tenants, 54 roles, 45 role mappings). Nothing to do.";
    check(planText(inSync, plain), [line]);
    check(planText({ ...inSync, notes: ["odd"] }, plain), [line, "note: odd"]);
  });
  it("says what refuses it and how to lift that", () => {
    check(planText(refused, plain).slice(planText(refused, plain).indexOf("!")), [
      "! 6 of 12 role mappings would be deleted                         guard deletions",
      "    limit: 20 % of the role mappings that could be deleted (at least 3), 25 role",
      "    mappings",
      "    ops_reader, ops_writer, siem_reader, siem_writer, audit, audit_ro",
      "  If this is meant, for this run:",
      "    --allow deletions=role_mappings",
      "",
      "Fingerprint 0123456789abcdef0123456789abcdef",
      "Refused: 6 to delete, in 1 request. Nothing was sent.",
      "More: gate-sync explain deletions",
    ]);
  });
  it("shows the config as a tree, what is only observed, and a license that cannot be compared", () => {
    const text = planText(documents, plain);
    expect(text).toContain('            order\n              - 1\n              + "1"\n');
    expect(text).toContain('          "ldap.domain"\n            bind\n              note\n');
    expect(text).toContain("          + saml (enabled)\n            + http_enabled: true\n            + order: 2\n");
    expect(text).toContain("  ? kibana_user                                           differs, observed only\n");
    expect(text).toContain("  ? license                       unknown whether the server has it: not written");
    expect(withoutBreaks(text)).toContain(
      "1 difference is left as it is. This plan was made against a snapshot: it cannot be applied.",
    );
  });
  it("says of a pending license that it would be written", () => {
    const license = { ...leave("license", "license"), action: "create", reason: "declared" } as const;
    expect(planText(planOf({ changes: [license] }), plain)).toContain(
      "  + license\n      would be written; its text is never shown\n",
    );
  });
  it("shows a role that is created and deleted with the same fields as renamed, with its mapping", () => {
    const role = { cluster_permissions: ["cluster_monitor"] };
    const members = { users: ["ana"] };
    const changes = [
      create("roles", "new", role, at("roles.yml", 3)),
      remove("roles", "old", role),
      create("role_mappings", "new", members),
      remove("role_mappings", "old", members),
    ];
    const text = planText(planOf({ changes }), plain);
    expect(text).toContain(
      `  ~ old -> new${" ".repeat(80 - 14 - 11)}roles.yml:3\n      renamed: created and deleted, with the same fields\n`,
    );
    expect(text).toContain("Roles            1 to create, 1 to delete\n");
    expect(text.match(/renamed: /g)).toHaveLength(2);
    expect(text).not.toMatch(/^ {2}[-+] /m);
    const full = planText(planOf({ changes }), { ...plain, full: true });
    expect(full).toMatch(/^ {2}\+ new /m);
    expect(full).toMatch(/^ {2}- old /m);
  });
  it("never shows as renamed what a guard names, a tenant, or a mapping to another role", () => {
    const members = { users: ["ana"] };
    const role = { cluster_permissions: ["cluster_monitor"] };
    const roles = [create("roles", "new", role), remove("roles", "old", role)];
    const others: readonly (readonly [readonly Change[], object?])[] = [
      [[create("role_mappings", "new", members), remove("role_mappings", "old", members)]],
      [[create("tenants", "new", { description: "d" }), remove("tenants", "old", { description: "d" })]],
      [[...roles, remove("roles", "older", role)]],
      [[create("roles", "new", { cluster_permissions: ["cluster_all"] }), remove("roles", "old", role)]],
      [roles, { waived: [{ rule: "protected", what: "w", addresses: ["roles/old"] }] }],
    ];
    for (const [changes, parts = {}] of others) {
      const text = planText(planOf({ changes, ...parts }), plain);
      expect(text).not.toContain("renamed");
      expect(text).toMatch(/^ {2}- old/m);
    }
  });
  it("sets counts apart from a title that is longer than its column", () => {
    expect(formatCountLines("Node certificate entries", ["2 to create"], plain)).toEqual([
      "Node certificate entries  2 to create",
    ]);
  });
  it("lists what is left alone, and what is deleted, when it is to be verbose", () => {
    const text = planText(hrScenario, { ...plain, verbose: true });
    expect(text).toContain("Tenants          6 in sync\n");
    expect(text).toContain("                 41 in sync, 9 reserved, 3 unmanaged\n");
    expect(text).not.toContain("The rest");
    expect(text).toContain("      cluster_permissions\n        - cluster_monitor\n");
    expect(text).toContain("\n    unmanaged_2                                                     not declared\n");
    expect(text).not.toContain("in-sync_1");
  });
  it("counts what a long set holds, and shows it all when asked", () => {
    expect(planText(nasty, plain)).toContain("        - ... 41 more members (--full)\n");
    expect(planText(nasty, { ...plain, full: true })).toContain("        - cluster:59\n");
  });
  it("shows two long texts where they differ", () => {
    expect(planText(nasty, plain)).toContain("        - ...e same same same old\n        + ...e same same same new\n");
  });
  it("never takes a name from the prototype of an object", () => {
    const changes = ["__proto__", "constructor", "1"].map((name) => create("roles", name, { [`${name}x`]: [1] }));
    const text = planText(planOf({ changes }), plain);
    for (const name of ["__proto__", "constructor", "1"])
      expect(text).toContain(`  + ${name}\n      ${name}x\n        + [1]`);
  });
});

describe.each(Object.entries(plans))("every text of %s", (_name, plan) => {
  const styles = [plain, { ...plain, verbose: true }, { ...plain, full: true }, { ...plain, width: 120 }];

  it.each(styles)("is coloured without saying more: %j", (style) => {
    expect(withoutPaint(planText(plan, { ...style, color: true }))).toBe(planText(plan, style));
  });
  it.each(styles)("lets no control character through, ends no line in spaces, is the same again: %j", (style) => {
    const text = planText(plan, style);
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text).not.toMatch(/ $/m);
    expect(planText(plan, style)).toBe(text);
  });
  it("is the same line by line, with a newline at its end", () => {
    for (const style of styles) {
      const lines = [...planBlocks(createPlanView(plan), style)];
      expect(lines.join("")).toBe(`${planText(plan, style)}\n`);
      expect(lines.filter((line) => line.indexOf("\n") !== line.length - 1)).toEqual([]);
    }
  });
  it("keeps to its width but for names", () => {
    const tooLong = planText(plan, plain)
      .split("\n")
      .filter((line) => measureWidth(line) > plain.width);
    expect(tooLong.filter((line) => !line.startsWith("  ~ xxxx"))).toEqual([]);
  });
  it("holds no secret", () => {
    for (const style of styles) expect(planText(plan, style)).not.toMatch(new RegExp(`${secretText}|hunter1`));
  });
});

describe("requests", () => {
  it("give a name that is too long its own line", () => {
    const name = "n".repeat(70);
    const plan = planOf({
      changes: [remove("roles", name), update("roles", "b", {}, { description: "x" })],
      operations: [
        { family: "roles", method: "DELETE", path: "/x", names: [name], bulk: false },
        { family: "roles", method: "PATCH", path: "/y", body: ["x".repeat(1229)], names: ["b"], bulk: false },
      ],
    });
    const lines = planText(plan, plain).split("\n");
    expect(lines).toContain(`  1  DELETE  role ${name}`);
    expect(lines).toContain("  2  PATCH   role b                                                       1.2 kB");
  });
});

function withoutBreaks(text: string): string {
  return text.replaceAll("\n", " ");
}

it("shows all of what is to be pasted or nothing, as a part of a waiver waives nothing", () => {
  const planFor = (count: number) => {
    const addresses = Array.from({ length: count }, (_, index) => `      - roles/${index}`);
    const text = ["waivers:", ...addresses, "    reason: WHY"].join("\n");
    const remedies = [{ how: "in a state file", text }];
    return planOf({ violations: [{ rule: "deletions", what: "many go", addresses: ["roles/0"], remedies }] });
  };
  expect(planText(planFor(11), plain)).toContain("          - roles/10\n        reason: WHY\n");
  expect(planText(planFor(300), plain)).toContain(" in a state file:\n    ... 302 lines to paste (--full)\n");
  expect(planText(planFor(300), plain)).not.toContain("roles/8");
  expect(planText(planFor(300), { ...plain, full: true })).toContain("          - roles/299\n        reason: WHY\n");
});
