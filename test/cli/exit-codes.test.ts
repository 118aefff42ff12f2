// One line for each way a run can end: README and --help promise these numbers to authors of pipelines.
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import type { Files } from "../support/command.ts";
import { oneTenant, onHarness, twoFamilies } from "./harness.ts";

interface Case {
  readonly line: string;
  readonly exit: number;
  readonly files?: Files;
  readonly server?: Partial<EmulatorOptions>;
}

const fourTenants = { tenants: { a: {}, b: {}, c: {}, d: {} } };

const cases: Readonly<Record<string, Case>> = {
  "a plan with changes": { line: "plan --url URL access", exit: 0 },
  "a plan with changes, asked for in detail": { line: "plan --url URL access --detailed-exitcode", exit: 2 },
  "a plan without changes, asked for in detail": {
    line: "plan --url URL access --detailed-exitcode",
    server: { state: { tenants: { support: { description: "First line" } } } },
    exit: 0,
  },
  "an apply that is done": { line: "apply --yes --url URL access", exit: 0 },
  "an apply that nothing confirms": { line: "apply --url URL access", exit: 64 },
  "files with errors": { line: "plan --url URL access", files: { "access/a.yml": "tenants: [" }, exit: 3 },
  "files with errors, without a server": { line: "validate access", files: { "access/a.yml": "roles: 5" }, exit: 3 },
  "files with warnings only": {
    line: "validate access",
    files: { "access/a.yml": "role_mappings: { x: { users: [a] } }" },
    exit: 0,
  },
  "a plan that a guard refuses": {
    line: "plan --url URL access --detailed-exitcode",
    server: { state: fourTenants },
    exit: 4,
  },
  "an apply that a guard refuses": { line: "apply --yes --url URL access", server: { state: fourTenants }, exit: 4 },
  "a refusal that was waived": {
    line: "apply --yes --url URL access --allow deletions=tenants",
    server: { state: fourTenants },
    exit: 0,
  },
  "a refusal waived for another family": {
    line: "apply --yes --url URL access --allow deletions=roles",
    server: { state: fourTenants },
    exit: 4,
  },
  "a server that refuses the first write": {
    line: "apply --yes --url URL access",
    files: { "access/a.yml": "config: { dynamic: { do_not_fail_on_forbidden: true } }" },
    exit: 1,
  },
  "no server": { line: "plan --url http://127.0.0.1:1 access", exit: 1 },
  "no state": { line: "plan --url URL", exit: 64 },
  "no command": { line: "", exit: 64 },
};

describe.concurrent("exit codes", () => {
  test.for(Object.entries(cases))("%s", ([, { line, exit, files = oneTenant, server = {} }], { expect }) =>
    onHarness({ files, ...server }, async ({ run }) => {
      const { code, stdout, stderr } = await run(line);
      expect({ code, reported: stdout + stderr }).toMatchObject({ code: exit });
    }),
  );

  test("1: written, and yet not as declared when read back", () =>
    onHarness({ files: oneTenant }, async ({ run, emulator }) => {
      const tenants = "/_gate/api/tenants";
      let written = false;
      emulator.fault = ({ method, path }) => {
        written ||= method === "PUT";
        return written && method === "GET" && path === tenants
          ? { at: "before", answer: { status: 200, body: "{}" } }
          : undefined;
      };
      const { code, stdout } = await run("apply --yes --url URL access");
      expect(stdout).toContain("1 still differs");
      expect(code).toBe(1);
    }));

  test("1: written, and it cannot be read back", () =>
    onHarness({ files: oneTenant }, async ({ run, emulator }) => {
      let written = false;
      emulator.fault = ({ method }) => {
        written ||= method === "PUT";
        return written && method === "GET" ? { at: "before", answer: { status: 503 } } : undefined;
      };
      const { code, stdout } = await run("apply --yes --url URL access");
      expect(stdout).toContain("could not be read");
      expect(code).toBe(1);
    }));

  test("5: another writer changed the same in the meantime, and nothing was written", () =>
    onHarness({ files: oneTenant }, async ({ run, emulator }) => {
      emulator.fault = ({ method }) => {
        if (method !== "PUT") return undefined;
        emulator.replaceState({ tenants: { support: { description: "Of another writer" } } });
        return { at: "before", answer: { status: 409, body: '{"message":"version conflict"}' } };
      };
      const { code, stdout } = await run("apply --yes --url URL access");
      expect(stdout).toContain("tenants/support changed on the server");
      expect(code).toBe(5);
    }));

  const searchGuard = { product: "search-guard", release: "7" } as const;
  const old = { tenants: { support: { description: "Old" } } };
  const roles = { "access/roles.yml": "roles: { r: { cluster_permissions: [b] } }\n" };

  test("5: the server itself refuses to change what another writer changed", () =>
    onHarness({ files: oneTenant, ...searchGuard, state: old }, async ({ run, emulator, writes }) => {
      emulator.fault = ({ method }) => {
        if (method === "PATCH") emulator.replaceState({ tenants: { support: { description: "Of another writer" } } });
        return undefined;
      };
      const { code, stdout } = await run("apply --yes --url URL access");
      expect(stdout).toContain("tenants/support changed on the server");
      expect(code).toBe(5);
      expect(writes()).toHaveLength(1);
    }));

  test("6: the same, when something had been written before", () =>
    onHarness(
      { files: { ...oneTenant, ...roles }, ...searchGuard, state: { roles: { r: { cluster_permissions: ["a"] } } } },
      async ({ run, emulator }) => {
        emulator.fault = ({ method }) => {
          if (method === "PATCH") emulator.replaceState({ roles: { r: { cluster_permissions: ["c"] } } });
          return undefined;
        };
        const { code, stdout } = await run("apply --yes --url URL access");
        expect(stdout).toContain("roles/r changed on the server");
        expect(code).toBe(6);
      },
    ));

  test("6: stopped part-way, and the next run finishes", () =>
    onHarness({ files: twoFamilies }, async ({ run, emulator, writes }) => {
      emulator.fault = ({ path }) =>
        path.endsWith("/blocks/lab") ? { at: "before", answer: { status: 400, body: '{"message":"no"}' } } : undefined;
      expect((await run("apply --yes --url URL access")).code).toBe(6);
      emulator.fault = () => undefined;
      emulator.clearRequests();
      expect((await run("apply --yes --url URL access")).code).toBe(0);
      expect(writes()).toEqual(["PUT /_gate/api/blocks/lab"]);
    }));

  test("6: the only write may or may not have been taken", () =>
    onHarness(
      { files: { ...oneTenant, "gate-sync.yaml": "targets: { dev: { timeouts: { write: 1 } } }" } },
      async ({ run, emulator }) => {
        let sent = false;
        emulator.fault = ({ method }) => {
          sent ||= method === "PUT";
          return sent ? { at: "after", answer: "reset" } : undefined;
        };
        const { code, stdout } = await run("apply --yes --url URL access");
        expect(stdout).toContain("unknown");
        expect(code).toBe(6);
      },
    ));
});
