// --family: what is not named is neither read, nor compared, nor written.
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const files = {
  "access/all.yml": `
tenants: { support: { description: First line } }
roles: { log_reader: { cluster_permissions: ["cluster:monitor/main"] } }
role_mappings: { log_reader: { users: [kira] } }
blocks: { lab: { type: ip, value: 192.0.2.7, verdict: disallow } }
`,
};

describe.concurrent("--family", () => {
  test("restricts what is read and what is written", () =>
    onHarness({ files }, async ({ run, emulator, writes }) => {
      // Who gains and who loses is in other families.
      const { code, stdout } = await run("apply --yes --no-access --url URL access --family tenants");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("1 created.") });
      expect(writes()).toEqual(["PUT /_gate/api/tenants/support"]);
      const read = new Set(emulator.requests.filter(({ method }) => method === "GET").map(({ path }) => path));
      expect([...read].sort()).toEqual(["/", "/_gate/api/tenants"]);
    }));

  test("of mappings, reads roles for reference, and says so", () =>
    onHarness({ files }, async ({ run, emulator }) => {
      const { stdout } = await run("plan --no-access --url URL access --family role_mappings");
      expect(stdout).toContain("Read for reference only: roles.");
      expect(emulator.requests.map(({ path }) => path)).toContain("/_gate/api/roles");
    }));

  test("says that a role of the files is not made by this run", () =>
    onHarness({ files }, async ({ run }) => {
      const { code, stderr } = await run("plan --url URL access --family role_mappings");
      expect(stderr).toContain("warning  unknown-role");
      expect(stderr).toContain("the roles are not part of this run");
      expect(code).toBe(0);
    }));

  test("still checks every file: one error anywhere stops the run", () =>
    onHarness({ files: { ...files, "access/bad.yml": "blocks: { x: { tpe: ip } }" } }, async ({ run, emulator }) => {
      expect((await run("plan --url URL access --family tenants")).code).toBe(3);
      expect(emulator.requests).toEqual([]);
    }));

  test("exports what is named, the config too", () =>
    onHarness({ files, state: { tenants: { a: {} }, roles: { b: {} } } }, async ({ run }) => {
      const { stdout } = await run("export --url URL --family tenants --family config --out live --format json");
      expect(JSON.parse(stdout).files).toEqual(["tenants.yml", "config.yml"]);
    }));
});
