// A user who asked for JSON gets JSON, and nothing else on stdout, however the run ends; each kind fits its schema.
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import type { Files } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { oneTenant, onHarness } from "./harness.ts";

const ajv = createAjv({ isStrict: false });

/** What is wrong with a value of that schema; empty where nothing is. */
function faultsOf(schema: "plan" | "report" | "diagnostics", value: unknown): readonly unknown[] {
  const validate = ajv.getSchema(`${schema}.schema.json`) ?? ajv.compile(readSchema(schema));
  validate(value);
  return validate.errors ?? [];
}

interface Case {
  readonly line: string;
  readonly kind: string;
  readonly schema: "plan" | "report" | "diagnostics";
  readonly exit: number;
  readonly files?: Files;
  readonly server?: Partial<EmulatorOptions>;
}

const broken = { "access/a.yml": "tenants:\n  a: { descripton: x }\n" };
const four = { state: { tenants: { a: {}, b: {}, c: {}, d: {} } } };

const cases: Readonly<Record<string, Case>> = {
  "a plan": { line: "plan --url URL access", kind: "plan", schema: "plan", exit: 0 },
  "a refused plan": { line: "plan --url URL access", server: four, kind: "plan", schema: "plan", exit: 4 },
  "a refused apply": { line: "apply --yes --url URL access", server: four, kind: "plan", schema: "plan", exit: 4 },
  "an apply": { line: "apply --yes --url URL access", kind: "report", schema: "report", exit: 0 },
  "an apply of nothing": {
    line: "apply --yes --url URL access",
    server: { state: { tenants: { support: { description: "First line" } } } },
    kind: "report",
    schema: "report",
    exit: 0,
  },
  "an apply that fails": {
    line: "apply --yes --url URL access",
    files: { "access/a.yml": "config: { dynamic: { do_not_fail_on_forbidden: true } }" },
    kind: "report",
    schema: "report",
    exit: 1,
  },
  "files in order": { line: "validate access", kind: "diagnostics", schema: "diagnostics", exit: 0 },
  "files with errors": { line: "validate access", files: broken, kind: "diagnostics", schema: "diagnostics", exit: 3 },
  "a plan of files with errors": {
    line: "plan --url URL access",
    files: broken,
    kind: "error",
    schema: "diagnostics",
    exit: 3,
  },
  "no terminal to ask": { line: "apply --url URL access", kind: "error", schema: "diagnostics", exit: 64 },
  "no server": { line: "plan --url http://127.0.0.1:1 access", kind: "error", schema: "diagnostics", exit: 1 },
  "an unknown option": { line: "plan --ur URL access", kind: "error", schema: "diagnostics", exit: 64 },
  "an unknown family": { line: "plan --url URL --family role", kind: "error", schema: "diagnostics", exit: 64 },
  "an unknown command": { line: "plann --url URL access", kind: "error", schema: "diagnostics", exit: 64 },
  "an export to nowhere": { line: "export --url URL", kind: "error", schema: "diagnostics", exit: 64 },
};

describe.concurrent("JSON", () => {
  test.for(Object.entries(cases))(
    "%s",
    ([, { line, kind, schema, exit, files = oneTenant, server = {} }], { expect }) =>
      onHarness({ files, ...server }, async ({ run }) => {
        const { code, stdout, stderr } = await run(`${line} --format json`);
        const value = JSON.parse(stdout) as Record<string, unknown>;
        expect({ code, kind: value.kind, stderr }).toEqual({ code: exit, kind, stderr: "" });
        expect(faultsOf(schema, value)).toEqual([]);
        if (kind === "error") expect(value.error).toMatchObject({ exit_code: exit });
      }),
  );

  test("an export and a list of schemas are JSON too", () =>
    onHarness({ state: four.state }, async ({ run }) => {
      const exported = await run("export --url URL --out live --format json");
      expect(JSON.parse(exported.stdout)).toMatchObject({ format_version: 1, files: ["tenants.yml"], secrets: [] });
      const schemas = await run("schema --format json");
      expect(JSON.parse(schemas.stdout)).toContainEqual({ name: "roles", title: "Roles" });
    }));

  test("a plan names what a program needs: address, action, request", () =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      const plan = JSON.parse((await run("plan --url URL access --format json")).stdout);
      expect(plan.changes).toMatchObject([{ address: "tenants/support", action: "create" }]);
      expect(plan.operations).toMatchObject([{ method: "PUT", path: "/_gate/api/tenants/support" }]);
    }));

  test("a PATCH that is refused half-way is part of one report of the whole run", () =>
    onHarness(
      {
        files: { "access/a.yml": "tenants: { a: {} }\nroles: { b: {}, c: {} }\n" },
      },
      async ({ run, emulator }) => {
        emulator.fault = ({ method }) => (method === "PATCH" ? { at: "before", answer: { status: 405 } } : undefined);
        const { code, stdout } = await run("apply --yes --url URL access --format json");
        const report = JSON.parse(stdout);
        expect(faultsOf("report", report)).toEqual([]);
        expect(code).toBe(0);
        expect(report.summary).toMatchObject({ created: 3, failed: 0 });
        expect(report.operations.map(({ method, outcome }: Record<string, string>) => `${method} ${outcome}`)).toEqual([
          "PUT done",
          "PUT done",
          "PUT done",
        ]);
      },
    ));
});
