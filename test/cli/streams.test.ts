// stdout carries what was asked for; everything else goes to stderr. A reader that leaves early is no failure.
import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { bin, start } from "../support/command.ts";
import { oneTenant, onHarness, twoFamilies } from "./harness.ts";

const esc = "\u001b";
/** Warns, and has a file that is skipped with a notice. */
const noisy = {
  ...oneTenant,
  "access/mappings.yml": "role_mappings: { hr_reader: { users: [ana] } }\n",
  "access/sessions.yml": "_meta: { type: sessions, config_version: 2 }\na: { max: 1 }\n",
};

describe.concurrent("stdout and stderr", () => {
  test("a plan goes to stdout, warnings and notices to stderr", () =>
    onHarness({ files: noisy }, async ({ run }) => {
      const { stdout, stderr } = await run("plan --url URL access");
      expect(stdout).toContain("2 to create, in 2 requests.");
      expect(stdout).not.toMatch(/warning|skipped/);
      expect(stderr).toContain("warning  unknown-role");
      expect(stderr).toContain("sessions.yml is skipped");
    }));

  test.for(["plan", "drift"])(
    "%s as Markdown counts the files as its text does: all that were read",
    (command, { expect }) =>
      onHarness({ files: noisy }, async ({ run }) => {
        const { stdout, stderr } = await run(`${command} --url URL access --format markdown`);
        const [counted = ""] = /^\d+ warnings? in \d+ files?\.$/m.exec(stderr) ?? [];
        expect(counted).toBe("1 warning in 3 files.");
        expect(stdout).toContain(counted);
      }),
  );

  test("--quiet leaves the plan and takes warnings and notices away", () =>
    onHarness({ files: noisy }, async ({ run }) => {
      const { stdout, stderr } = await run("plan --url URL access --quiet");
      expect(stdout).toContain("2 to create, in 2 requests.");
      expect(stderr).toBe("");
    }));

  test("apply --quiet prints outcomes only, but never refuses in silence", () =>
    onHarness({ files: oneTenant }, async ({ run, emulator }) => {
      const done = await run("apply --yes --quiet --url URL access");
      expect(done.stdout).not.toContain("to create");
      expect(done.stdout).toContain("1 created.");
      emulator.replaceState({ tenants: { support: { description: "First line" }, a: {}, b: {}, c: {} } });
      const refused = await run("apply --yes --quiet --url URL access");
      expect(refused).toMatchObject({ code: 4, stdout: expect.stringContaining("--allow deletions=tenants") });
    }));

  test("apply --quiet counts who gains and who loses access", () => {
    const grants = (member: string) =>
      `roles: { r: { index_permissions: [{ index_patterns: [a], allowed_actions: ["indices:data/read/*"] }] } }\nrole_mappings: { r: { users: [${member}] } }\n`;
    return onHarness({ files: { "ana.yml": grants("ana"), "bo.yml": grants("bo") } }, async ({ run }) => {
      expect((await run("apply --yes --quiet --url URL ana.yml")).stdout).toContain("\nAccess: 1 gained.\n");
      expect((await run("apply --yes --quiet --url URL bo.yml")).stdout).toContain("\nAccess: 1 gained, 1 lost.\n");
      const again = (await run("apply --yes --quiet --url URL bo.yml")).stdout;
      expect(again).toContain("in sync (1 role, 1 role mapping). Nothing to do.\n");
      expect(again).not.toContain("Access");
    });
  });

  test("--verbose names what is reserved or unmanaged", () =>
    onHarness({ files: oneTenant, state: { tenants: { global_tenant: { reserved: true } } } }, async ({ run }) => {
      expect((await run("plan --url URL access")).stdout).not.toContain("global_tenant");
      expect((await run("plan --url URL access --verbose")).stdout).toMatch(/global_tenant +reserved/);
    }));

  test("--verbose prints each step on stderr, and else there is no word of them", () =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      const steps = async (line: string) => (await run(line)).stderr.replace(/\d+(\.\d)? (m?s|k?B)/g, "-").split("\n");
      const reading = ["GET /_gate/api/tenants  200  -  -", "GET /  200  -  -"];
      const files = "Read 1 file  -";
      const asked = ["Compared 1 resource  -", ""];
      expect(await steps("validate access --verbose")).toEqual([files, ""]);
      for (const command of ["plan", "drift"]) {
        const explained = await steps(`${command} --url URL access --verbose`);
        expect(explained).toEqual([files, ...explained.filter((line) => line.startsWith("GET ")), ...asked]);
        expect(explained).toEqual(expect.arrayContaining(reading));
        expect((await run(`${command} --url URL access`)).stderr).toBe("");
      }
      expect(await steps("export --url URL --out out --verbose")).toEqual(expect.arrayContaining(reading));
      expect(await steps("apply --yes --url URL access --verbose")).toEqual(
        expect.arrayContaining([files, "Request 1 of 1: PUT tenant support"]),
      );
    }));

  test("what is wrong with a run goes to stderr, and stdout stays empty", () =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      for (const line of ["plan --url http://127.0.0.1:1 access", "plan --ur URL", "export --url URL"]) {
        expect({ line, ...(await run(line)) }).toMatchObject({
          line,
          stdout: "",
          stderr: expect.stringMatching(/^! /),
        });
      }
      // Asked and refused: the plan was asked for, why it is not applied was not.
      const { stdout, stderr } = await run("apply --url URL access");
      expect(stdout).toContain("1 to create");
      expect(stderr).toMatch(/^! There is no terminal to ask/);
    }));

  test("help is asked for, usage is not", () =>
    onHarness({}, async ({ run }) => {
      expect(await run("plan --help")).toMatchObject({ code: 0, stderr: "" });
      expect(await run("")).toMatchObject({ code: 64, stdout: "", stderr: expect.stringContaining("Usage:") });
    }));
});

describe.concurrent("colour", () => {
  const plan = "plan --url URL access";
  test("not where stdout is no terminal", () =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      expect((await run(plan)).stdout).not.toContain(esc);
      expect((await run("plan --url http://127.0.0.1:1 access")).stderr).not.toContain(esc);
    }));

  test("where --color always asks for it, whatever NO_COLOR says", () =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      expect((await run(`${plan} --color always`)).stdout).toContain(esc);
      expect((await run(`${plan} --color always`, { NO_COLOR: "1" })).stdout).toContain(esc);
    }));

  test("the same words with and without", () =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      const painted = stripVTControlCharacters((await run(`${plan} --color always`)).stdout);
      expect(painted).toBe((await run(`${plan} --color never`)).stdout);
    }));
});

describe.concurrent("a reader that leaves early", () => {
  test.for([
    ["--full", (url: string) => `127.0.0.1  ${url}\n`],
    ["--format json", () => "{\n"],
  ] as const)("head ends a long plan without a word of complaint: %s", ([how, first], { expect }) =>
    onHarness({ files: { "access/a.yml": `tenants:\n${many(1000)}` } }, async ({ folder, url }) => {
      const pipe = `{ "$0" "$1" plan --url ${url} access ${how}; echo "exit $?" >&2; } | head -1`;
      const { stdout, stderr } = await start("sh", ["-c", pipe, process.execPath, bin], { cwd: folder }).ended;
      expect(stderr).toBe("exit 0\n");
      expect(stdout).toBe(first(url));
    }),
  );

  test("a reader that is slow gets all of it", () =>
    onHarness({ files: { "access/a.yml": `tenants:\n${many(1000)}` } }, async ({ folder, url }) => {
      const pipe = `"$0" "$1" plan --url ${url} access --format json | { read line; sleep 0.2; echo "$line"; cat; }`;
      const { stdout } = await start("sh", ["-c", pipe, process.execPath, bin], { cwd: folder }).ended;
      expect(JSON.parse(stdout).changes).toHaveLength(1000);
    }));

  test("an apply goes on to its end, though its output is no longer read", () =>
    onHarness({ files: twoFamilies }, async ({ start, writes }) => {
      const running = start("apply --yes --url URL access");
      running.child.stdout?.destroy();
      const { code, stderr } = await running.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(writes()).toEqual(["PUT /_gate/api/tenants/support", "PUT /_gate/api/blocks/lab"]);
    }));

  test.skipIf(!existsSync("/dev/full"))("a disk that is full is a failure, reported in one line", () =>
    onHarness({ files: oneTenant }, async ({ folder, url }) => {
      const full = `"$0" "$1" plan --url ${url} access > /dev/full`;
      const { code, stderr } = await start("sh", ["-c", full, process.execPath, bin], { cwd: folder }).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^! The output cannot be written: ENOSPC.*\n$/);
    }),
  );
});

function many(count: number): string {
  return Array.from({ length: count }, (_, index) => `  tenant_${index}: { description: Number ${index} }\n`).join("");
}
