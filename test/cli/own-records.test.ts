// What gate-sync itself writes is distinguished from state files, wherever it is.
import { describe, test } from "vitest";
import { oneTenant, onHarness } from "./harness.ts";

const records: Readonly<Record<string, readonly [line: string, what: string, use: string]>> = {
  "a plan": ["plan --out access/plan.json", "a plan that gate-sync plan --out saved", "run gate-sync apply with just"],
  "a backup": ["apply --yes --state-dir access/kept", "the manifest of a backup", "run gate-sync rollback"],
  "a snapshot": ["export --snapshot access/live.json", "a snapshot that gate-sync export", "gate-sync plan --live"],
};

describe.concurrent("in a state folder", () => {
  test.for(Object.entries(records))("%s is called what it is", ([, [line, what, use]], { expect }) => {
    const state = { tenants: { support: { description: "Second line" } } };
    return onHarness({ files: oneTenant, state }, async ({ run }) => {
      const words = line.startsWith("export") ? `${line} --url URL` : `${line} --url URL access`;
      expect((await run(words)).code).toBe(0);
      const { code, stdout } = await run("validate access");
      expect(code).toBe(3);
      const explained = stdout.replace(/\s+/g, " ");
      expect(explained).toContain(`This is ${what}`);
      expect(explained).toContain(use);
    });
  });
});
