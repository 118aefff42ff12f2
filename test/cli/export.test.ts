// export: what the cluster holds as files, and nothing of anybody's overwritten.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const password = "bind-Tuesday-42";
const authz = { directory: { authorization_backend: { type: "ldap", config: { bind_dn: "cn=a", password } } } };
const state = {
  tenants: { support: { description: "First line" } },
  roles: { log_reader: { cluster_permissions: ["cluster:monitor/main"] } },
  config: { dynamic: { authz } },
};

describe.concurrent("export", () => {
  test("refuses a folder that is not empty before it asks the server", () =>
    onHarness({ files: { "live/notes.txt": "mine" }, state }, async ({ run, folder, emulator }) => {
      const { code, stderr } = await run("export --url URL --out live");
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("The folder live is not empty.") });
      expect(readdirSync(join(folder, "live"))).toEqual(["notes.txt"]);
      expect(emulator.requests).toEqual([]);
    }));

  test("writes one file for each family, or one for all; either is in sync", () =>
    onHarness({ state }, async ({ run, folder }) => {
      expect((await run("export --url URL --out live")).code).toBe(0);
      expect(readdirSync(join(folder, "live"))).toEqual(["roles.yml", "tenants.yml"]);
      expect((await run("export --url URL --out one --one-file")).code).toBe(0);
      expect(readdirSync(join(folder, "one"))).toEqual(["access.yml"]);
      for (const path of ["live", "one"]) {
        expect(await run(`plan --url URL ${path} --detailed-exitcode`)).toMatchObject({ code: 0, stderr: "" });
      }
    }));

  test("as custom resources says what these cannot hold, and is for OpenSearch only", () => {
    const held = { roles: { hr: { cluster_permissions: ["a"], description: "d" }, HR: {} } };
    return onHarness({ product: "opensearch", state: held }, async ({ run, folder }) => {
      const line = "export --url URL --as operator --out live";
      expect((await run(line)).stderr).toContain("--operator-cluster NAME");
      const { code, stdout } = await run(`${line} --operator-cluster c --format json`);
      expect({ code, ...JSON.parse(stdout) }).toEqual({
        code: 0,
        format_version: 1,
        files: ["roles.yml"],
        cannot_hold: [
          "roles/HR: the name, as Kubernetes takes lower case, digits, - and . only",
          "roles/hr: description",
          "config",
          "internal_users, which were not read: --family internal_users writes them, without passwords",
          "nodes_dn",
          "audit",
          "whitelist",
          "allowlist",
        ],
      });
      expect(readFileSync(join(folder, "live/roles.yml"), "utf8")).toContain("kind: OpensearchRole\n");
    });
  });

  test("the gate-sync.yaml that it writes names the authority, as the next run needs it", () =>
    onHarness({ state, files: { "certs/ca.pem": rootCertificates[0] ?? "" } }, async ({ run, folder }) => {
      expect((await run("export --url URL --ca certs/ca.pem --out live")).code).toBe(0);
      expect(readFileSync(join(folder, "gate-sync.yaml"), "utf8")).toMatch(/^ {4}tls:\n {6}ca: certs\/ca\.pem$/m);
      expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, stderr: "" });
    }));

  test("a public key and an empty text are no secrets: plan shows what changes of them, and export writes them", () => {
    const config = (body: string) => {
      const key = `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n`;
      const settings = { signing_key: key, exchange_key: "" };
      return { config: { dynamic: { authc: { jwt: { http_authenticator: { type: "jwt", config: settings } } } } } };
    };
    const files = { "state.json": JSON.stringify(config("QUJDRA==")) };
    return onHarness({ product: "opensearch", files, state: config("T0xE") }, async ({ run, folder }) => {
      const { stdout } = await run("plan --url URL state.json");
      expect(stdout).toContain("QUJDRA==");
      expect(stdout).not.toContain("plain-secrets");
      await run("export --url URL --family config --out live");
      const text = readFileSync(join(folder, "live/config.yml"), "utf8");
      expect(text).toContain("T0xE");
      expect(text).toContain('exchange_key: ""');
      expect(await run("plan --url URL live --detailed-exitcode")).toMatchObject({ code: 0, stderr: "" });
    });
  });

  test("a secret becomes a variable, which is named; with it set, the plan is empty", () =>
    onHarness({ state }, async ({ run, folder }) => {
      const { stdout } = await run("export --url URL --family config --out live");
      const variable = "SECRET_AUTHZ_DIRECTORY_AUTHORIZATION_BACKEND_CONFIG_PASSWORD";
      expect(stdout).toContain(variable);
      const text = readFileSync(join(folder, "live/config.yml"), "utf8");
      expect(stdout + text).not.toContain(password);
      expect(text).toContain(`\${env:${variable}}`);
      const again = await run("plan --url URL live --detailed-exitcode", { [variable]: password });
      expect(again).toMatchObject({ code: 0, stderr: "" });
    }));

  test("a snapshot is for its owner only, holds no secret, and is planned against without a server", () =>
    onHarness({ files: { "access/a.yml": "tenants: { new: {} }" }, state }, async ({ run, folder, emulator }) => {
      expect((await run("export --url URL --snapshot live.json")).code).toBe(0);
      expect(readFileSync(join(folder, "live.json"), "utf8")).not.toContain(password);
      expect(statSync(join(folder, "live.json")).mode & 0o077).toBe(0);
      emulator.clearRequests();
      const { code, stdout } = await run("plan --live live.json access");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("it cannot be applied") });
      expect(emulator.requests).toEqual([]);
    }));

  test.for(["export --url URL --snapshot FILE", "plan --url URL access --out FILE"])(
    "what is something else is not written over: %s",
    (line, { expect }) =>
      onHarness({ files: { "access/a.yml": "tenants: {a: {}}\n" }, state: {} }, async ({ folder, run }) => {
        const { code, stderr } = await run(line.replace("FILE", "access/a.yml"));
        expect({ code, stderr }).toEqual({
          code: 64,
          stderr: expect.stringContaining("access/a.yml is there already"),
        });
        expect(readFileSync(join(folder, "access/a.yml"), "utf8")).toBe("tenants: {a: {}}\n");
        for (const _ of [1, 2]) expect((await run(line.replace("FILE", "new.json"))).code).toBe(0);
      }),
  );

  test("a snapshot of no server", () =>
    onHarness({ files: {} }, async ({ run }) => {
      expect(await run("export --snapshot live.json")).toMatchObject({
        code: 64,
        stderr: expect.stringContaining("No server is named"),
      });
    }));

  test("a snapshot that is none", () =>
    onHarness({ files: { "access/a.yml": "tenants: {}", "x.json": "{}" } }, async ({ run }) => {
      const other = await run("plan --live x.json access");
      expect(other).toMatchObject({ code: 64, stderr: expect.stringContaining("x.json is not a snapshot") });
      const none = await run("plan --live none.json access");
      expect(none).toMatchObject({ code: 64, stderr: expect.stringContaining("none.json cannot be read") });
    }));

  test("a plan against a snapshot cannot be applied", () =>
    onHarness({ files: { "access/a.yml": "tenants: { new: {} }" }, state }, async ({ run, writes }) => {
      await run("export --url URL --snapshot live.json");
      const { code, stderr } = await run("apply --live live.json --yes --url URL access");
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("snapshot cannot be applied") });
      expect(writes()).toEqual([]);
    }));

  test("leaves nothing behind where the server cannot be read", () =>
    onHarness({}, async ({ run, folder }) => {
      expect((await run("export --url http://127.0.0.1:1 --out live --snapshot live.json")).code).toBe(1);
      expect(existsSync(join(folder, "live")) || existsSync(join(folder, "live.json"))).toBe(false);
    }));
});
