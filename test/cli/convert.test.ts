// The declared state of a target for another product.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const files = {
  "gate-sync.yaml": `targets:
  prod: { product: search-guard, release: 7.x-38, state: [access] }
  unknown: { state: [access] }
`,
  "access/roles.yml": `roles:
  hr:
    cluster_permissions: [SGS_CLUSTER_MONITOR]
    index_permissions: [{ index_patterns: [hr-*, _all], allowed_actions: [SGS_GET] }]
role_mappings:
  hr: { backend_roles: [hr] }
  SGS_READALL: { backend_roles: [readers] }
  # As no server of the other product has them, they are written out.
  SGS_ALL_ACCESS: { backend_roles: [admin] }
  SGS_KIBANA_SERVER: { users: [] }
  SGS_MANAGE_SNAPSHOTS: { backend_roles: [snapshotrestore] }
`,
  "access/authc.yml": "_sg_meta: { type: authc, config_version: 1 }\ndebug: false\n",
  "access/config.yml": `config:
  dynamic: { authc: { a: { authentication_backend: { type: ldap, config: { password: s3cret, keystore_password: "\${file:key}" } } } } }
`,
};

const text = `search-guard 7.x-38 to opensearch 2.19: entries: 7 converted, 1 written out.
Access is the same but for what is listed.

Written otherwise
  ~ roles/hr (access/roles.yml:2)
      The index pattern _all is written as *: OpenSearch matches nothing with
      it. By * indices are granted that do not exist yet, too.
  ~ roles/SGS_KIBANA_SERVER (access/roles.yml:10)
      Search Guard 7 comes with it; it is written out, as OpenSearch has no role
      that grants all of it.

Unknown
  ? config (access/config.yml:1)
      Taken over as it is: authc.a.authentication_backend.config. Whether
      OpenSearch reads every setting in it is unknown.

Access           4 gained
  + backend role readers: use indices:admin/resolve/index on every index (role
      readall)
    user kibanaserver
`;

const roles = `# Converted from search-guard 7.x-38 to opensearch 2.19.
roles:
  # access/roles.yml:10
  SGS_KIBANA_SERVER:
`;

const config = `# Converted from search-guard 7.x-38 to opensearch 2.19.
# access/config.yml:1
config:
  dynamic:
    authc:
      a:
        authentication_backend:
          config:
            keystore_password: \${file:../access/key}
            password: \${env:SECRET_AUTHC_A_AUTHENTICATION_BACKEND_CONFIG_PASSWORD}
          type: ldap
`;

const left = "access/authc.yml is skipped";

const equal = {
  "access/roles.yml": `roles: { hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [get] }] } }
role_mappings: { hr: { users: [ana] } }
`,
};

const guide = new URL("../../examples/convert/README.md", import.meta.url);

const ofGuide = {
  "gate-sync.yaml": "targets: { prod: { product: search-guard, release: 7.x-38, state: [access] } }\n",
  "access/access.yml": `roles:
  hr:
    cluster_permissions: [SGS_CLUSTER_MONITOR]
    index_permissions: [{ index_patterns: [hr-*, _all], allowed_actions: [SGS_GET] }]
role_mappings:
  hr: { backend_roles: [hr] }
  SGS_ALL_ACCESS: { backend_roles: [admin] }
  SGS_READALL: { backend_roles: [readers] }
  SGS_MANAGE_SNAPSHOTS: { backend_roles: [snapshots] }
  SGS_KIBANA_SERVER: { users: [kibanaserver] }
tenants: { SGS_GLOBAL_TENANT: {} }
`,
};

describe.concurrent("gate-sync convert", () => {
  test("writes state files and shows what is otherwise", ({ expect }) =>
    onHarness({ files }, async ({ run, folder, emulator }) => {
      const { code, stdout, stderr } = await run("convert --target prod --to opensearch-2.19 --out new");
      expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
      expect(stdout.slice(0, text.length)).toBe(text);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe("Wrote 3 files to new.");
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(emulator.requests).toEqual([]);
      const read = (name: string) => readFileSync(join(folder, "new", name), "utf8");
      expect(readdirSync(join(folder, "new")).sort()).toEqual(["config.yml", "role_mappings.yml", "roles.yml"]);
      expect(read("roles.yml").slice(0, roles.length)).toBe(roles);
      expect(read("config.yml")).toBe(config);
      expect(stdout).not.toContain("s3cret");
      expect(stdout.replace(/\s+/g, " ")).toContain(left);
      // What was compared is what was written.
      const again = await run("validate new --product opensearch --release 2.19");
      expect(again.stdout + again.stderr).not.toContain(" error ");
    }));

  test("shows what the guide shows", ({ expect }) =>
    onHarness({ files: ofGuide }, async ({ run }) => {
      const [, shown = ""] = /```console\n\$ gate-sync (.*?)\n```/s.exec(readFileSync(guide, "utf8")) ?? [];
      const [line = "", ...parts] = shown.split(/\n(?:…\n)?/);
      const { stdout } = await run(line);
      expect(parts.length).toBeGreaterThan(8);
      expect(parts.filter((part) => !stdout.split("\n").includes(part))).toEqual([]);
    }));

  test("never overwrites", ({ expect }) =>
    onHarness({ files: { ...files, "new/a.yml": "" } }, async ({ run, folder }) => {
      const { code, stderr } = await run("convert --target prod --to opensearch --out new");
      expect({ code, what: stderr.slice(0, 30) }).toEqual({ code: 64, what: "! The folder new is not empty." });
      expect(readdirSync(join(folder, "new"))).toEqual(["a.yml"]);
    }));

  test("ends with 0 where access is the same", ({ expect }) =>
    onHarness({ files: equal }, async ({ run, folder }) => {
      const line = "convert access --product opensearch --release odfe-1.x --to opensearch-2.19 --out";
      const { code, stdout } = await run(`${line} new`);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `opensearch odfe-1.x to opensearch 2.19: entries: 2 converted.
Access is the same: no principal gains or loses anything.

Not declared, and taken as the product ships it: action groups, tenants, config.

Wrote 2 files to new.
`,
      });
      const wrong = await run(`${line.replace("opensearch-2.19", "solr")} other`);
      expect({ code: wrong.code, what: wrong.stderr.slice(0, 54) }).toEqual({
        code: 64,
        what: '! --to "solr" is no product and release to convert to.',
      });
      expect(existsSync(join(folder, "other"))).toBe(false);
    }));

  test("access tests are about the same roles and tenants", ({ expect }) =>
    onHarness(
      {
        files: {
          "gate-sync.yaml": "targets: { prod: { product: search-guard, release: 7.x-38, state: [access] } }\n",
          "access/roles.yml": `roles:
  kibana_user: { cluster_permissions: ["cluster:monitor/main"] }
role_mappings:
  kibana_user: { users: [ana] }
access_tests:
  - only: { roles: [kibana_user, SGS_ALL_ACCESS, SGS_READALL], users: [bo] }
    action: search
    index: secret
  - { as: { user: ana }, action: read, tenant: SGS_GLOBAL_TENANT, expect: denied }
`,
        },
      },
      async ({ run, folder }) => {
        await run("convert --to opensearch-2.19 --out out");
        const all = readdirSync(join(folder, "out")).map((file) => readFileSync(join(folder, "out", file), "utf8"));
        const tests = all.find((one) => one.includes("access_tests:"));
        expect(tests).toMatch(/roles:\n\s+- kibana_user_converted\n\s+- all_access\n\s+- readall\n/);
        expect(tests).toMatch(/users:\n\s+- bo\n/);
        expect(tests).toContain("tenant: global_tenant");
        expect((await run("validate --product opensearch --release 2.19 out")).stdout).toContain("No problems");
      },
    ));

  test("wants to know the product", ({ expect }) =>
    onHarness(
      { files: { "gate-sync.yaml": files["gate-sync.yaml"], "access/roles.yml": "roles: { hr: {} }\n" } },
      async ({ run }) => {
        const { code, stderr } = await run("convert --target unknown --to opensearch --out new");
        expect(code).toBe(64);
        expect(stderr).toContain("Nothing says which product these files are for.");
      },
    ));

  test("as JSON by its schema, and as Markdown", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run("convert --target prod --to opensearch-2.19 --out new --format json");
      expect(code).toBe(2);
      const conversion = JSON.parse(stdout);
      const ajv = createAjv({ isStrict: true });
      ajv.validate(readSchema("conversion"), conversion);
      expect(ajv.errors ?? []).toEqual([]);
      expect(conversion).toMatchObject({
        equal: false,
        from: "search-guard 7.x-38",
        to: "opensearch 2.19",
        files: ["roles.yml", "role_mappings.yml", "config.yml"],
        entries: expect.arrayContaining([
          {
            address: "role_mappings/SGS_READALL",
            outcome: "converted",
            new_address: "role_mappings/readall",
            origin: expect.objectContaining({ path: "access/roles.yml", line: 7 }),
          },
        ]),
        notes: expect.arrayContaining([expect.objectContaining({ address: "config", kind: "unknown" })]),
      });
      const markdown = await run("convert --target prod --to opensearch --out other --format markdown");
      expect(markdown.stdout).toContain("<details><summary>Written otherwise: 2</summary>");
      expect(stdout + markdown.stdout).not.toContain("s3cret");
    }));
});
