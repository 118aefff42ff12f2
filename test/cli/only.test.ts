// --only: what it names is planned and applied; what it leaves out is shown, and stays as it is.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const files = {
  "access/all.yml": `
roles: { hr: { cluster_permissions: [a] }, pay: { cluster_permissions: [b] }, ops: {}, grouped: { cluster_permissions: [G] } }
action_groups: { G: { allowed_actions: ["indices:data/read/get"] } }
role_mappings: { hr: { users: [ana] }, pay: { users: [bo] } }
`,
};
const state = {
  roles: { ops: {}, old: {}, older: {}, pay: { cluster_permissions: ["c"] } },
  role_mappings: {},
  action_groups: {},
};

describe.concurrent("--only", () => {
  test("plans the entries that it names, and shows what it leaves out", () =>
    onHarness({ files, state }, async ({ run }) => {
      const { code, stdout } = await run("plan --no-access --detailed-exitcode --url URL access --only roles/hr");
      expect(code).toBe(2);
      expect(stdout).toMatch(/\+ hr/);
      expect(stdout).toContain("1 to create, in 1 request.");
      expect(stdout).toContain("7 differences are left as they are.");
      expect(stdout).toMatch(/\? old +not declared, left out by --only/);
      expect(stdout).toMatch(/\? pay +differs, left out by --only/);
    }));

  test.for<[named: string, fix: string]>([
    ["roles", "--only roles/NAME; --family roles is for all entries"],
    ["audit", "--only audit/config"],
  ])("says how to name an entry of %s", ([named, fix]) =>
    onHarness({ files, state }, async ({ run }) => {
      const { code, stderr } = await run(`plan --url URL access --only ${named}`);
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([64, expect.stringContaining(fix)]);
    }),
  );

  test("applies them, and nothing else", () =>
    onHarness({ files, state }, async ({ run, emulator, writes }) => {
      const { code, stdout } = await run("apply --yes --no-access --url URL access --only roles/hr --only roles/old");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("1 created, 1 deleted.") });
      expect(writes()).toEqual(["PATCH /_gate/api/roles"]);
      expect([...emulator.state().roles.keys()]).toEqual(expect.arrayContaining(["hr", "older", "ops", "pay"]));
      expect(emulator.state().roles.has("old")).toBe(false);
    }));

  test("says so where the entry itself is in sync", () =>
    onHarness({ files, state }, async ({ run }) => {
      const { code, stdout } = await run("plan --no-access --detailed-exitcode --url URL access --only roles/ops");
      expect(code).toBe(0);
      expect(stdout).toContain("Nothing to do. 8 differences are left as they are.");
    }));

  test("counts what is left out for guards that count", () =>
    onHarness({ files: { "access/r.yml": "roles: { ops: { cluster_permissions: [x] } }" }, state }, async ({ run }) => {
      const { stdout } = await run("plan --no-access --url URL access --only roles/old --only roles/older");
      expect(stdout).not.toContain("None of the roles that are there now would be left");
    }));

  test("warns where what it names refers to an entry that is left out", () =>
    onHarness({ files, state }, async ({ run }) => {
      const { stderr } = await run("plan --no-access --url URL access --only role_mappings/hr");
      expect(stderr).toContain("warning  unknown-role");
      expect(stderr).toContain("this plan does not create it: --only\n  leaves it out.\n");
      // Of the role that is left out nothing else is said.
      expect(stderr).not.toContain("unknown-action-group");
      expect((await run("plan --no-access --url URL access --only role_mappings/pay")).stderr).not.toContain(
        "unknown-role",
      );
    }));

  test("is in a saved plan, which is applied as reviewed", () =>
    onHarness({ files, state }, async ({ run, writes }) => {
      expect((await run("plan --no-access --url URL access --only roles/hr --out p.json")).code).toBe(0);
      expect((await run("apply --yes --url URL p.json")).code).toBe(0);
      expect(writes()).toEqual(["PUT /_gate/api/roles/hr"]);
    }));

  test.each([
    ["plan --url URL access --only roles/hrr", 'Did you mean "roles/hr"?'],
    ["apply --yes --url URL access --only tenants/x", "Of resource types that no file declares, nothing is compared."],
    ["plan --all-targets --only roles/hr", "--only is about the entries of one target."],
  ])("%s is refused", (line, message) =>
    onHarness({ files, state }, async ({ run, folder, url, writes }) => {
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        `targets: { a: { url: "${url}", state: [access] }, b: { url: "${url}", state: [access] } }\n`,
      );
      const { code, stderr, stdout } = await run(line.includes("--all") ? line : `${line} --target a`);
      expect(code).toBe(64);
      expect(stderr + stdout).toContain(message);
      expect(writes()).toEqual([]);
    }),
  );
});
