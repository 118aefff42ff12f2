// The package as a library: what `import … from "gate-sync"` gives is the built entry, and its functions run.
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { bin } from "../support/command.ts";
import { oneTenant, onHarness } from "./harness.ts";

type Library = typeof import("../../src/index.ts");
const packageFile = new URL("../../package.json", import.meta.url);

/** The entry that package.json names, imported as its users import it. */
async function library(): Promise<Library> {
  const { exports } = JSON.parse(readFileSync(packageFile, "utf8"));
  return import(new URL(exports["."].default, packageFile).href);
}

describe("the library", () => {
  test("plans, applies and exports", () =>
    onHarness({ files: oneTenant }, async ({ folder, url, writes }) => {
      const { apply, connectToRead, connectToWrite, exportState, plan, validate } = await library();
      const request = { cwd: folder, env: {}, flags: { url, statePaths: ["access"] } };

      const evaluated = await validate(request);
      expect(evaluated).toMatchObject({ diagnostics: [], fileCount: 1 });

      const planned = await plan({ ...request, allowed: [] }, { connect: connectToRead });
      expect(planned.plan.operations).toMatchObject([{ method: "PUT", path: "/_gate/api/tenants/support" }]);

      const report = await apply(planned, connectToWrite, { settled: () => {}, stopped: () => false });
      expect(report).toMatchObject({ verified: true, differing: [] });
      expect(writes()).toEqual(["PUT /_gate/api/tenants/support"]);

      const exported = await exportState({ ...request, oneFile: true }, connectToRead);
      expect(exported.files.map(({ text }) => text)).toEqual(["tenants:\n  support:\n    description: First line\n"]);
    }));

  test("starts the emulator, for the tests of its users", async () => {
    const { startEmulator } = await library();
    const emulator = await startEmulator({ product: "gate", state: { tenants: { a: {} } } });
    try {
      const answer = await fetch(`${emulator.url}/_gate/api/tenants`);
      expect(Object.keys((await answer.json()) as object)).toEqual(["a"]);
    } finally {
      await emulator.close();
    }
  });

  test("throws what its users can distinguish by kind and exit code", () =>
    onHarness({ files: { "access/a.yml": "tenants: [" } }, async ({ folder, url }) => {
      const { connectToRead, plan, RunError } = await library();
      const request = { cwd: folder, env: {}, allowed: [], flags: { url, statePaths: ["access"] } };
      const error = await plan(request, { connect: connectToRead }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RunError);
      expect(error).toMatchObject({ kind: "invalid", exitCode: 3, diagnostics: [{ code: "syntax" }] });
    }));

  test.each([
    ["a literal password", "hunter2.literal", "internal_users:\n  ana:\n    hash: hunter2.literal\n"],
    [
      "a password as a family",
      "hunter2.family",
      "internal_users:\n  ana: {password: hunter2.family}\nhunter2.family: {}\n",
    ],
    [
      "a secret of the environment",
      "from-the-environment",
      "internal_users:\n  ana: {password: '${env:PW}', frozzen: 1}\n",
    ],
    ["an unclosed bracket", "hunter2.open", "internal_users:\n  ana: {password: hunter2.open\n"],
    ["a tag before a password", "hunter2.tag", "internal_users:\n  ana:\n    hash: !hunter2.tag x\n"],
  ])("shows no secret in diagnostics and errors that are logged: %s", (_what, secret, text) =>
    onHarness({ files: { "access/a.yml": text } }, async ({ folder, url }) => {
      const { connectToRead, plan, validate } = await library();
      const request = { cwd: folder, env: { PW: "from-the-environment" }, flags: { url, statePaths: ["access"] } };
      const { diagnostics } = await validate(request);
      const thrown = await plan({ ...request, allowed: [] }, { connect: connectToRead }).catch(
        (error: unknown) => error,
      );
      expect(diagnostics).not.toEqual([]);
      expect(thrown).toMatchObject({ kind: "invalid" });
      for (const shown of [diagnostics, thrown, (thrown as { diagnostics: unknown }).diagnostics])
        expect(`${JSON.stringify(shown)} ${inspect(shown, { depth: null })}`).not.toContain(secret);
    }),
  );

  test("a plan against a snapshot cannot be applied here either", () =>
    onHarness({ files: oneTenant }, async ({ folder, run, writes }) => {
      const { apply, connectToWrite, plan } = await library();
      await run("export --url URL --snapshot live.json");
      const request = { cwd: folder, env: {}, allowed: [], flags: { statePaths: ["access"] } };
      const planned = await plan(request, { snapshot: `${folder}/live.json` });
      const applied = apply(planned, connectToWrite, { settled: () => {}, stopped: () => false });
      await expect(applied).rejects.toMatchObject({ kind: "usage", exitCode: 64 });
      expect(writes()).toEqual([]);
    }));

  test("the bin of package.json is what these tests run", () => {
    const { bin: named } = JSON.parse(readFileSync(packageFile, "utf8"));
    expect(new URL(named["gate-sync"], packageFile).pathname).toBe(bin);
  });
});
