// `apply --expect`: the plan whose fingerprint was agreed to, or nothing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type Env, type Harness, oneTenant, onHarness } from "./harness.ts";

async function fingerprintOn({ run }: Harness, env: Env = {}): Promise<string> {
  const { stdout } = await run("plan --url URL access --format json", env);
  return JSON.parse(stdout).fingerprint;
}

const ldap = (password: string) => ({
  dynamic: { authz: { d: { authorization_backend: { type: "ldap", config: { password } } } } },
});
const secret = {
  "access/config.yml":
    "config: { dynamic: { authz: { d: { authorization_backend: { type: ldap, config: { password: '${env:PW}' } } } } } }\n",
};

const oneRole = {
  "access/a.yml":
    "roles: { r: { cluster_permissions: ['cluster:monitor/health'] } }\nrole_mappings: { r: { users: [ana] } }\n",
};

describe.concurrent("apply --expect", () => {
  test("applies the plan of that fingerprint, without asking", ({ expect }) =>
    onHarness({ files: oneTenant }, async (harness) => {
      const { code, stdout } = await harness.run(`apply --url URL access --expect ${await fingerprintOn(harness)}`);
      expect({ code, writes: harness.writes() }).toEqual({ code: 0, writes: ["PUT /_gate/api/tenants/support"] });
      expect(stdout).toContain("1 created.");
    }));

  test("changes nothing where the plan is another one by now", ({ expect }) =>
    onHarness({ files: oneTenant }, async (harness) => {
      const expected = await fingerprintOn(harness);
      writeFileSync(join(harness.folder, "access/tenants.yml"), "tenants:\n  support: { description: Other }\n");
      const { code, stderr } = await harness.run(`apply --url URL access --expect ${expected}`);
      expect({ code, writes: harness.writes() }).toEqual({ code: 5, writes: [] });
      expect(stderr).toContain(`not ${expected}`);
      expect(stderr).toContain("Run gate-sync plan again");
    }));

  test.for([
    [" --no-access", "", "A plan that was made with --no-access takes the same flag here:"],
    ["", " --no-access", "With --no-access the fingerprint does not cover who gains and loses access:"],
  ] as const)("says that a plan%s and an apply%s have two fingerprints", ([planned, applied, reported], { expect }) =>
    onHarness({ files: oneRole }, async (harness) => {
      const { stdout } = await harness.run(`plan --url URL access --format json${planned}`);
      const line = `apply --url URL access --expect ${JSON.parse(stdout).fingerprint}`;
      const { code, stderr } = await harness.run(`${line}${applied}`);
      expect({ code, writes: harness.writes() }).toEqual({ code: 5, writes: [] });
      expect(stderr.replace(/\s+/g, " ")).toContain(reported);
      expect((await harness.run(`${line}${planned}`)).code).toBe(0);
    }),
  );

  test("names the cause where the login that planned does not see the cluster's name", ({ expect }) => {
    const users = [
      { name: "plan", password: "Tuesday-9", rights: "read", monitors: false },
      { name: "apply", password: "Tuesday-9", rights: "all" },
    ] as const;
    return onHarness({ files: oneTenant, users, product: "opensearch" }, async (harness) => {
      const login = (name: string) => ({ GATE_SYNC_USERNAME: name, GATE_SYNC_PASSWORD: "Tuesday-9" });
      const expected = await fingerprintOn(harness, login("plan"));
      const { code, stderr } = await harness.run(`apply --url URL access --expect ${expected}`, login("apply"));
      expect({ code, writes: harness.writes() }).toEqual({ code: 5, writes: [] });
      expect(stderr.replace(/\s+/g, " ")).toContain("or only one of the two logins sees the name of the cluster");
    });
  });

  test("that stopped part-way is to be planned again", ({ expect }) =>
    onHarness({ files: oneRole }, async (harness) => {
      const expected = await fingerprintOn(harness);
      harness.emulator.fault = ({ method, path }) =>
        method !== "GET" && path.includes("rolesmapping") ? { at: "before", answer: { status: 400 } } : undefined;
      const { code, stdout } = await harness.run(`apply --url URL access --expect ${expected}`);
      expect(code).toBe(6);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "plan again with gate-sync plan --out, and have the new plan reviewed",
      );
    }));

  test("says that nothing is left, where the plan was applied already", ({ expect }) =>
    onHarness({ files: oneTenant }, async (harness) => {
      const line = `apply --url URL access --expect ${await fingerprintOn(harness)}`;
      expect((await harness.run(line)).code).toBe(0);
      const { code, stderr } = await harness.run(line);
      expect(code).toBe(5);
      expect(stderr).toContain("There is nothing left to do");
    }));

  test("does not lift a guard", ({ expect }) =>
    onHarness({ files: oneTenant, state: { tenants: { a: {}, b: {}, c: {}, d: {} } } }, async (harness) => {
      const { code } = await harness.run(`apply --url URL access --expect ${await fingerprintOn(harness)}`);
      expect({ code, writes: harness.writes() }).toEqual({ code: 4, writes: [] });
    }));

  test("refuses a plan that changes secrets without a key", ({ expect }) =>
    onHarness({ files: secret, state: { config: ldap("old") }, allowConfigModification: true }, async (harness) => {
      const env = { PW: "canary-1" };
      const { code, stderr } = await harness.run(
        `apply --url URL access --expect ${await fingerprintOn(harness, env)}`,
        env,
      );
      expect({ code, writes: harness.writes() }).toEqual({ code: 4, writes: [] });
      expect(stderr).toContain("GATE_SYNC_PLAN_KEY");
    }));

  test("recognises another secret by the key", ({ expect }) =>
    onHarness({ files: secret, state: { config: ldap("old") }, allowConfigModification: true }, async (harness) => {
      const key = { GATE_SYNC_PLAN_KEY: "a key long enough" };
      const line = `apply --url URL access --expect ${await fingerprintOn(harness, { ...key, PW: "canary-1" })}`;
      const other = await harness.run(line, { ...key, PW: "canary-2" });
      const same = await harness.run(line, { ...key, PW: "canary-1" });
      expect([other.code, same.code]).toEqual([5, 0]);
      expect(JSON.stringify([other, same])).not.toContain("canary");
    }));

  test("takes nothing but a fingerprint", ({ expect }) =>
    onHarness({ files: oneTenant }, async ({ run }) => {
      expect((await run("apply --url URL access --expect 123")).code).toBe(64);
    }));
});
