// What differs for one target from what all declare.
import { describe, test } from "vitest";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const files = {
  "gate-sync.yaml": `defaults: { product: gate, state: [access/base] }
targets:
  dev: {}
  prod: { state: [access/base, access/prod] }
`,
  "access/base/roles.yml": `roles:
  hr:
    cluster_permissions: [cluster:monitor/health]
    index_permissions:
      - { index_patterns: [hr-*], allowed_actions: ["indices:data/read/search"] }
  temp: {}
role_mappings:
  hr: { backend_roles: [hr] }
`,
  "access/prod/hr.yml": `overrides:
  roles:
    hr:
      -cluster_permissions: [cluster:monitor/health]
      +index_permissions: [{ index_patterns: [pay-*], allowed_actions: ["indices:data/read/search"] }]
    temp: { remove: true }
  role_mappings:
    hr: { +backend_roles: [pay] }
`,
};

describe.concurrent("overrides", () => {
  test("change what one target gets, and each plan names both places", ({ expect }) =>
    onHarness({ files }, async ({ run, emulator }) => {
      expect(await run("apply --yes --url URL --target dev")).toMatchObject({ code: 0 });
      expect([...emulator.state().roles.keys()].sort()).toEqual(["hr", "temp"]);
      const { stdout } = await run("plan --url URL --target prod");
      expect(stdout).toMatch(/~ hr\s+access\/base\/roles\.yml:2, overridden in access\/prod\/hr\.yml:3\n/);
      expect(stdout).toMatch(/~ hr\s+access\/base\/roles\.yml:8, overridden in access\/prod\/hr\.yml:8\n/);
      const json = JSON.parse((await run("plan --url URL --target prod --format json")).stdout);
      const ajv = createAjv({ isStrict: true });
      ajv.validate(readSchema("plan"), json);
      expect(ajv.errors ?? []).toEqual([]);
      const role = json.changes.find(({ address }: { address: string }) => address === "roles/hr");
      expect(role).toMatchObject({
        origin: { path: "access/base/roles.yml", line: 2 },
        overridden_in: [{ path: "access/prod/hr.yml", line: 3 }],
      });
      expect(await run("apply --yes --url URL --target prod")).toMatchObject({ code: 0 });
      expect(emulator.state().roles.get("hr")).toMatchObject({
        index_permissions: [{}, { index_patterns: ["pay-*"] }],
      });
      expect(emulator.state().roles.get("hr")).not.toHaveProperty("cluster_permissions", ["cluster:monitor/health"]);
      expect([...emulator.state().roles.keys()]).toEqual(["hr"]);
      expect(await run("plan --url URL --target prod --detailed-exitcode")).toMatchObject({ code: 0 });
      // An answer about access names them as well.
      const answer = (await run("access can-i --target prod --backend-role pay search pay-2024")).stdout.replace(
        /\s+/g,
        " ",
      );
      expect(answer).toContain("mapping hr (access/base/roles.yml:8, overridden in access/prod/hr.yml:8)");
      expect(answer).toContain("role hr on pay-* (access/base/roles.yml:2, overridden in access/prod/hr.yml:5)");
      const kept = (await run("access can-i --target prod --backend-role hr search hr-2024")).stdout.replace(
        /\s+/g,
        " ",
      );
      expect(kept).toContain("role hr on hr-* (access/base/roles.yml:5, overridden in access/prod/hr.yml:3)");
    }));

  test.for<[what: string, changed: string, reported: RegExp]>([
    [
      "a value that no server takes",
      "overrides: { roles: { hr: { index_permissions: x } } }\n",
      /more\.yml:1:48 {2}error {2}wrong-type[\s\S]*access\/base\/roles\.yml:2:3: what is overridden is declared here/,
    ],
    [
      "a mistake in what is overridden",
      'overrides: { roles: { hr: { index_permissions: [{ index_patterns: ["/[/"], allowed_actions: [x] }] } } }\nroles: { x: { x: 1 } }\n',
      /more\.yml:1:\d+ {2}warning {2}matches-nothing[\s\S]*access\/base\/roles\.yml:2:3: what is overridden is declared here/,
    ],
    [
      "an entry that is declared twice",
      "roles: { hr: {} }\n",
      /error {2}duplicate-name[\s\S]*What differs for\s+one target is an override: overrides: \{ roles: \{ "hr": \{ FIELD: … \} \} \}/,
    ],
    [
      "an override of nothing",
      "overrides: { roles: { hrr: {} } }\n",
      /error {2}unknown-override[\s\S]*Did you mean "hr"\?/,
    ],
    [
      "a secret in a field that holds none",
      'overrides: { role_mappings: { hr: { "+backend_roles": ["${env:HOME}"] } } }\n',
      /more\.yml:1:57 {2}error {2}misplaced-secret/,
    ],
    ["one of another family", "overrides: { rolez: {} }\n", /error {2}unknown-field[\s\S]*"roles"/],
  ])("%s is an error at its place", ([, text, reported], { expect }) =>
    onHarness({ files: { ...files, "access/base/more.yml": text } }, async ({ run }) => {
      const { code, stdout, stderr } = await run("validate --target dev");
      expect(stdout + stderr).toMatch(reported);
      expect(code).toBe(3);
    }),
  );

  test("may lay a secret over a setting of the config that holds one", ({ expect }) => {
    const more = {
      "access/base/config.yml": "config: { dynamic: { authc: { a: { authentication_backend: { type: ldap } } } } }\n",
      "access/base/more.yml":
        'overrides: { config: { dynamic: { authc: { a: { authentication_backend: { config: { password: "${env:PW}" } } } } } } }\n',
    };
    return onHarness({ files: { ...files, ...more } }, async ({ run }) => {
      expect(await run("validate --target dev")).toMatchObject({ code: 0 });
    });
  });
});
