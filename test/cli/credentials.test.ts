// How the program logs in, and what it says where it may not. The password itself is never an argument and never shown.
import { describe, expect, test } from "vitest";
import type { EmulatorUser } from "../../src/emulator/index.ts";
import { openMirror } from "../canaries/mirror.ts";
import { type Env, oneTenant, onHarness } from "./harness.ts";

const password = "s3cret-of-ana";
const users: readonly EmulatorUser[] = [
  { name: "ana", password, rights: "all" },
  { name: "kira", password: "reads-only", rights: "read" },
  { name: "quark", password: "no-rights", rights: "none" },
];
const files = { ...oneTenant, "password.txt": `${password}\n` };

const members: Readonly<Record<string, readonly [line: string, env: Env]>> = {
  "by environment": ["", { GATE_SYNC_USERNAME: "ana", GATE_SYNC_PASSWORD: password }],
  "by a variable that a flag names": ["--username ana --password-env PW", { PW: password }],
  "by a file that a flag names": ["--username ana --password-file password.txt", {}],
  "flags go before the environment": [
    "--username ana --password-file password.txt",
    { GATE_SYNC_USERNAME: "quark", GATE_SYNC_PASSWORD: "wrong" },
  ],
};

/** Runs a plan with a login; the message has to say this much. */
function check(line: string, env: Env, code: number, reported: string) {
  return onHarness({ files, users }, async ({ run }) => {
    const { stdout, stderr, ...ended } = await run(`plan --url URL access ${line}`, env);
    expect({ ...ended, stdout }).toEqual({ code, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toContain(reported);
    const shown = Object.entries(env).filter(
      ([name, value]) => name !== "GATE_SYNC_USERNAME" && stderr.includes(value),
    );
    expect(shown).toEqual([]);
  });
}

describe.concurrent("credentials", () => {
  test.for(Object.entries(members))("%s", ([, [line, env]], { expect }) =>
    onHarness({ files, users }, async ({ run }) => {
      const { code, stdout, stderr } = await run(`plan --url URL access ${line}`, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("as ana");
      expect(stdout).not.toContain(password);
    }),
  );

  test("those of gate-sync.yaml, by reference", () => {
    const config =
      "targets: { dev: { url: 'http://127.0.0.1:1', state: [access/], auth: { username: ana, password: '${env:PW}' } } }\n";
    return onHarness({ files: { ...files, "dev.yaml": config }, users }, async ({ run, url }) => {
      const { code, stdout } = await run(`plan --config dev.yaml --url ${url}`, { PW: password });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("as ana") });
    });
  });

  test("in plain text, or sent without TLS: warnings of all that reads files, and of doctor", () => {
    const config =
      "targets: { dev: { url: 'http://192.0.2.1:9200', state: [access/], auth: { username: ana, password: canary } } }\n";
    return onHarness({ files: { ...files, "gate-sync.yaml": config }, users }, async ({ run, url }) => {
      const { code, stdout, stderr } = await run("validate --product gate");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("plain-login");
      expect(stdout).toContain('The login of target "dev" is sent to http://192.0.2.1:9200 without TLS.');
      expect(stdout).not.toContain("canary");
      const login = `--username ana --password-file password.txt`;
      const local = await run(`plan ${login} --url URL`);
      expect(local).toMatchObject({ code: 0, stderr: "" });
      expect(local.stdout).not.toMatch(/plain-login|login-over-http/);
      const open = "http://search.example:9200";
      const proxy = await openMirror(
        () => url,
        () => undefined,
      );
      for (const line of ["plan --out open.plan", "drift", "doctor", "apply open.plan"]) {
        const { stdout, stderr } = await run(`${line} ${login} --url ${open}`, { HTTP_PROXY: proxy.url });
        expect([line, `${stdout}${stderr}`.replace(/\s+/g, " ")]).toEqual([
          line,
          expect.stringContaining(`The login of target "dev" is sent to ${open} without TLS.`),
        ]);
      }
      await proxy.close();
    });
  });

  test.for([
    ["--insecure", ["--insecure"], {}],
    ["NODE_TLS_REJECT_UNAUTHORIZED=0", [], { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
  ] as const)(
    "of a server whose certificate is not checked, by %s: said before and in the plan",
    ([what, flags, env]) =>
      onHarness({ files, users }, async ({ run }) => {
        const login = { GATE_SYNC_USERNAME: "ana", GATE_SYNC_PASSWORD: password };
        for (const line of ["plan --url URL access", "doctor --url URL"]) {
          const { stdout, stderr } = await run([line, ...flags].join(" "), { ...login, ...env });
          expect(stdout).toContain(`The server's certificate was not checked (${what}):`);
          expect(stderr).toContain(`Warning: ${what}: the server's certificate is not checked`);
        }
        const unset = await run("doctor --url URL", { ...login, NODE_TLS_REJECT_UNAUTHORIZED: "1" });
        expect(`${unset.stdout}${unset.stderr}`).not.toContain("certificate");
      }),
  );

  test("those that a program prints", () => {
    const config =
      "targets: { dev: { url: 'http://127.0.0.1:1', state: [access/], auth: { exec: [node, login.mjs] } } }\n";
    const program = "console.log(JSON.stringify({ username: 'ana', password: process.env.PW }))";
    return onHarness({ files: { ...files, "dev.yaml": config, "login.mjs": program }, users }, async ({ run, url }) => {
      const { code, stdout, stderr } = await run(`plan --config dev.yaml --url ${url}`, { PW: password });
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: expect.stringContaining("as a login, printed by node"),
        stderr: "",
      });
      expect(stdout).not.toContain(password);
      const failed = await run(`plan --config dev.yaml --url ${url}`);
      expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: "" });
      expect(failed.stderr).toContain("The program node, which has to print the login, prints only half of a login.");
    });
  });

  test("those that a header of gate-sync.yaml carries", () => {
    const config =
      "targets: { dev: { url: 'http://127.0.0.1:1', state: [access/], headers: { Authorization: 'Basic ${env:B64}' } } }\n";
    return onHarness({ files: { ...files, "dev.yaml": config }, users }, async ({ run, url }) => {
      const env = { B64: Buffer.from(`ana:${password}`).toString("base64") };
      const { code, stdout, stderr } = await run(`plan --config dev.yaml --url ${url} --format json`, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).not.toContain(env.B64);
    });
  });

  test("go to the URL that connects", () =>
    onHarness({ files, users }, async ({ run, url }) => {
      const env = { GATE_SYNC_USERNAME: "ana", GATE_SYNC_PASSWORD: password };
      const { code, stderr } = await run(`plan --url http://127.0.0.1:1 --url ${url} access`, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }));

  test("none: 401, and what to set", () => check("", {}, 1, "! The server wants a login, and we have none (401"));

  test("a wrong password: 401", () =>
    check(
      "",
      { GATE_SYNC_USERNAME: "ana", GATE_SYNC_PASSWORD: "wrong" },
      1,
      "does not accept the password of ana (401",
    ));

  test("no rights: 403, in the server's own words", () =>
    check(
      "",
      { GATE_SYNC_USERNAME: "quark", GATE_SYNC_PASSWORD: "no-rights" },
      1,
      "does not have any role privileged for admin access",
    ));

  test("half a login", () => check("", { GATE_SYNC_USERNAME: "ana" }, 64, "! There is a user name, but no password."));

  test("half a certificate", () => check("--cert ci.pem", {}, 64, "! There is --cert without --key."));

  test("a command that was written as one text", () => {
    const config = "targets: { dev: { url: 'http://127.0.0.1:1', state: [access/], auth: { exec: aws login } } }\n";
    return onHarness({ files: { ...files, "gate-sync.yaml": config } }, async ({ run }) => {
      const { code, stderr } = await run("validate");
      expect(code).toBe(3);
      expect(stderr).toContain("Write its words as a list: [aws, ********].");
    });
  });

  test("a variable that is not set", () =>
    check("--username ana --password-env PW", {}, 64, "--password-env names PW, but this variable is not set."));

  test("a file that is not there", () =>
    check("--username ana --password-file no.txt", {}, 64, "The file no.txt of --password-file cannot be read"));

  test("a password in the URL is refused and not repeated", () =>
    onHarness({ files }, async ({ run }) => {
      const { code, stderr } = await run("plan --url http://ana:hunter2@127.0.0.1:1 access");
      expect(code).toBe(64);
      expect(stderr).toContain("--url holds login data");
      expect(stderr).not.toContain("hunter2");
    }));

  test("who may only read can plan; apply is refused by the server and says why", () =>
    onHarness({ files, users }, async ({ run, writes }) => {
      const env = { GATE_SYNC_USERNAME: "kira", GATE_SYNC_PASSWORD: "reads-only" };
      expect((await run("plan --url URL access", env)).code).toBe(0);
      const { code, stdout } = await run("apply --yes --url URL access", env);
      expect({ code, writes: writes() }).toEqual({ code: 1, writes: ["PUT /_gate/api/tenants/support"] });
      expect(stdout.replace(/\s+/g, " ")).toContain("does not have any access to endpoint TENANTS and method PUT");
    }));
});
