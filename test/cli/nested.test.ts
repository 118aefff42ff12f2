// A server, or a file of our own, that is nested as nothing of this kind is: a message, never a crash.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import { onHarness } from "./harness.ts";

const objects = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
const lists = "[".repeat(7000) + "]".repeat(7000);
const files = { "access/a.yml": "roles: { a: { cluster_permissions: ['c:1'] } }\n" };
const read = ["plan --url URL access", "plan --url URL access --format json", "apply --yes --url URL access"];
const others = ["drift --url URL access", "doctor --url URL", "export --url URL --snapshot new.json"];

describe.concurrent("nested thousands of levels deep", () => {
  test.for([...read, ...others].flatMap((line) => [objects, lists].map((deep) => [line, deep] as const)))(
    "a role that is read by %s",
    ([line, deep], { expect }) =>
      onHarness({ files }, async ({ emulator, folder, url }) => {
        emulator.fault = ({ method, path }) =>
          method === "GET" && path === "/_gate/api/roles"
            ? { at: "before", answer: { status: 200, body: `{"a":{"cluster_permissions":[],"more":${deep}}}` } }
            : undefined;
        const run = await gateSyncWithin(line.replace("URL", url).split(" "), { cwd: folder });
        expect(run.code).toBe(1);
        expect(run.stdout + run.stderr).toMatch(/\/roles is nested\s+more\s+than\s+500\s+levels\s+deep/);
      }),
  );

  test("a role of a snapshot", ({ expect }) =>
    onHarness({ files, state: { roles: { a: { cluster_permissions: ["c:2"] } } } }, async ({ folder, url }) => {
      const run = (line: string) => gateSyncWithin(line.replace("URL", url).split(" "), { cwd: folder });
      expect(await run("export --url URL --snapshot live.json --family roles")).toMatchObject({ code: 0 });
      const text = readFileSync(join(folder, "live.json"), "utf8");
      writeFileSync(join(folder, "live.json"), text.replace('"cluster_permissions"', `"more": ${objects}, $&`));
      const { code, stderr } = await run("plan --live live.json access");
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("nested deeper than any") });
    }));

  test("a value in a plan file", ({ expect }) =>
    onHarness({ files }, async ({ folder, url }) => {
      const run = (line: string) => gateSyncWithin(line.replace("URL", url).split(" "), { cwd: folder });
      expect(await run("plan --url URL access --out plan.json")).toMatchObject({ code: 0 });
      const text = readFileSync(join(folder, "plan.json"), "utf8");
      writeFileSync(join(folder, "plan.json"), text.replace('"after": ', `"more": ${lists}, "after": `));
      const { code, stderr } = await run("apply --url URL plan.json");
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("nested deeper than any") });
    }));
});
