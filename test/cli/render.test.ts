// The state that a target ends up with, as state files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { JsonObject } from "../../src/json/value.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const files = {
  "gate-sync.yaml": `defaults: { product: opensearch, state: [access/base], vars: { team: hr } }
targets:
  dev: {}
  prod: { state: [access/base, access/prod] }
`,
  "access/base/roles.yml": `roles:
  hr:
    cluster_permissions: [cluster_monitor, cluster_composite_ops]
    index_permissions:
      - { index_patterns: ["\${var:team}-*"], allowed_actions: [read], dls: '{"term": {"u": "\${user.name}"}}' }
  temp: {}
  theirs: { reserved: true }
role_mappings:
  hr: { backend_roles: [hr] }
tenants: {}
access_tests: [{ as: { backend_roles: [hr] }, action: search, index: hr-1, expect: allowed }]
`,
  "access/base/config.yml": `_meta: { type: config, config_version: 2 }
config:
  dynamic:
    authc:
      ldap:
        authentication_backend:
          type: ldap
          config: { password: "\${env:PW:-s3cret}", client_secret: s3cret, pemkey_content: "\${file:../key.pem}" }
`,
  "access/prod/hr.yml": `overrides:
  roles:
    hr:
      -cluster_permissions: [cluster_monitor]
      +index_permissions: [{ index_patterns: [pay-*], allowed_actions: [read] }]
    temp: { remove: true }
  config: { dynamic: { http: { anonymous_auth_enabled: false } } }
`,
};

const rendered = `# The state of the target prod, for opensearch 2 (assumed).
# Left out:
# - a secret that is written out in a file, for
#   \${env:SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_CLIENT_SECRET}
# - the default of \${env:PW} (access/base/config.yml:8)
---
tenants: {}
---
roles:
  # access/base/roles.yml:2, overridden in access/prod/hr.yml:3
  # -cluster_permissions: access/prod/hr.yml:4
  # +index_permissions: access/prod/hr.yml:5
  hr:
    cluster_permissions:
      - cluster_composite_ops
    index_permissions:
      - index_patterns:
          - hr-*
        dls: '{"term": {"u": "\${user.name}"}}'
        allowed_actions:
          - read
      - index_patterns:
          - pay-*
        allowed_actions:
          - read
  # access/base/roles.yml:7
  theirs:
    reserved: true
---
role_mappings:
  # access/base/roles.yml:9
  hr:
    backend_roles:
      - hr
---
_meta: {type: config, config_version: 2}
# access/base/config.yml:2, overridden in access/prod/hr.yml:7
# dynamic.http.anonymous_auth_enabled: access/prod/hr.yml:7
config:
  dynamic:
    authc:
      ldap:
        authentication_backend:
          config:
            client_secret: \${env:SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_CLIENT_SECRET}
            password: \${env:PW}
            pemkey_content: \${file:access/key.pem}
          type: ldap
    http:
      anonymous_auth_enabled: false
---
access_tests:
  # access/base/roles.yml:11
  - as:
      backend_roles:
        - hr
    action: search
    index: hr-1
    expect: allowed
`;

describe.concurrent("gate-sync render", () => {
  test("shows what a target ends up with, and where each of it comes from", ({ expect }) =>
    onHarness({ files }, async ({ run, emulator }) => {
      expect(await run("render --target prod")).toEqual({ code: 0, stdout: rendered, stderr: "" });
      const roles = await run("render --target dev --family roles");
      expect(roles.stdout).toMatch(
        /^# - personas, access tests and waivers, as single resource types were asked for$/m,
      );
      expect(roles.stdout).toMatch(/^ {2}# access\/base\/roles\.yml:6\n {2}temp: \{\}$/m);
      expect(roles.stdout).not.toMatch(/config:|role_mappings:|access_tests:/);
      expect(emulator.requests).toEqual([]);
    }));

  test("as JSON with the places as fields, by its schema", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout } = await run("render --target prod --format json");
      expect(code).toBe(0);
      const state = JSON.parse(stdout);
      const ajv = createAjv({ isStrict: true });
      ajv.validate(readSchema("render"), state);
      expect(ajv.errors ?? []).toEqual([]);
      expect(stdout).not.toContain("s3cret");
      const keys = state.documents.map(({ key, header = "" }: Record<string, string>) => `${key} ${header}`.trim());
      expect(keys).toEqual(["tenants", "roles", "role_mappings", "config _meta", "access_tests"]);
      expect(state.documents[1].entries[0]).toMatchObject({
        name: "hr",
        value: { cluster_permissions: ["cluster_composite_ops"] },
        origin: { path: "access/base/roles.yml", line: 2 },
        overridden_in: [{ path: "access/prod/hr.yml", line: 3 }],
        overrides: [
          { path: ["cluster_permissions"], does: "remove", place: { line: 4 } },
          { path: ["index_permissions"], does: "add", place: { line: 5 } },
        ],
      });
      expect(state.documents[3].entries[0].overrides).toMatchObject([
        { path: ["dynamic", "http", "anonymous_auth_enabled"], does: "replace" },
      ]);
      expect(state.left_out).toHaveLength(2);
    }));

  test("says what is left out", ({ expect }) => {
    const bare = {
      "access/roles.yml":
        "_meta: { type: roles, config_version: 2 }\nr: { cluster_permissions: [x*] } # gate-sync-ignore matches-nothing later\n",
      "access/internal_users.yml":
        "_meta: { type: internalusers, config_version: 2 }\nana: { hash: s3cret, backend_roles: [hr] }\n",
    };
    return onHarness({ files: bare }, async ({ run }) => {
      const { code, stdout, stderr } = await run("render access");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toBe(`# The state of the target default, for opensearch 2 (by
#   access/internal_users.yml: _meta).
# Left out:
# - what shows the product: the target that reads this needs product: opensearch
# - a secret that is written out in a file, for
#   \${env:SECRET_INTERNAL_USERS_ANA_HASH}
# - 1 gate-sync-ignore comment: what it silences is reported again
---
_meta: {type: roles, config_version: 2}
# access/roles.yml:2
r:
  cluster_permissions:
    - x*
---
_meta: {type: internalusers, config_version: 2}
# access/internal_users.yml:2
ana:
  hash: \${env:SECRET_INTERNAL_USERS_ANA_HASH}
  backend_roles:
    - hr
`);
      expect(await run("render access --quiet")).toEqual({ code: 0, stdout, stderr: "" });
    });
  });

  test("names the item of what is generated", ({ expect }) => {
    const generated = {
      "access/base/teams.yml":
        "generate:\n  for_each: [{ name: pay }, { name: ops }]\n  as: team\n  tenants:\n    t_${each:team.name}: { description: a }\n",
      "access/prod/teams.yml": "overrides: { tenants: { t_ops: { description: b } } }\n",
    };
    return onHarness({ files: { ...files, ...generated } }, async ({ run }) => {
      const { stdout } = await run("render --target prod --family tenants");
      expect(stdout).toContain(`tenants:
  # access/base/teams.yml:5, generated for access/base/teams.yml:2, overridden in access/prod/teams.yml:1
  # description: access/prod/teams.yml:1
  t_ops:
    description: b
  # access/base/teams.yml:5, generated for access/base/teams.yml:2
  t_pay:
    description: a
`);
      const ajv = createAjv({ isStrict: true });
      const state = JSON.parse((await run("render --target prod --family tenants --format json")).stdout);
      ajv.validate(readSchema("render"), state);
      expect(ajv.errors ?? []).toEqual([]);
      expect(state.documents[0].entries[1]).toMatchObject({ origin: { line: 5 }, generated_for: { line: 2 } });
      const difference = JSON.parse((await run("diff-targets dev prod --family tenants --format json")).stdout);
      ajv.validate(readSchema("target-diff"), difference);
      expect(ajv.errors ?? []).toEqual([]);
      expect(difference.differences).toMatchObject([{ name: "t_ops", to: { generated_for: { line: 2 } } }]);
    });
  });

  test("what it shows plans as the files do", ({ expect }) =>
    onHarness(
      { files: { ...files, "access/key.pem": "key" }, product: "opensearch", allowConfigModification: true },
      async ({ run, folder }) => {
        const env = { PW: "a", SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_CLIENT_SECRET: "s3cret" };
        writeFileSync(join(folder, "prod.yml"), (await run("render --target prod")).stdout);
        const [ofFiles, ofRendered] = await Promise.all(
          ["", "prod.yml"].map(async (state) => {
            const { code, stdout } = await run(`plan --url URL --target prod --format json ${state}`, env);
            const { changes, operations, fingerprint } = JSON.parse(stdout);
            return { code, fingerprint, operations, changes: changes.map(nameChange) };
          }),
        );
        expect(ofFiles).toMatchObject({ code: 0, operations: [{}, {}] });
        expect(ofRendered).toEqual(ofFiles);
      },
    ));

  test.for<[what: string, changed: string, line: string, code: number, reported: RegExp]>([
    ["an error in a file", "roles: { hr: {} }\n", "render --target dev", 3, /duplicate-name[\s\S]*Nothing is shown/],
    ["a target that is none", "", "render --target prd", 64, /There is no target "prd"\. Did you mean "prod"\?/],
    ["no target", "", "render", 64, /gate-sync.yaml has 2 targets, and none is chosen/],
    ["another format", "", "render --target dev --format text", 64, /Allowed choices are\s+yaml, json/],
  ])("%s", ([, text, line, code, reported], { expect }) =>
    onHarness({ files: { ...files, "access/base/more.yml": text } }, async ({ run }) => {
      const ended = await run(line);
      expect(ended).toMatchObject({ code, stdout: "" });
      expect(ended.stderr).toMatch(reported);
    }),
  );
});

function nameChange({ address, action }: JsonObject) {
  return [address, action];
}
