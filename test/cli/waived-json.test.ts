// What is waived, for programs: shaped as what refuses, with all who are affected.
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const role = (country: string) => ({
  index_permissions: [
    {
      index_patterns: ["salaries-*"],
      allowed_actions: ["indices:data/read/*"],
      dls: JSON.stringify({ term: { country } }),
    },
  ],
});
const asHeld = {
  files: {
    "gate-sync.yaml": "targets: { dev: { state: [access] } }\n",
    "access/a.json": JSON.stringify({
      roles: { payroll: role("fr") },
      role_mappings: { payroll: { backend_roles: ["hr-paris"] } },
    }),
  },
  state: { roles: { payroll: role("it") }, role_mappings: { payroll: { users: ["ana", "ben", "cleo"] } } },
};

interface Refusal {
  readonly rule: string;
  readonly addresses: readonly string[];
  readonly affected?: readonly { readonly both?: readonly unknown[]; readonly what: string }[];
}

function read(stdout: string): { readonly violations: readonly Refusal[]; readonly waived: readonly Refusal[] } {
  const plan = JSON.parse(stdout);
  const schema = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));
  const ajv = new Ajv2020.default({ strict: false });
  ajv.addSchema(schema("artifact"), "artifact.schema.json");
  const validate = ajv.compile(schema("plan"));
  validate(plan);
  expect(validate.errors).toBe(null);
  return plan;
}

it("lists what refuses, and with --allow the same as waived", () =>
  onHarness(asHeld, async ({ run }) => {
    const refused = await run("plan --url URL --format json");
    expect(refused.code).toBe(4);
    const { violations, waived } = read(refused.stdout);
    expect(violations.map(({ rule }) => rule)).toContain("order");
    expect(waived).toEqual([]);
    const allowed = await run("plan --url URL --format json --allow order");
    const then = read(allowed.stdout);
    const withoutRemedies = violations.filter(({ rule }) => rule === "order").map((one) => ({ ...one, remedies: [] }));
    expect(then.waived).toEqual(withoutRemedies);
    expect(then.violations.map(({ rule }) => rule)).toEqual(
      violations.map(({ rule }) => rule).filter((rule) => rule !== "order"),
    );
  }));

it("names each principal that is affected, not one as an example", () =>
  onHarness(asHeld, async ({ run }) => {
    const { waived } = read((await run("plan --url URL --format json --allow order")).stdout);
    const [first] = waived;
    expect(first?.affected?.map(({ both }) => JSON.stringify(both))).toEqual(
      ["ana", "ben", "cleo"].map((user) => JSON.stringify([{ backend_roles: ["hr-paris"] }, { users: [user] }])),
    );
    expect(first?.affected?.[1]?.what).toContain(
      "user ben would temporarily lose indices:data/read/search on salaries-",
    );
    const text = await run("plan --url URL --allow order");
    expect(text.stdout.replace(/\s+/g, " ")).toContain("Other principals are affected, too.");
  }));
