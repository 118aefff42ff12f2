// Warnings at entries that a run leaves as they are: counted by apply and drift, as by plan.
import { expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const files = {
  "access/state.yml":
    "roles:\n  lone: { cluster_permissions: ['cluster:monitor/main'] }\n  used: { cluster_permissions: ['cluster:monitor/main'] }\nrole_mappings: { used: { users: [ana] } }\n",
};

test("a role without members is shown when it is created, and counted from then on", () =>
  onHarness({ files }, async ({ run }) => {
    expect((await run("apply --yes --url URL access")).stderr).toContain("unmapped-role");
    for (const command of ["apply --yes", "plan", "drift"]) {
      const { code, stderr } = await run(`${command} --url URL access`);
      expect([command, code]).toEqual([command, 0]);
      expect(stderr).toContain("1 warning about entries that stay as they are: gate-sync validate");
      expect(stderr).not.toContain("unmapped-role");
    }
  }));
