// A 403 names the right that is missing, in the words of the product: to read, to write, and in doctor.
import { describe, expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const env = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "s3cret-canary" };
const user = { name: "ci", password: "s3cret-canary" };
const files = { "access/roles.yml": "roles:\n  hr: { cluster_permissions: [cluster_monitor] }\n" };
const flat = (text: string) => text.replace(/\s+/g, " ");

describe.each([
  ["opensearch", "2.19", "plugins.security", "(all_access, security_rest_api_access unless they are set otherwise);"],
  [
    "opensearch",
    "3.9",
    "plugins.security",
    "or a permission restapi:admin/… where the nodes have restapi.admin.enabled",
  ],
  ["search-guard", "7", "searchguard", "(SGS_ALL_ACCESS unless they are set otherwise);"],
  ["search-guard", "6", "searchguard", "(sg_all_access unless they are set otherwise);"],
] as const)("on %s %s", (product, release, prefix, roles) => {
  it("says which roles are let in, to who is not", () =>
    onHarness({ product, release, files, users: [{ ...user, rights: "none" }] }, async ({ run }) => {
      for (const line of [
        "plan --url URL access",
        `plan --url URL --product ${product} --release ${release} access`,
        "doctor --url URL",
      ]) {
        const { code, stderr } = await run(line, env);
        expect(code).toBe(1);
        expect(flat(stderr)).toContain(`It lacks a role that ${prefix}.restapi.roles_enabled of the nodes names`);
        expect(flat(stderr)).toContain(roles);
      }
    }));

  it("says which setting keeps a reader from writing", () =>
    onHarness({ product, release, files, users: [{ ...user, rights: "read" }] }, async ({ run }) => {
      const applied = await run("apply --url URL --yes access", env);
      expect(applied.code).toBe(1);
      expect(flat(applied.stdout + applied.stderr)).toMatch(
        new RegExp(`${prefix}\\.restapi\\.endpoints_disabled\\.ROLE\\.ROLES of the nodes has P`),
      );
      expect(flat((await run("doctor --url URL", env)).stderr)).toContain(
        `${prefix}.restapi.endpoints_disabled.ROLE.ENDPOINT of the nodes has PUT, PATCH and DELETE`,
      );
    }));
});
