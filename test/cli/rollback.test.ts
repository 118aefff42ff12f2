// apply keeps what was there before it writes; rollback takes one run back, and nothing that others did.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions, InitialState } from "../../src/emulator/index.ts";
import { connectToRead, exportState } from "../../src/index.ts";
import { forge, forgeStateFile } from "../support/forge.ts";
import { license } from "../support/license.ts";
import { type Env, type Harness, onHarness } from "./harness.ts";

const allFamilies = `
action_groups: { watch: { allowed_actions: ["indices:monitor/*"] } }
tenants: { support: { description: First line } }
roles:
  log_reader: { cluster_permissions: ["cluster:monitor/main"] }
  new_role: { index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: [watch] }] }
role_mappings: { log_reader: { users: [kira] } }
blocks: { lab: { type: ip, value: 192.0.2.7, verdict: disallow } }
`;

const hurtful = ["a/b", "50%", "557", "x~1y", "é ü", "a.b", "[0]", 'q"q', "${env:HOME}", "${live:secret}", "$${var:a}"];

const before: InitialState = {
  action_groups: { old_group: { allowed_actions: ["indices:admin/*"] } },
  tenants: {
    support: { description: "Was here" },
    ...Object.fromEntries(hurtful.map((name) => [name, { description: `of ${name} \${file:x}` }])),
  },
  roles: {
    log_reader: {
      index_permissions: [{ index_patterns: ["a-*"], dls: '{"match_all": {}}', allowed_actions: ["READ"] }],
    },
    kept: { reserved: true, cluster_permissions: ["*"] },
  },
  role_mappings: { log_reader: { backend_roles: ["it"] } },
  blocks: { old: { type: "ip", value: ["192.0.2.9"], verdict: "disallow" } },
};

const domain = (password: string, order: number) => ({
  http_enabled: true,
  transport_enabled: true,
  order,
  http_authenticator: { type: "basic", challenge: true, config: {} },
  authentication_backend: { type: "ldap", config: { hosts: ["ldap:389"], bind_dn: "cn=gate", password } },
});

const basic = {
  http_enabled: true,
  transport_enabled: true,
  order: 9,
  http_authenticator: { type: "basic", challenge: true, config: {} },
  authentication_backend: { type: "intern", config: {} },
};

const withConfig: InitialState = {
  config: { dynamic: { do_not_fail_on_forbidden: true, authc: { ldap: domain("s3cr3t-before", 1), basic } } },
};

const configFile = (authc: object, more: object = {}) => JSON.stringify({ config: { dynamic: { ...more, authc } } });

function backupsIn(folder: string, stateDir = ".gate-sync"): readonly string[] {
  const backups = join(folder, stateDir, "backups");
  return existsSync(backups) ? readdirSync(backups).sort() : [];
}

/** Every text below the tool's own folder. */
function kept(folder: string): string {
  const root = join(folder, ".gate-sync");
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8")).join("\n");
}

/** What the server holds, in the words of state files: how it is written there is of no concern. */
async function held({ url, folder, emulator }: Pick<Harness, "url" | "folder" | "emulator">) {
  const request = { cwd: folder, env: {}, flags: { url, statePaths: [] }, oneFile: true };
  const { files } = await exportState(request, connectToRead);
  return { resources: files, config: structuredClone(emulator.state().config) };
}

/** Applies the files, does something, takes the run back. */
async function undone(
  { files, env = {}, ...options }: { files: Record<string, string>; env?: Env } & Partial<EmulatorOptions>,
  work: (harness: Harness & { readonly was: unknown }) => Promise<void>,
): Promise<void> {
  await onHarness({ files, allowConfigModification: true, ...options }, async (harness) => {
    const was = await held(harness);
    const applied = await harness.run("apply --yes --url URL --allow deletions access", env);
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nBackup kept\. Undo: gate-sync rollback /),
    });
    await work({ ...harness, was });
  });
}

const rollback = "rollback --yes --url URL --allow deletions";

describe.concurrent("rollback", () => {
  test("restores every family, names that hurt among them, and the plan shows the reverse", () =>
    undone({ files: { "access/all.yml": allFamilies }, state: before }, async ({ run, was, ...harness }) => {
      expect(await held(harness)).not.toEqual(was);
      const { code, stdout } = await run(rollback);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Read back: in sync.") });
      expect(await held(harness)).toEqual(was);
      const { stdout: plan } = await run("plan --url URL access --format json");
      expect(JSON.parse(plan).summary).toMatchObject({ create: 3, update: 3, delete: 2 + hurtful.length });
    }));

  test("a second one takes the first back", () =>
    undone({ files: { "access/all.yml": allFamilies }, state: before }, async ({ run, ...harness }) => {
      const applied = await held(harness);
      expect((await run(rollback)).code).toBe(0);
      expect((await run(rollback)).code).toBe(0);
      expect(await held(harness)).toEqual(applied);
      expect(backupsIn(harness.folder)).toHaveLength(3);
    }));

  test("leaves what others made since, and says what they changed", () =>
    undone(
      { files: { "access/all.yml": "roles: { a: {}, b: {} }" }, state: { roles: { c: {} } } },
      async ({ run, emulator }) => {
        emulator.replaceState({
          roles: { ...Object.fromEntries(emulator.state().roles), b: { cluster_permissions: ["x"] }, foreign: {} },
        });
        const { code, stdout } = await run(rollback);
        expect(code).toBe(0);
        expect(stdout.replace(/\s+/g, " ")).toContain("Changed since by others, and reverted all the same: roles/b.");
        expect([...emulator.state().roles.keys()].sort()).toEqual(["c", "foreign"]);
      },
    ));

  test("counts only what is ours for the guard, and leaves the rest alone", () => {
    const relevant = "defaults: { families: { tenants: { include: [a*] } } }";
    const state = { tenants: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((each) => [`b${each}`, {}])) };
    const made = { "gate-sync.yaml": relevant, "access/all.yml": "tenants: { a1: {}, a2: {}, a3: {}, a4: {} }" };
    return undone({ files: made, state }, async ({ run, was, ...harness }) => {
      const { emulator } = harness;
      const changed = [...emulator.state().tenants.keys()].map((name) => [name, { description: "changed since" }]);
      emulator.replaceState({
        tenants: { ...Object.fromEntries(changed.filter(([name]) => String(name).startsWith("a"))), ...state.tenants },
      });
      expect(await run("rollback --yes --url URL")).toMatchObject({ code: 4 });
      expect((await run(rollback)).code).toBe(0);
      expect(await held(harness)).toEqual(was);
    });
  });

  test("finds nothing to do where nothing is left of the run, and sends nothing", () =>
    undone({ files: { "access/all.yml": "tenants: { a: {} }" } }, async ({ run, emulator, writes, folder }) => {
      emulator.replaceState({});
      emulator.clearRequests();
      expect(await run(rollback)).toMatchObject({ code: 0 });
      expect(writes()).toEqual([]);
      expect(backupsIn(folder)).toHaveLength(1);
    }));

  test("deletes what the run created where a family is only adopted", () =>
    undone(
      {
        files: {
          "gate-sync.yaml": "defaults: { families: { tenants: { mode: adopt } } }",
          "access/all.yml": "tenants: { a: {} }",
        },
        state: { tenants: { b: {} } },
      },
      async ({ run, was, ...harness }) => {
        expect((await run(rollback)).code).toBe(0);
        expect(await held(harness)).toEqual(was);
      },
    ));

  test("is refused by the guards that refuse an apply, and asks as it does", () =>
    undone({ files: { "access/all.yml": "tenants: { a: {}, b: {}, c: {} }" } }, async ({ run, writes, emulator }) => {
      emulator.replaceState({ tenants: { a: { description: "x" }, b: { description: "x" }, c: { description: "x" } } });
      emulator.clearRequests();
      const { code, stdout } = await run("rollback --yes --url URL");
      expect([code, stdout]).toEqual([
        4,
        expect.stringMatching(/created by the run that is undone, may have changed since.*the limit is 20 %/s),
      ]);
      expect(await run("rollback --url URL --allow deletions")).toMatchObject({ code: 64 });
      expect(writes()).toEqual([]);
    }));

  test("after a run that failed half-way restores what was done", () =>
    onHarness({ files: { "access/all.yml": allFamilies }, state: before }, async ({ run, ...harness }) => {
      const { emulator } = harness;
      const was = await held(harness);
      emulator.fault = ({ method, path }) =>
        method !== "GET" && path.includes("/roles")
          ? { at: "before", answer: { kind: "status", status: 403 } }
          : undefined;
      const applied = await run("apply --yes --url URL --allow deletions access");
      expect(applied).toMatchObject({ code: 6, stdout: expect.stringContaining("Undo: gate-sync rollback ") });
      emulator.fault = () => undefined;
      expect(await run(rollback)).toMatchObject({ code: 0 });
      expect(await held(harness)).toEqual(was);
    }));
});

describe.concurrent("what the undone run created", () => {
  const user = { password: "${env:ANA_PASSWORD}", backend_roles: ["hr"], attributes: { dept: "hr" } };
  const env = { ANA_PASSWORD: "Tangled-Fern!42x" };
  const files = (more: string) => ({
    "gate-sync.yaml": `defaults: { families: { internal_users: { mode: manage } }, state: [access]${more} }\n`,
    "access/users.yml": JSON.stringify({
      internal_users: { ana: user },
      roles: { a: {}, b: {}, c: {}, d: {} },
      tenants: { t: {} },
    }),
  });
  const canBeWritten =
    "The password of internal_users/ana can be written again: gate-sync apply creates the user with ${env:ANA_PASSWORD} (access/users.yml:1).";
  const cannot =
    "The password of internal_users/ana cannot be written again: no state file has it, and no server shows it.";
  type State = ReturnType<Harness["emulator"]["state"]>;

  test.each<
    [
      string,
      {
        change?: (state: State) => object;
        config?: string;
        files?: string;
        code: number;
        isKept?: true;
        said: readonly string[];
      },
    ]
  >([
    ["is deleted without a waiver", { code: 0, said: [canBeWritten] }],
    ["whose user is in no file any more", { files: "{ roles: { a: {} } }", code: 0, said: [cannot] }],
    [
      "whose user is in the files without a password",
      { files: "internal_users: { ana: { backend_roles: [hr] } }", code: 0, said: [cannot] },
    ],
    [
      "whose files cannot be read",
      {
        files: "roles: [",
        code: 0,
        said: ["Whether the password of internal_users/ana can be written again is unknown"],
      },
    ],
    [
      "and a user that others changed since",
      {
        change: ({ internal_users }) => ({
          internal_users: { ana: { ...internal_users.get("ana"), backend_roles: ["x"] } },
        }),
        code: 4,
        said: [
          canBeWritten,
          "An internal user would be deleted.",
          "only files that declare the user can write it again",
        ],
      },
    ],
    [
      "and roles that others changed since",
      {
        change: () => ({ roles: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { description: "x" }])) }),
        code: 4,
        said: ["4 of 4 roles would be deleted."],
      },
    ],
    [
      "whose user is only compared by now",
      {
        config: "only compared",
        code: 0,
        isKept: true,
        said: ["internal_users/ana stays as it is: internal users are only compared."],
      },
    ],
    ["is protected all the same", { config: ", protect: [internal_users/ana]", code: 4, said: ["protected"] }],
  ])("%s", async (_, { change, config = "", files: later, code, isKept, said }) => {
    await onHarness({ files: files(""), product: "opensearch", release: "2.19" }, async ({ run, folder, emulator }) => {
      expect(await run("apply --yes --url URL access", env)).toMatchObject({ code: 0 });
      if (change) {
        const state = emulator.state();
        emulator.replaceState({
          ...Object.fromEntries(Object.entries(state).map(([family, held]) => [family, held])),
          ...change(state),
        });
      }
      if (later !== undefined) writeFileSync(join(folder, "access/users.yml"), later);
      if (config === "only compared") writeFileSync(join(folder, "gate-sync.yaml"), "defaults: { state: [access] }");
      else if (config !== "") writeFileSync(join(folder, "gate-sync.yaml"), files(config)["gate-sync.yaml"]);
      const undo = await run("rollback --yes --url URL", env);
      const text = undo.stdout.replace(/\s+/g, " ");
      expect([undo.code, text + undo.stderr]).toEqual([code, expect.stringContaining(said[0] ?? "")]);
      for (const each of said) expect(text).toContain(each);
      expect(undo.stdout + undo.stderr + kept(folder)).not.toContain(env.ANA_PASSWORD);
      expect(emulator.state().internal_users.has("ana")).toBe(isKept === true || code !== 0);
      if (isKept) expect(text).not.toContain("The password of");
    });
  });
});

describe.concurrent("guards that hold for a rollback, whatever its run created", () => {
  const payroll = (country: string, members: object) => ({
    roles: {
      payroll: {
        index_permissions: [
          {
            index_patterns: ["salaries-*"],
            allowed_actions: ["indices:data/read/*"],
            dls: `{"term": {"country": "${country}"}}`,
          },
        ],
      },
    },
    role_mappings: { payroll: members },
  });
  const admins = (...users: readonly string[]) => ({ role_mappings: { all_access: { users } } });
  const logins = (anonymous: boolean) => ({
    config: { dynamic: { http: { anonymous_auth_enabled: anonymous }, authc: { basic } } },
  });
  const login = { GATE_SYNC_USERNAME: "root", GATE_SYNC_PASSWORD: "one" };
  const other = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "two" };

  test.each<[rule: string, was: object, made: object, env?: Env]>([
    ["order", payroll("it", { users: ["ana"] }), payroll("fr", { backend_roles: ["hr-paris"] })],
    ["escalation", admins("root", "eve"), admins("root")],
    ["lock-out", admins("root"), admins("root", "ci"), other],
    [
      "login",
      { ...logins(true), role_mappings: { all_access: { users: ["*"] } } },
      { ...logins(false), role_mappings: { all_access: { users: ["*"] } } },
    ],
  ])("%s", async (rule, was, made, env) => {
    const families = "config: { mode: manage }, internal_users: { mode: manage }";
    const user = { internal_users: { new: { password: "${env:NEW}" } } };
    const files = {
      "gate-sync.yaml": `defaults: { state: [access], families: { ${families} } }\n`,
      "access/all.yml": JSON.stringify({ ...made, ...user }),
    };
    const server = { product: "opensearch", release: "2.19", allowConfigModification: true } as const;
    const users = [
      { name: "root", password: "one", rights: "all" },
      { name: "ci", password: "two", rights: "all" },
    ] as const;
    await onHarness({ files, ...server, ...(env && { users }), state: was }, async ({ run, emulator }) => {
      const allowed = ["order", "lock-out", "login", "authentication", "escalation"].map((one) => ` --allow ${one}`);
      const secret = { NEW: "Tangled-Fern!42x" };
      const applied = await run(`apply --yes --url URL${allowed.join("")}`, { ...login, ...secret });
      expect(applied).toMatchObject({ code: 0 });
      emulator.clearRequests();
      const undo = await run("rollback --url URL --yes --format json", env);
      const found = JSON.parse(undo.stdout).violations.map((one: { rule: string }) => one.rule);
      expect([undo.code, found]).toEqual([4, expect.arrayContaining([rule])]);
      expect(found).not.toContain("user-deletions");
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    });
  });
});

test("what a run did not write is nothing to take back", () =>
  undone(
    { files: { "access/all.yml": "tenants: { a: {} }" } },
    async ({ run, folder, writes, emulator, ...harness }) => {
      const now = await held({ ...harness, folder, emulator });
      const backups = backupsIn(folder);
      writeFileSync(join(folder, "access/all.yml"), "tenants: { a: { description: other } }");
      emulator.fault = ({ method }) =>
        method === "GET" ? undefined : { at: "before", answer: { kind: "status", status: 403 } };
      const failed = await run("apply --yes --url URL access");
      emulator.fault = () => undefined;
      expect([failed.code, backupsIn(folder)]).toEqual([1, backups]);
      expect(failed.stdout).not.toContain("Undo");
      // The newest backup is still that of the run that made the tenant.
      expect(await run(rollback)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 deleted.") });
      expect(await held({ ...harness, folder, emulator })).not.toEqual(now);
    },
  ));

test("of a run that failed half-way, what it did not write stays with who changes it", () =>
  onHarness({ files: { "access/all.yml": allFamilies }, state: before }, async ({ run, folder, ...harness }) => {
    const { emulator } = harness;
    emulator.fault = ({ method, path }) =>
      method !== "GET" && path.includes("/roles")
        ? { at: "before", answer: { kind: "status", status: 403 } }
        : undefined;
    expect(await run("apply --yes --url URL --allow deletions access")).toMatchObject({ code: 6 });
    emulator.fault = () => undefined;
    const [name = ""] = backupsIn(folder);
    const manifest = JSON.parse(readFileSync(join(folder, ".gate-sync/backups", name, "manifest.json"), "utf8"));
    const families = new Set(manifest.body.changes.map(({ family }: { family: string }) => family));
    expect([families.has("tenants"), families.has("roles")]).toEqual([true, false]);
  }));

describe.concurrent("secrets and rollback", () => {
  test("a secret in the config is never in a backup, and stays while the rest comes back", () =>
    undone(
      {
        files: {
          "access/c.yml": configFile({ ldap: domain("${env:BIND}", 5), basic }, { multi_rolespan_enabled: false }),
        },
        env: { BIND: "s3cr3t-before" },
        state: withConfig,
      },
      async ({ run, was, ...harness }) => {
        const { folder } = harness;
        const { code, stdout } = await run(rollback);
        expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("in sync") });
        expect(await held(harness)).toEqual(was);
        expect(kept(folder)).not.toMatch(/s3cr3t/);
        expect(kept(folder)).toContain("${live:secret}");
      },
    ));

  test("a secret that the run replaced stays as it is, which is said", () =>
    undone(
      {
        files: { "access/c.yml": configFile({ ldap: domain("${env:BIND}", 5), basic }) },
        env: { BIND: "s3cr3t-after" },
        state: withConfig,
      },
      async ({ run, emulator, folder }) => {
        const { code, stdout } = await run(rollback);
        expect(code).toBe(0);
        expect(stdout.replace(/\s+/g, " ")).toContain(
          "Secrets that the run replaced stay as they are now: dynamic.authc.ldap.authentication_backend.config.password.",
        );
        expect(emulator.state().config).toEqual({
          dynamic: expect.objectContaining({ authc: { ldap: domain("s3cr3t-after", 1), basic } }),
        });
        expect(kept(folder)).not.toMatch(/s3cr3t/);
      },
    ));

  test("a domain whose secret is gone is not half created, and no placeholder reaches the server", () =>
    undone(
      { files: { "access/c.yml": configFile({ basic: { ...basic, order: 3 } }) }, state: withConfig },
      async ({ run, emulator, folder }) => {
        const { code, stdout } = await run(rollback);
        expect(code).toBe(0);
        expect(stdout.replace(/\s+/g, " ")).toContain(
          "authc/ldap cannot be restored: its secret is gone from the server.",
        );
        expect(emulator.state().config).toEqual({ dynamic: expect.objectContaining({ authc: { basic } }) });
        expect(kept(folder)).not.toMatch(/s3cr3t/);
      },
    ));

  test("a license cannot be restored, which is said", () => {
    const text = license("00000000-0000-0000-0000-000000000001");
    return undone(
      { files: { "access/l.yml": "license: { text: '${env:LICENSE}' }" }, env: { LICENSE: text } },
      async ({ run, folder }) => {
        const { code, stdout } = await run(rollback);
        expect({ code, stdout: stdout.replace(/\s+/g, " ") }).toEqual({
          code: 0,
          stdout: expect.stringContaining("license cannot be restored: servers never show its text."),
        });
        expect(kept(folder)).not.toContain(text);
      },
    );
  });
});

describe.concurrent("backups", () => {
  const files = { "access/all.yml": "tenants: { a: {} }" };

  test("lie in a folder for their owner alone, which no commit takes along", () =>
    undone({ files, state: { tenants: { b: {} } } }, async ({ folder }) => {
      const [name = ""] = backupsIn(folder);
      expect(name).toMatch(/^\d{8}T\d{6}\.\d{3}Z-127\.0\.0\.1$/);
      const backup = join(folder, ".gate-sync/backups", name);
      expect(statSync(join(folder, ".gate-sync")).mode & 0o777).toBe(0o700);
      expect(statSync(join(backup, "manifest.json")).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, ".gate-sync/.gitignore"), "utf8")).toBe("*\n");
      expect(readFileSync(join(backup, "state/tenants.yml"), "utf8")).toBe("tenants:\n  b: {}\n");
    }));

  test("are state files like any other", () =>
    undone({ files: { "access/all.yml": allFamilies }, state: before }, async ({ run, folder }) => {
      expect((await run(rollback)).code).toBe(0);
      const [first] = backupsIn(folder);
      const { code, stdout } = await run(`plan --url URL --detailed-exitcode .gate-sync/backups/${first}/state`);
      expect({ code, stdout }).toMatchObject({ code: 0 });
    }));

  test("are named in the JSON report", () =>
    onHarness({ files }, async ({ run, folder }) => {
      const { stdout } = await run("apply --yes --url URL access --state-dir own --format json");
      const [name] = backupsIn(folder, "own");
      expect(JSON.parse(stdout).backup).toMatchObject({
        name,
        folder: `own/backups/${name}`,
        undo: expect.stringMatching(/^gate-sync rollback \S+ --state-dir own --url http/),
      });
    }));

  /** The command line that a run prints, run as it is once gate-sync.yaml has no default target any more. */
  test.for([
    ["of a default target", "", "apply --yes"],
    ["of a default target, at another URL", "", "apply --yes --url URL"],
    ["of a target that is named", "", "apply --yes --target prod"],
    ["of a reviewed plan", "--out p.json", "apply p.json"],
    ["of a reviewed plan, at another URL", "--out p.json", "apply p.json --url URL"],
  ] as const)("are named in a line to paste, where there are several targets: %s", ([, out, line], { expect }) =>
    onHarness({ files }, async ({ run, folder, emulator, url }) => {
      const targets = `targets:\n  prod: { url: "${url}", product: gate, state: [access] }\n  test: { url: "http://127.0.0.1:9" }\n`;
      writeFileSync(join(folder, "gate-sync.yaml"), `default_target: prod\n${targets}`);
      if (out !== "") expect((await run(`plan ${out}`)).code).toBe(0);
      const { stdout } = await run(line);
      writeFileSync(join(folder, "gate-sync.yaml"), targets);
      const undo = /Undo: gate-sync (.*)/.exec(stdout)?.[1] ?? "";
      expect(await run(`${undo} --yes`)).toMatchObject({ code: 0 });
      expect([...emulator.state().tenants.keys()]).toEqual([]);
    }),
  );

  test("are not made where nothing is to be written", () =>
    onHarness({ files, state: { tenants: { a: {} } } }, async ({ run, folder }) => {
      expect((await run("apply --yes --url URL access")).code).toBe(0);
      expect(existsSync(join(folder, ".gate-sync"))).toBe(false);
    }));

  test("that cannot be written let nothing be sent", () =>
    onHarness({ files: { ...files, "in-the-way/backups": "" } }, async ({ run, writes }) => {
      const { code, stderr } = await run("apply --yes --url URL access --state-dir in-the-way");
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("! The backup cannot be written to"),
      });
      expect(writes()).toEqual([]);
    }));

  test("of another cluster are refused", () =>
    undone({ files }, async ({ run, folder, writes, emulator }) => {
      const [name = ""] = backupsIn(folder);
      const manifest = join(folder, ".gate-sync/backups", name, "manifest.json");
      const text = readFileSync(manifest, "utf8");
      writeFileSync(
        manifest,
        forge(text, (each) => each.replace("emulated-cluster-0000", "emulated-cluster-0001")),
      );
      emulator.clearRequests();
      const { code, stderr } = await run(rollback);
      expect({ code, stderr }).toEqual({
        code: 64,
        stderr: expect.stringContaining(`! The backup ${name} is of another cluster.`),
      });
      expect(writes()).toEqual([]);
    }));

  test.for([
    [
      "an unknown name lists those there are",
      "rollback nonsense --url URL",
      /There is no backup "nonsense"[\s\S]*Backups: \d{8}T/,
    ],
    ["a name is no way out of the folder", "rollback ../backups --url URL", /There is no backup "\.\.\/backups"/],
    ["another target has none", "rollback --url http://localhost:1", /There is no backup of localhost/],
  ] as const)("%s", ([, line, reported], { expect }) =>
    undone({ files }, async ({ run }) => {
      expect(await run(line)).toMatchObject({ code: 64, stderr: expect.stringMatching(reported) });
    }),
  );

  describe("and the access tests of today's files", () => {
    const reader = (patterns: string) => `roles:
  reader: { index_permissions: [{ index_patterns: [${patterns}], allowed_actions: ["indices:data/read/*"] }] }
role_mappings: { reader: { users: [ana] } }
`;
    const expecting = (expect: string) => `access_tests:
  - { name: ana and hr, as: { user: ana }, action: search, index: hr, expect: ${expect} }
`;
    const work = async (
      today: Readonly<Record<string, string>>,
      check: (shown: string, reader: unknown, code: number | undefined) => void,
    ) =>
      onHarness({ files: { "access/a.yml": reader("hr") } }, async ({ run, folder, emulator, url }) => {
        expect((await run("apply --url URL access --yes")).code).toBe(0);
        writeFileSync(join(folder, "access/a.yml"), reader("web"));
        expect((await run("apply --url URL access --yes")).code).toBe(0);
        const target = { url, state: ["access"] };
        writeFileSync(join(folder, "gate-sync.yaml"), JSON.stringify({ targets: { "127.0.0.1": target } }));
        for (const [path, text] of Object.entries(today)) writeFileSync(join(folder, path), text);
        const { code, stdout } = await run("rollback --target 127.0.0.1 --yes");
        check(stdout.replace(/\s+/g, " "), emulator.state().roles?.get("reader"), code);
      });
    const patterns = (held: string) => ({ index_permissions: [{ index_patterns: [held] }] });

    test("one that fails then is named with its cause, and refuses nothing", () =>
      work({ "access/tests.yml": expecting("denied") }, (shown, held, code) => {
        expect(shown).toContain('note: After this rollback: The access test "ana and hr"');
        expect(shown).toContain("user ana may search hr");
        expect(shown).toContain("A rollback is not refused for it.");
        expect(code).toBe(0);
        expect(held).toMatchObject(patterns("hr"));
      }));

    test("those that pass are counted", () =>
      work({ "access/tests.yml": expecting("allowed") }, (shown, held, code) => {
        expect(shown).toContain("note: Once this is rolled back, the access test passes.");
        expect(code).toBe(0);
        expect(held).toMatchObject(patterns("hr"));
      }));

    test("files with errors leave them unchecked, which is said", () =>
      work({ "access/tests.yml": "access_tests: [" }, (shown, held, code) => {
        expect(shown).toContain("note: Access tests are not checked: the state files have errors");
        expect(code).toBe(0);
        expect(held).toMatchObject(patterns("hr"));
      }));
  });

  test("edited by hand are refused, and nothing is sent", () =>
    undone({ files, state: { tenants: { b: { description: "x" } } } }, async ({ run, folder, writes, emulator }) => {
      const file = join(folder, ".gate-sync/backups", backupsIn(folder)[0] ?? "", "state/tenants.yml");
      writeFileSync(file, readFileSync(file, "utf8").replace("x", "y"));
      emulator.clearRequests();
      const { code, stderr } = await run(rollback);
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringContaining("state/tenants.yml was changed since gate-sync wrote it."),
      });
      expect(writes()).toEqual([]);
    }));

  test("edited by hand, digest and all, cannot ask the environment for anything", () =>
    undone({ files, state: { tenants: { b: { description: "x" } } } }, async ({ run, folder }) => {
      const backup = join(folder, ".gate-sync/backups", backupsIn(folder)[0] ?? "");
      forgeStateFile(backup, "tenants.yml", "tenants: { b: { description: '${env:HOME}' } }\n");
      expect(await run(rollback)).toMatchObject({ code: 3, stderr: expect.stringContaining("it was edited") });
    }));

  test("from which something was taken are refused: it would be deleted", () =>
    undone({ files, state: { tenants: { b: { description: "x" } } } }, async ({ run, folder, writes, emulator }) => {
      forgeStateFile(join(folder, ".gate-sync/backups", backupsIn(folder)[0] ?? ""), "tenants.yml", "tenants: {}\n");
      emulator.clearRequests();
      expect(await run(rollback)).toMatchObject({ code: 3, stderr: expect.stringContaining("tenants/b is missing") });
      expect(writes()).toEqual([]);
    }));
});
