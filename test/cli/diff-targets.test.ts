// What differs between two targets of gate-sync.yaml.
import { describe, expect, test } from "vitest";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const files = {
  "gate-sync.yaml": `defaults: { product: opensearch, state: [access/base, "access/\${var:env}"] }
targets:
  dev: { vars: { env: dev } }
  prod: { vars: { env: prod } }
  twin: { vars: { env: prod } }
  gate: { product: gate, vars: { env: prod } }
  broken: { vars: { env: broken } }
`,
  "access/base/roles.yml": `roles:
  hr:
    cluster_permissions: [cluster_monitor, cluster_composite_ops]
    index_permissions: [{ index_patterns: [hr-*], allowed_actions: [read] }]
  "557": {}
role_mappings:
  hr: { backend_roles: [hr] }
personas: { ana: { user: ana, backend_roles: [hr] } }
`,
  "access/dev/temp.yml": "roles: { temp: { reserved: true } }\ntenants: {}\n",
  "access/dev/config.yml": `config:
  dynamic:
    authc:
      ldap: { authentication_backend: { type: ldap, config: { password: s3cret, keystore_password: "\${file:key}" } } }
`,
  "access/prod/hr.yml": `overrides:
  roles:
    hr:
      -cluster_permissions: [cluster_monitor]
      +index_permissions: [{ index_patterns: [pay-*], allowed_actions: [read] }]
`,
  "access/prod/config.yml": `config:
  dynamic:
    authc:
      ldap: { authentication_backend: { type: ldap, config: { password: "\${env:PW:-s3cret2}", keystore_password: "\${file:key}" } } }
`,
  "access/broken/more.yml": "roles: { hr: {} }\n",
};

const text = `dev and prod: 4 differences.
- is only in dev, + only in prod, ~ differs.
dev declares tenants without entries, so that all are deleted; prod leaves them
  as they are.

Roles            1 only in dev, 1 differs
  ~ hr
      dev: access/base/roles.yml:2
      prod: access/base/roles.yml:2, overridden in access/prod/hr.yml:3
      cluster_permissions
        - cluster_monitor
      index_permissions  + pay-*
        allowed_actions  + read
  - temp                                                   access/dev/temp.yml:1

Config           1 differs
  ~ config
      dev: access/dev/config.yml:1
      prod: access/prod/config.yml:1
      dynamic.authc.ldap.authentication_backend.config
        keystore_password
          ~ (secret \${file:access/prod/key}) (changed)
        password
          ~ (secret \${env:PW}) (changed)

Access           1 gained, 1 lost
    backend role hr, persona ana
      + read pay-* (role hr)
      - monitor the cluster (role hr)

`;

describe.concurrent("gate-sync diff-targets", () => {
  test("shows entries with both places, the config and access, and ends with 2", ({ expect }) =>
    onHarness({ files }, async ({ run, emulator }) => {
      const { code, stdout, stderr } = await run("diff-targets dev prod");
      expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
      expect(stdout.slice(0, text.length)).toBe(text);
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(emulator.requests).toEqual([]);
      const back = (await run("diff-targets prod dev --family roles")).stdout;
      expect(back).toMatch(/^ {2}\+ temp {2,}access\/dev\/temp\.yml:1$/m);
      expect(back).not.toMatch(/Config|^Access {2}/m);
      expect(back).toContain("Access is not compared: it depends on all resource types.");
    }));

  test("ends with 0 where they declare the same", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run("diff-targets prod twin");
      expect({ code, first: stdout.split("\n", 2) }).toEqual({
        code: 0,
        first: ["prod and twin declare the same.", ""],
      });
    }));

  test("as JSON by its schema, and as Markdown", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run("diff-targets dev prod --format json");
      expect(code).toBe(2);
      const difference = JSON.parse(stdout);
      const ajv = createAjv({ isStrict: true });
      ajv.validate(readSchema("target-diff"), difference);
      expect(ajv.errors ?? []).toEqual([]);
      expect(difference).toMatchObject({
        equal: false,
        from: { name: "dev", evaluated_for: "opensearch 2 (assumed)" },
        differences: [
          {
            address: "roles/hr",
            only_in: null,
            from: { origin: { path: "access/base/roles.yml", line: 2 } },
            to: { overridden_in: [{ path: "access/prod/hr.yml", line: 3 }] },
          },
          { address: "roles/temp", only_in: "from", before: { reserved: true } },
          { address: "config", only_in: null },
        ],
        emptied: [{ family: "tenants", in: "from" }],
      });
      const markdown = await run("diff-targets dev prod --format markdown");
      expect(markdown.code).toBe(2);
      expect(markdown.stdout).toContain("<details><summary>Roles: 1 only in dev, 1 differs</summary>");
      expect(stdout + markdown.stdout).not.toContain("s3cret");
    }));

  test("each is taken in the words of its own product", ({ expect }) => {
    const more = {
      "access/prod/more.yml": "roles: { x: { exclude_cluster_permissions: [a] } }\nblocks: {}\n",
      "gate-sync.yaml": files["gate-sync.yaml"].replace('state: [access/base, "access/', 'state: [access/base, "only/'),
      "only/prod/more.yml": "roles: { x: { exclude_cluster_permissions: [a] } }\nblocks: {}\n",
      "only/dev/more.yml": "roles: { x: { description: b } }\n",
    };
    return onHarness({ files: { ...files, ...more } }, async ({ run }) => {
      const { code, stdout } = await run("diff-targets dev gate");
      const notes = stdout.replace(/\s+/g, " ");
      expect(code).toBe(2);
      expect(notes).toContain("dev (opensearch 2) has no exclude_cluster_permissions of roles.");
      expect(notes).toContain("dev (opensearch 2) has no blocks.");
      expect(notes).toContain("Access is not compared: opensearch and gate evaluate requests differently.");
    });
  });

  test("without a product it compares entries, and says why not access", ({ expect }) => {
    const bare = {
      "gate-sync.yaml": "targets: { a: { state: [a.yml] }, b: { state: [b.yml] } }\n",
      "a.yml": "tenants: { x: {} }\n",
      "b.yml": "tenants: { x: { description: y } }\n",
    };
    return onHarness({ files: bare }, async ({ run }) => {
      const { code, stdout } = await run("diff-targets a b");
      expect(code).toBe(2);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "Access is not compared: nothing says the product of a. Add product:",
      );
    });
  });

  test.for<[what: string, line: string, code: number, reported: RegExp]>([
    ["a target that is none", "diff-targets dev prd", 64, /There is no target "prd"\. Did you mean "prod"\?/],
    ["the first of two that are none", "diff-targets devv prd", 64, /There is no target "devv"\. Did you mean "dev"\?/],
    ["one target", "diff-targets dev", 64, /Missing required argument 'other-target'/],
    ["errors in the files of one", "diff-targets dev broken", 3, /duplicate-name[\s\S]*files of the target\s+broken/],
    ["a folder without gate-sync.yaml", "diff-targets dev prod --config none.yaml", 64, /none\.yaml/],
  ])("%s", ([, line, code, reported], { expect }) =>
    onHarness({ files }, async ({ run }) => {
      const ended = await run(line);
      expect(ended).toMatchObject({ code, stdout: "" });
      expect(ended.stderr).toMatch(reported);
    }),
  );

  test.each([
    ["one", "other"],
    ["other", "one"],
  ])("%s and %s: a target without a release is compared as of that of the other", async (...names) => {
    const sides = { one: "product: opensearch, release: '2.11'", other: "product: opensearch" };
    const files = {
      "gate-sync.yaml": `targets: { ${Object.entries(sides).map(([name, words]) => `${name}: { ${words}, state: [a.yml] }`)} }\n`,
      "a.yml": "roles: { hr: { cluster_permissions: [cluster_monitor] } }\nrole_mappings: { hr: { users: [ana] } }\n",
    };
    await onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run(`diff-targets ${names.join(" ")}`);
      const shown = stdout.replace(/\s+/g, " ");
      expect({ code, shown }).toEqual({
        code: 0,
        shown: expect.stringContaining(
          "other states no release: it is compared as of opensearch 2.11, which one states. Add release: to it.",
        ),
      });
    });
  });
});
