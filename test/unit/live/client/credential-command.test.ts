import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../../src/diagnostics/failure.ts";
import { Secret } from "../../../../src/json/secret.ts";
import { runCredentialCommand } from "../../../../src/live/client/credential-command.ts";

/** A program of one line of JavaScript. */
const script = (code: string) => [process.execPath, "-e", code];
const printing = (value: unknown) => script(`console.log(${JSON.stringify(JSON.stringify(value))})`);

function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}, timeout?: number) {
  return runCredentialCommand({ argv, cwd: tmpdir(), env: { PATH: process.env.PATH, ...env } }, timeout);
}

/** Secrets as they are, to be compared. */
function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** The message that it ends with, as one string. */
async function userMessageOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.catch((thrown: unknown) => thrown);
  if (!(error instanceof RunError)) throw new Error(`It did not end in a RunError: ${String(error)}`);
  expect(error.exitCode).toBe(1);
  return Object.values(error.userMessage).join(" ");
}

const aws = { Version: 1, AccessKeyId: "AKIA1", SecretAccessKey: "s3cret" };
const execCredential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential" };

describe.concurrent("a command that prints credentials", () => {
  test.for<[string, unknown, unknown]>([
    ["a login", { username: "ci", password: "pw" }, { kind: "basic", username: "ci", password: "pw" }],
    ["a token", { token: "t" }, { kind: "bearer", token: "t" }],
    ["what kubectl reads", { ...execCredential, status: { token: "t" } }, { kind: "bearer", token: "t" }],
    ["lasting AWS keys", aws, { kind: "aws-keys", keys: { accessKeyId: "AKIA1", secretAccessKey: "s3cret" } }],
    [
      "AWS keys of a session",
      { ...aws, SessionToken: "st", Expiration: "2030-01-01T00:00:00Z" },
      {
        kind: "aws-keys",
        keys: { accessKeyId: "AKIA1", secretAccessKey: "s3cret", sessionToken: "st" },
        expires: "2030-01-01T00:00:00Z",
      },
    ],
  ])("understands %s", async ([, printed, understood], { expect }) => {
    const credentials = await run(printing(printed));
    expect(plain(credentials)).toEqual(understood);
    expect(JSON.stringify(credentials)).not.toMatch(/"(pw|t|s3cret|st)"/);
  });

  test.for<[string, readonly string[], string]>([
    ["nothing", script(""), "prints nothing"],
    ["a status of another kind", printing({ kind: "Login", status: { token: "tok3n" } }), "prints JSON without"],
    ["a bare token", script("console.log('tok3n')"), "prints something else than one JSON object"],
    ["a list", printing(["tok3n"]), "prints something else than one JSON object"],
    ["other JSON", printing({ access: "tok3n" }), "prints JSON without credentials"],
    ["half a login", printing({ username: "tok3n" }), "prints only half of a login"],
    ["a password alone", printing({ password: "tok3n" }), "prints only half of a login"],
    ["half of AWS keys", printing({ SecretAccessKey: "tok3n" }), "prints only half of a pair of AWS keys"],
    ["an empty token", printing({ token: "" }), "prints JSON without credentials"],
    ["a token of two lines", printing({ token: "tok3n\nx" }), "prints JSON without credentials"],
    [
      "a certificate",
      printing({ ...execCredential, status: { clientCertificateData: "tok3n" } }),
      "which only `tls` can give",
    ],
    ["fields of another place", printing({ ...execCredential, token: "tok3n", status: {} }), "prints JSON without"],
  ])("does not take %s, nor shows it", async ([, argv, reported], { expect }) => {
    const userMessage = await userMessageOf(run(argv));
    expect(userMessage).toContain(reported);
    expect(userMessage).not.toContain("tok3n");
  });

  test("is started without a shell, in its folder, with its environment and no input", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "gate-sync-"));
    writeFileSync(join(cwd, "here"), "");
    const code = `const read = require('fs').readFileSync;
      console.log(JSON.stringify({ token: [read(0).length, read('here').length, process.env.X, process.env.HOME, process.argv[1]].join('|') }))`;
    const credentials = await runCredentialCommand({ argv: [...script(code), "$X;*"], cwd, env: { X: "x" } });
    expect(plain(credentials)).toEqual({ kind: "bearer", token: "0|0|x||$X;*" });
  });

  test("that is not there", async () => {
    const userMessage = await userMessageOf(run(["no-such-program-of-ours", "x"]));
    expect(userMessage).toContain("The program no-such-program-of-ours, which has to print the login, is not found.");
  });

  test("that may not be executed", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "gate-sync-")), "plain.txt");
    writeFileSync(path, "x", { mode: 0o644 });
    expect(await userMessageOf(run([path]))).toContain("may not be executed");
  });

  test.for<[string, string, Readonly<Record<string, string>>]>([
    ["only it knows", "console.error('error: bad key hunter2')", {}],
    ["of the environment", "console.error('bad key ' + process.env.MY_TOKEN)", { MY_TOKEN: "hunter2" }],
    ["that it printed", `console.log('{"token":"hunter2"}'); console.error('got hunter2')`, {}],
  ])("that fails is not quoted: it may repeat a secret %s", async ([, code, env], { expect }) => {
    const userMessage = await userMessageOf(run(script(`${code}; process.exitCode = 7`), env));
    expect(userMessage).toContain("fails with exit code 7. What it says is not shown, as it may be secret: try it");
    expect(userMessage).not.toContain("hunter2");
  });

  test("that does not end is ended", async () => {
    const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
    expect(await userMessageOf(run(script(code), {}, 300))).toContain("has not ended after");
  });

  test("that prints without end is ended", async () => {
    const code = "const go = () => process.stdout.write('x'.repeat(65536), go); go()";
    expect(await userMessageOf(run(script(code)))).toContain("prints more than 1 MiB");
  });

  test("that is killed", async () => {
    expect(await userMessageOf(run(script("process.kill(process.pid, 'SIGKILL')")))).toContain("was ended by SIGKILL");
  });

  test("of no words at all", async () => {
    expect(await userMessageOf(run(["a\0b"]))).toContain("cannot be started");
  });
});
