// State from standard input, as templating tools print it: `helm template … | gate-sync plan -`.
import { describe, test } from "vitest";
import { gateSync } from "../support/command.ts";
import { git } from "../support/jobs.ts";
import { gateSyncAnyhow, onHarness } from "./harness.ts";

const tenants = { "access/t.yml": "tenants: { t: {} }\n" };
const roles = "roles:\n  a: { cluster_permissions: [cluster:monitor/main] }\n";

describe.concurrent("the state path -", () => {
  test("is standard input, beside files", ({ expect }) =>
    onHarness({ files: tenants }, async ({ folder, url, emulator }) => {
      const run = (line: string, input: string) => gateSync([...line.split(" "), "--url", url], { cwd: folder, input });
      expect(await run("apply --yes access -", roles)).toMatchObject({ code: 0 });
      expect([...emulator.state().roles.keys(), ...emulator.state().tenants.keys()]).toEqual(["a", "t"]);
      const { code, stdout } = await run("plan - access --detailed-exitcode", roles.replace("  a:", "  b:"));
      expect(code).toBe(2);
      expect(stdout).toMatch(/^ {2}~ a -> b.* standard input:2$/m);
    }));

  test.for<[what: string, input: string, line: string, code: number, reported: RegExp]>([
    [
      "a mistake has its place in it",
      "roles: { a: { x: 1 } }\n",
      "validate -",
      3,
      /^standard input:1:15 {2}error {2}unknown-field/,
    ],
    // It would count as nothing declared any more.
    [
      "empty, it is an error",
      " \n",
      "validate -",
      3,
      /^standard input {2}error {2}missing-state\n {2}Standard input is empty\./,
    ],
    [
      "with comments alone, it is one, too",
      "---\n# Source: access/templates/roles.yml\n--- # next\n",
      "validate -",
      3,
      /^standard input {2}error {2}missing-state\n {2}Standard input holds nothing but comments\./,
    ],
    [
      "with a family after the comments, it is none",
      `# a\n--- ${"{ tenants: { a: {} } }"}\n`,
      "validate -",
      0,
      /^No problems in 1 file/,
    ],
    ["it is read once", roles, "validate - access -", 0, /^No problems in 2 files|^\d warning/],
    [
      "at another commit it is not known",
      roles,
      "plan - --url http://127.0.0.1:1 --base HEAD",
      64,
      /--base names a commit/,
    ],
    ["as applied neither", roles, "drift - --url URL --applied-ref HEAD", 64, /--applied-ref names a commit/],
  ])("%s", ([, input, line, code, reported], { expect }) =>
    onHarness({ files: tenants }, async ({ folder, url }) => {
      git(folder, "init", "-q");
      git(folder, "add", "-A");
      git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x");
      const words = line.split(" ").map((word) => (word === "URL" ? url : word));
      const more = line.startsWith("validate") ? ["--product", "gate"] : [];
      const ended = await gateSyncAnyhow([...words, ...more], { cwd: folder, input });
      expect(ended.stderr + ended.stdout).toMatch(reported);
      expect(ended.code).toBe(code);
    }),
  );
});
