import { expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Family } from "../../../src/model/names.ts";
import { planJson, planMarkdown, planText } from "../../support/rendered.ts";
import { plain, planOf, update } from "../render/plans.ts";

const now = new Secret(`\${env:Q}`, "NEWVALUE");

/** No way of showing the change says `OLDVALUE` or `NEWVALUE`; all of them say what is no secret. */
function check(family: Family, before: Fields, after: Fields, kept: readonly string[]): void {
  const plan = planOf({ changes: [update(family, "x", before, after)] });
  const style = { ...plain, full: true, verbose: true };
  for (const output of [planText(plan, style), JSON.stringify(planJson(plan)), planMarkdown(plan)]) {
    expect(output).not.toMatch(/OLDVALUE|NEWVALUE/);
    for (const text of kept) expect(output).toContain(text);
  }
}

function permissions(...elements: readonly Fields[]): Fields {
  return { index_permissions: elements.map((element) => ({ allowed_actions: ["READ"], ...element })) };
}

const [a, b] = [{ index_patterns: ["a-*"] }, { index_patterns: ["b-*"] }];

it.each<[string, Family, Fields, Fields, readonly string[]]>([
  ["a query", "roles", permissions({ ...a, dls: "OLDVALUE" }), permissions({ ...a, dls: now }), []],
  [
    "a query of one element of many",
    "roles",
    permissions({ ...a, dls: "OLDVALUE" }, { ...b, dls: "plainquery" }),
    permissions({ ...b, dls: "otherquery" }, { ...a, dls: now }),
    ["otherquery"],
  ],
  [
    "a member of a list in an element",
    "roles",
    permissions({ ...a, masked_fields: ["OLDVALUE", "kept", "more"] }),
    permissions({ ...a, masked_fields: [now, "kept"] }),
    [],
  ],
  ["a member of a list", "role_mappings", { users: ["OLDVALUE"] }, { users: [now, "worf"] }, ["worf"]],
  [
    "a list in the config",
    "config",
    { dynamic: { authc: { ldap: { hosts: ["OLDVALUE", "same"], order: 1, type: "oldtype" } } } },
    { dynamic: { authc: { ldap: { hosts: ["same", now], order: 2, type: "newtype" } } } },
    ["oldtype", "newtype"],
  ],
  [
    "a text that a map with a secret replaces",
    "config",
    { dynamic: { odd: "OLDVALUE", type: "oldtype" } },
    { dynamic: { odd: { deep: [now] }, type: "newtype" } },
    ["oldtype", "newtype"],
  ],
  [
    "a map that a secret replaces",
    "config",
    { dynamic: { odd: { deep: ["OLDVALUE"] }, type: "oldtype" } },
    { dynamic: { odd: now, type: "newtype" } },
    ["oldtype", "newtype"],
  ],
])("%s that a secret replaces is not shown", (_what, family, before, after, kept) =>
  check(family, before, after, kept),
);

it("hides a secret in a field that gate-sync does not know", () => {
  const unknown = [{ path: ["x"], value: { text: "NEWVALUE", owner: "payments" } }];
  const change = { ...update("roles", "x", {}, permissions({ ...a, dls: now })), unknown };
  const plan = planOf({ changes: [change] });
  const style = { ...plain, full: true, verbose: true };
  for (const output of [planText(plan, style), JSON.stringify(planJson(plan)), planMarkdown(plan)]) {
    expect(output).not.toContain("NEWVALUE");
    expect(output).toContain("payments");
  }
});
