// References to secrets count where secrets belong, and nowhere else; public values come from vars and --var.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { onHarness } from "./harness.ts";

const word = "S3cr3tPassw0rd";
const env = { NOTE: word, GATE_SYNC_PASSWORD: word, GATE_SYNC_USERNAME: "ci" };

/** Every kind of reference to a secret, whole and as a part, with a value and without. */
const references = [
  "${env:NOTE}",
  "${env:NOT_SET}",
  "${env:NOT_SET:-x}",
  "a ${env:NOTE} b",
  "${file:/etc/hostname}",
  "${file:nowhere}",
  "${env:GATE_SYNC_PASSWORD}",
];
const backend = (config: object) => ({ authc: { d: { authentication_backend: { type: "ldap", config } } } });
const permission = { index_patterns: ["x"], allowed_actions: ["*"] };

/** Every place of a text in every family that is no secret. */
const places: Readonly<Record<string, (text: string) => object>> = {
  "a description of a tenant": (text) => ({ tenants: { t: { description: text } } }),
  "a description of a role": (text) => ({ roles: { r: { description: text } } }),
  "a query": (text) => ({ roles: { r: { index_permissions: [{ ...permission, dls: text }] } } }),
  "a field of FLS": (text) => ({ roles: { r: { index_permissions: [{ ...permission, fls: [text] }] } } }),
  "a mask": (text) => ({ roles: { r: { index_permissions: [{ ...permission, masked_fields: [text] }] } } }),
  "a pattern": (text) => ({ roles: { r: { index_permissions: [{ ...permission, index_patterns: [text] }] } } }),
  "an action": (text) => ({ roles: { r: { cluster_permissions: [text] } } }),
  "a tenant pattern": (text) => ({
    roles: { r: { tenant_permissions: [{ tenant_patterns: [text], allowed_actions: ["READ"] }] } },
  }),
  "a user": (text) => ({ role_mappings: { r: { users: [text] } } }),
  "a backend role": (text) => ({ role_mappings: { r: { backend_roles: [text] } } }),
  "a host": (text) => ({ role_mappings: { r: { hosts: [text] } } }),
  "an action of a group": (text) => ({ action_groups: { g: { allowed_actions: [text] } } }),
  "a block": (text) => ({ blocks: { b: { type: "name", value: text, verdict: "disallow" } } }),
  "a name": (text) => ({ tenants: { [text]: {} } }),
  "a field of the config": (text) => ({ config: { dynamic: backend({ bind_dn: text }) } }),
  "a header of the config": (text) => ({ config: { dynamic: { http: { xff: { remoteIpHeader: text } } } } }),
};

describe.each(Object.entries(places))("in %s", (_, declared) => {
  test.for(references)("%s is an error, and nothing is sent or shown", (reference, { expect }) =>
    onHarness(
      {
        files: { "access/a.json": JSON.stringify(declared(reference)) },
        users: [{ name: "ci", password: word, rights: "all" }],
        allowConfigModification: true,
        // Hundreds of runs that differ in nothing that a process adds.
        spawned: false,
      },
      async ({ run, writes }) => {
        for (const line of ["apply --yes --url URL access", "plan --url URL --format json access", "validate access"]) {
          const { code, stdout, stderr } = await run(line, env);
          expect({ code, leak: (stdout + stderr).includes(word) }).toEqual({ code: 3, leak: false });
          expect(stdout + stderr).toMatch(/misplaced-secret|secret-in-name/);
        }
        expect(writes()).toEqual([]);
      },
    ),
  );
});

const secretPlaces: Readonly<Record<string, (text: string) => object>> = {
  "a bind password": (text) => ({ config: { dynamic: backend({ password: text }) } }),
  "a certificate": (text) => ({ config: { dynamic: backend({ pemtrustedcas_content: text }) } }),
  "the license": (text) => ({ license: { text } }),
};

describe.each(Object.entries(secretPlaces))("in %s", (_, declared) => {
  test("the environment and files have their say", ({ expect }) =>
    onHarness({}, async ({ run, folder }) => {
      writeFileSync(join(folder, "note.txt"), word);
      for (const reference of ["${env:NOTE}", "${file:note.txt}"]) {
        writeFileSync(join(folder, "a.json"), JSON.stringify(declared(reference)));
        const { code, stdout, stderr } = await run("validate a.json", env);
        expect({ code, text: stdout + stderr }).toEqual({ code: 0, text: expect.not.stringContaining(word) });
      }
    }));

  test.for(["GATE_SYNC_PASSWORD", "GATE_SYNC_PLAN_KEY", "GATE_SYNC_ANYTHING"])("%s never", (name, { expect }) =>
    onHarness({ files: { "a.json": JSON.stringify(declared(`\${env:${name}:-x}`)) } }, async ({ run }) => {
      const { code, stdout } = await run("validate a.json", env);
      expect({ code, stdout }).toEqual({
        code: 3,
        stdout: expect.stringContaining("is a variable of gate-sync itself"),
      });
      // Said once, and not with a fix that would be refused as well.
      expect(stdout).toContain("1 error in 1 file");
    }),
  );

  test("what the kernel shows of the process never", ({ expect }) =>
    onHarness({ files: { "a.json": JSON.stringify(declared("${file:/proc/self/environ}")) } }, async ({ run }) => {
      const { code, stderr } = await run("plan --url URL a.json", env);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("error  outside-repository") });
    }));
});

test.for([
  ["internal_users", { ann: { password: "${file:../secret}" } }],
  ["internal_users", { ann: { hash: "${file:/etc/hostname}" } }],
  ["internal_users", { ann: { password: "p-${file:/proc/self/environ}" } }],
  ["config", { dynamic: { authc: { a: { http_authenticator: { config: { signing_key: "${file:../secret}" } } } } } }],
  ["license", { file: "../license.txt" }],
] as const)("a file elsewhere ends a run, also where %s are only compared: %j", ([family, value], { expect }) =>
  onHarness({ files: { "a.json": JSON.stringify({ [family]: value }) } }, async ({ run, folder, url, emulator }) => {
    for (const mode of ["observe", "adopt"]) {
      const families = { [family]: { mode } };
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        JSON.stringify({ targets: { t: { url, state: ["a.json"], families } } }),
      );
      for (const line of ["validate", "plan", "drift"]) {
        const { code, stdout, stderr } = await run(line);
        expect([mode, line, code, /error {2}outside-repository/.test(stdout + stderr)]).toEqual([mode, line, 3, true]);
      }
    }
    expect(emulator.requests).toEqual([]);
  }),
);

test("gate-sync.yaml refers to no variable of gate-sync itself", ({ expect }) =>
  onHarness({ files: { "access/a.yml": "tenants: {}\n" } }, async ({ run, folder, url, emulator }) => {
    const headers = { "X-Key": "${env:GATE_SYNC_PLAN_KEY}" };
    writeFileSync(
      join(folder, "gate-sync.yaml"),
      JSON.stringify({ targets: { t: { url, state: ["access"], headers } } }),
    );
    const { code, stderr } = await run("plan", { GATE_SYNC_PLAN_KEY: "a long random text" });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining("GATE_SYNC_PLAN_KEY is a variable of"),
    });
    expect(emulator.requests).toEqual([]);
  }));

test("a message about a login names the variable that it refers to, and shows no default", ({ expect }) =>
  onHarness({ files: { "access/a.yml": "tenants: {}\n" } }, async ({ run, folder, url }) => {
    const write = (username: string) =>
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        `targets:\n  t:\n    url: ${url}\n    state: [access]\n    auth:\n      username: ${username}\n      password: x\n`,
      );
    write("pre-${env:MISSING_NAME}");
    const missing = (await run("plan")).stderr;
    expect(missing).toContain("username: pre-${env:MISSING_NAME}\n");
    expect(missing).toContain("The environment variable MISSING_NAME is not set.");
    write("${env:GATE_SYNC_USERNAME:-hunter2}");
    const own = (await run("plan")).stderr;
    expect(own).toContain("GATE_SYNC_USERNAME is a variable of gate-sync itself");
    expect(own).not.toContain("hunter2");
  }));

describe("variables with types", () => {
  const files = {
    "gate-sync.yaml": `defaults:
  state: [access]
  vars: { env: none, limit: 5 }
  vars_files: [vars/all.yaml]
targets:
  dev: { product: gate }
  prod: { product: gate, vars_files: [vars/all.yaml, vars/prod.yaml], vars: { env: prod } }
`,
    "vars/all.yaml": 'env: all\nteam: { name: pay, indices: ["pay-*", "${var:env}-*"] }\n',
    "vars/prod.yaml": "team: { name: pay, indices: [p-*] }\n",
    "access/a.yml": `roles:
  "\${var:team.name}_reader":
    description: of \${var:env}
    index_permissions: [{ index_patterns: [a-*, "\${var:team.indices}", z-*], allowed_actions: ["indices:data/read/*"] }]
`,
  };

  test.for([
    // Of `vars` and `vars_files` of the same place `vars` counts; what a target names is before all that it inherits.
    ["dev", "of none", ["a-*", "none-*", "pay-*", "z-*"]],
    ["prod", "of prod", ["a-*", "p-*", "z-*"]],
  ] as const)(
    "are those of the files that target %s names, lists among others' items",
    ([name, text, patterns], { expect }) =>
      onHarness({ files }, async ({ run, emulator }) => {
        expect(await run(`apply --yes --url URL --target ${name}`)).toMatchObject({ code: 0 });
        const role = emulator.state().roles.get("pay_reader") as Readonly<Record<string, unknown>>;
        expect(role).toMatchObject({ description: text, index_permissions: [{ index_patterns: patterns }] });
      }),
  );

  test.for<[what: string, changed: Readonly<Record<string, string>>, reported: RegExp]>([
    [
      "a value of another type",
      { "access/b.yml": 'roles: { x: { cluster_permissions: ["${var:limit}"] } }\n' },
      /access\/b\.yml:1:37 {2}error {2}not-a-string[\s\S]*not the number 5[\s\S]*Put quotes around it where it is defined: "5"[\s\S]*gate-sync\.yaml:3:29: "limit" is defined here/,
    ],
    [
      "a list in a text",
      { "access/b.yml": 'roles: { "x_${var:team.indices}": {} }\n' },
      /access\/b\.yml:1:13 {2}error {2}variable-type[\s\S]*vars\/prod\.yaml:1:29: "team\.indices" is defined here/,
    ],
    ["no value", { "vars/prod.yaml": "team:\n" }, /vars\/prod\.yaml:1:[\s\S]*wrong-type/],
    ["no map", { "vars/prod.yaml": "[team]\n" }, /vars\/prod\.yaml:1:1 {2}error {2}wrong-type[\s\S]*is a map/],
    [
      "no file",
      { "gate-sync.yaml": files["gate-sync.yaml"].replace("prod.yaml", "prd.yaml") },
      /gate-sync\.yaml:7:54 {2}error {2}unreadable-file[\s\S]*vars\/prd\.yaml cannot be read: it does not exist/,
    ],
    [
      "a file outside of the repository",
      { "gate-sync.yaml": files["gate-sync.yaml"].replace("vars/prod.yaml", "../../../../../../etc/hostname") },
      /gate-sync\.yaml:7:54 {2}error {2}outside[\s\S]*etc\/hostname[\s\S]*Put a copy of the file in the repository/,
    ],
  ])("%s is an error at its place", ([, changed, reported], { expect }) =>
    onHarness({ files: { ...files, ...changed } }, async ({ run }) => {
      const { code, stderr, stdout } = await run("validate --target prod");
      expect(stderr + stdout).toMatch(reported);
      expect(code).toBe(3);
    }),
  );
});

describe("--var", () => {
  const files = {
    "gate-sync.yaml": 'defaults: { vars: { TEAM: all, BOTH: "${var:TEAM} and more" } }\n',
    "access/a.yml": 'tenants: { "t-${var:TEAM}": { description: "${var:BOTH} ${var:NEW:-none}" } }\n',
  };

  test.for([
    ["", "t-all", "all and more none"],
    ["--var TEAM=hr", "t-hr", "hr and more none"],
    ["--var TEAM=hr --var NEW=a=b --var TEAM=it", "t-it", "it and more a=b"],
    ["--var NEW=${env:HOME}", "t-all", "all and more ${env:HOME}"],
    ["--var BOTH=", "t-all", " none"],
  ] as const)("%s", ([flags, name, description], { expect }) =>
    onHarness({ files }, async ({ run, emulator }) => {
      expect(await run(`apply --yes --url URL access ${flags}`)).toMatchObject({ code: 0 });
      expect(emulator.state().tenants.get(name)).toEqual({ description });
    }),
  );

  test.for(["--var TEAM", "--var =x", "--var"])("%s is refused", (flags, { expect }) =>
    onHarness({ files }, async ({ run }) => expect((await run(`validate access ${flags}`)).code).toBe(64)),
  );

  test("is in no file that a run leaves behind by another name", ({ expect }) =>
    onHarness({ files }, async ({ run, folder }) => {
      await run("plan --url URL access --var TEAM=hr --out plan.json");
      expect(readFileSync(join(folder, "plan.json"), "utf8")).toContain("t-hr");
    }));
});

const ldap = (hosts: string, password = "${env:NOTE}") =>
  JSON.stringify({ config: { dynamic: backend({ hosts: [hosts], password }) } });

describe.each(["text", "json", "markdown"])("a secret that is a part of an address, as %s", (format) => {
  test.for<[written: string, shown: string, hidden: string]>([
    ["https://${env:NOTE}@ldap.example", "(secret ${env:NOTE})@ldap.example", word],
    ["ldaps://ana:${env:NOTE}@ldap.example", "ana:(secret ${env:NOTE})@ldap.example", word],
    ["${env:NOT_SET:-ldap.attacker.example}", "ldap.attacker.example", word],
    ["https://ana:hunter2@${env:NOTE}.example", "(secret ${env:NOTE})", "hunter2"],
  ])("%s shows the rest", ([written, shown, hidden], { expect }) =>
    onHarness({ files: { "a.json": ldap(written) } }, async ({ run, folder }) => {
      const settings = "targets: { t: { families: { config: { mode: manage } } } }\n";
      writeFileSync(join(folder, "gate-sync.yaml"), settings);
      const { stdout, stderr } = await run(`plan --url URL a.json --format ${format}`, env);
      expect(stdout + stderr).toContain(shown);
      expect(stdout + stderr).not.toContain(hidden);
    }),
  );
});

test("a default is a plain secret where the field is one", ({ expect }) =>
  onHarness({ files: { "a.json": ldap("ldap.example", "${env:NOT_SET:-hunter2}") } }, async ({ run, folder }) => {
    writeFileSync(join(folder, "gate-sync.yaml"), "targets: { t: { families: { config: { mode: manage } } } }\n");
    const { code, stdout, stderr } = await run("plan --url URL a.json", env);
    expect([code, stdout.includes("plain-secrets"), (stdout + stderr).includes("hunter2")]).toEqual([4, true, false]);
  }));
