// Where a server shows asterisks for its secrets, they are never written back, and never shown as a change.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { gateSyncWithin, inFolder, type Run } from "../support/command.ts";
import { openMirror } from "./mirror.ts";

const mask = "******";
/** What an export calls the password. */
const exported = "SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_PASSWORD";

function config(password: Json, order = 1): JsonObject {
  const backend = { type: "ldap", config: { bind_dn: "cn=admin", password } };
  const authenticator = { type: "basic", challenge: true, config: {} };
  const ldap = { order, http_enabled: true, http_authenticator: authenticator, authentication_backend: backend };
  return { dynamic: { authc: { ldap } } };
}

interface Harness {
  readonly run: (line: string) => Promise<Run>;
  readonly declare: (declared: JsonObject) => void;
  readonly folder: string;
  /** What was written, each body as text. */
  readonly written: string[];
  readonly held: () => unknown;
}

async function onHarness(work: (harness: Harness) => Promise<void>): Promise<void> {
  const state = { config: config("hunter2") };
  const emulator = await startEmulator({
    product: "opensearch",
    release: "2.19",
    allowConfigModification: true,
    state,
  });
  const mirror = await openMirror(
    () => emulator.url,
    () => emulator.state().config,
  );
  const written: string[] = [];
  mirror.weather = ({ method, path, body }) => {
    if (method !== "GET") written.push(body);
    if (method !== "GET" || !path.startsWith("/_plugins/_security/api/securityconfig")) return undefined;
    return { status: 200, body: JSON.stringify({ config: emulator.state().config }).replaceAll("hunter2", mask) };
  };
  try {
    await inFolder({}, async (folder) => {
      const words = (line: string) => `${line} --url ${mirror.url} --family config`.split(" ");
      await work({
        folder,
        written,
        run: (line) => gateSyncWithin(words(line), { cwd: folder, env: { BIND: "hunter3", [exported]: "hunter3" } }),
        declare: (declared) => writeFileSync(join(folder, "state.yml"), JSON.stringify({ config: declared })),
        held: () => emulator.state().config,
      });
    });
  } finally {
    await mirror.close();
    await emulator.close();
  }
}

/** What is applied of a declared config: whether anything, and what the server holds then. */
function check(declared: JsonObject, { writes, password, order }: { writes: number; password: string; order: number }) {
  return onHarness(async ({ declare, run, written, held }) => {
    declare(declared);
    const { stdout } = await run("apply state.yml --yes --full --allow login --allow plain-secrets");
    expect(stdout).not.toContain(mask);
    expect(stdout.includes("password")).toBe(password !== "hunter2");
    expect(written.length).toBe(writes);
    expect(written.join("\n")).not.toContain(mask);
    expect(held()).toMatchObject(config(password, order));
  });
}

test("declared as they are shown: nothing to do", () =>
  check(config(mask), { writes: 0, password: "hunter2", order: 1 }));
test("beside a change: just the change", () => check(config(mask, 2), { writes: 1, password: "hunter2", order: 2 }));
test("declared as a secret of ours, which cannot be compared: nothing to do", () =>
  check(config("${env:BIND}"), { writes: 0, password: "hunter2", order: 1 }));

test("exported, planned and rolled back", () =>
  onHarness(async ({ folder, declare, run, written, held }) => {
    await run("export --out exported");
    const [name = ""] = readdirSync(join(folder, "exported"));
    expect(readFileSync(join(folder, "exported", name), "utf8")).not.toContain("hunter2");
    const planned = await run("plan exported --full");
    expect(planned.code).toBe(0);
    expect(planned.stdout).not.toContain("password");
    declare(config(mask, 2));
    expect((await run("apply state.yml --yes --allow login")).code).toBe(0);
    expect((await run("rollback --yes --allow login")).code).toBe(0);
    expect(written.join("\n")).not.toContain(mask);
    expect(held()).toMatchObject(config("hunter2", 1));
  }));
