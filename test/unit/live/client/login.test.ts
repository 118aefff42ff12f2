// Credentials that a command prints, here a small program of Node's.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLogin } from "../../../../src/live/client/login.ts";
import type { Command, Credentials } from "../../../../src/model/target.ts";
import { putOf, readerOf, serve, targetAt, userMessageOf, writerOf } from "./served.ts";

/** A command that prints one answer after the other, the last for ever, and how often it ran. */
function printing(...answers: readonly object[]): { command: Command; runs: () => number } {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-login-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const count = join(folder, "count");
  writeFileSync(count, "");
  const program = `const fs = require("fs"); const n = fs.readFileSync("count").length; fs.appendFileSync("count", "x");
    const all = ${JSON.stringify(answers)}; console.log(JSON.stringify(all[Math.min(n, all.length - 1)]));`;
  return {
    command: { argv: [process.execPath, "-e", program], cwd: folder, env: process.env },
    runs: () => readFileSync(count).length,
  };
}

/** A server that takes these values of Authorization. */
function serveThose(isGood: (authorization: string) => boolean) {
  return serve(({ headers }, response) =>
    response.writeHead(isGood(headers.authorization ?? "") ? 200 : 401).end("{}"),
  );
}

const aws = (keys: Command): Credentials => ({ kind: "aws", region: "us-east-1", service: "es", keys });
const keys = { Version: 1, AccessKeyId: "AKIDONE", SecretAccessKey: "s" };

it("the command is asked when first needed, and once", async () => {
  const { url } = await serveThose((authorization) => authorization === "Bearer one");
  const { command, runs } = printing({ token: "one" });
  const reader = readerOf(targetAt(url, { auth: { kind: "exec", command } }));
  expect(runs()).toBe(0);
  const answers = await Promise.all(["/a", "/b", "/c"].map((path) => reader.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(runs()).toBe(1);
});

it("it is asked again where a login is refused, once for all requests", async () => {
  const { url } = await serveThose((authorization) => authorization === "Bearer two");
  const { command, runs } = printing({ token: "one" }, { token: "two" });
  const reader = readerOf(targetAt(url, { auth: { kind: "exec", command } }));
  const answers = await Promise.all(["/a", "/b", "/c"].map((path) => reader.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(runs()).toBe(2);
});

it("it is asked once also by requests that are refused at the same moment", async () => {
  const { command, runs } = printing({ token: "one" }, { token: "two" });
  const login = createLogin({ kind: "exec", command });
  const refused = await login.current();
  const [one, other] = await Promise.all([login.instead(refused), login.instead(refused)]);
  expect(one).toBe(other);
  expect(runs()).toBe(2);
});

it("a user and a password will do too", async () => {
  const { url } = await serveThose((authorization) => authorization === "Basic dTpw");
  const { command } = printing({ username: "u", password: "p" });
  expect(await readerOf(targetAt(url, { auth: { kind: "exec", command } })).get("/")).toMatchObject({ status: 200 });
});

it("keys sign each request again, and are asked for again when they are about to end", async () => {
  const { url, seen } = await serveThose((authorization) => authorization.startsWith("AWS4-HMAC-SHA256 "));
  const soon = new Date(Date.now() + 30_000).toISOString();
  const { command, runs } = printing({ ...keys, Expiration: soon }, { ...keys, AccessKeyId: "AKIDTWO" });
  const writer = writerOf(targetAt(url, { auth: aws(command) }));
  await writer.get("/a");
  await writer.send(putOf({ long: "x".repeat(70_000) }));
  const used = seen.map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? "")?.[1]);
  expect(used).toEqual(["AKIDONE", "AKIDTWO"]);
  expect(runs()).toBe(2);
  // A signature covers the bytes that are sent.
  expect(seen[1]?.headers["content-encoding"]).toBeUndefined();
});

it.each<[what: string, auth: (command: Command) => Credentials, printed: object, userMessage: string]>([
  ["AWS keys without a region", (command) => ({ kind: "exec", command }), keys, "prints AWS keys."],
  ["a token where keys are wanted", aws, { token: "t" }, "prints something else than AWS keys."],
])("%s get a message, and a write is not sent", async (_what, auth, printed, userMessage) => {
  const { url, seen } = await serveThose(() => true);
  const target = targetAt(url, { auth: auth(printing(printed).command) });
  expect(await userMessageOf(target)).toContain(userMessage);
  expect(await writerOf(target).send(putOf())).toMatchObject({
    unsent: true,
    lost: expect.stringContaining(userMessage),
  });
  expect(seen).toEqual([]);
});
