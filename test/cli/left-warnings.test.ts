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
      expect(stderr).toContain("1 warning about entries that stay as they are: gate-sync plan --full");
      expect(stderr).not.toContain("unmapped-role");
    }
    expect((await run("plan --full --url URL access")).stderr).toMatch(/unmapped-role[\s\S]*\n1 warning in 1 file\./);
  }));

test.each([
  [2, true],
  [6, false],
])("in the fold of a comment, %d of them are there to read: %s", async (count, areShown) => {
  const names = Array.from({ length: count }, (_, at) => `lone_${at}: { cluster_permissions: [a] }`);
  const files = { "access/state.yml": `roles: { ${names.join(", ")} }\n` };
  await onHarness({ files }, async ({ run }) => {
    await run("apply --yes --url URL access");
    const { stdout } = await run("plan --url URL access --format markdown");
    expect(stdout).toContain(`<summary>${count} warnings</summary>`);
    expect(stdout.includes('There is no action group "a"')).toBe(areShown);
    expect(stdout.includes("stay as they are: gate-sync plan --full")).toBe(!areShown);
  });
});
