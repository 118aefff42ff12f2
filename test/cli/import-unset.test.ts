// A plan of what was imported, where some of its variables have no value: what it needs, and no more.
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const users = `_meta: {type: internalusers, config_version: 2}\nana: {hash: "$2y$12$${"N".repeat(53)}"}\n`;
const config = `_meta: {type: config, config_version: 2}
config: {dynamic: {authc: {ldap: {http_enabled: true, authentication_backend: {type: ldap, config: {password: x}}}}}}
`;
const ldap = "SECRET_AUTHC_LDAP_AUTHENTICATION_BACKEND_CONFIG_PASSWORD";
const role = (fields: string) => `_meta: {type: roles, config_version: 2}\nhr: {${fields}}\n`;
const good = role("cluster_permissions: [cluster_monitor]");
const pattern = (text: string) =>
  role(`index_permissions: [{index_patterns: ["${text}"], allowed_actions: [read], fls: ["a", "a"]}]`);

const line = (target = "--url URL") => `import backup --out access ${target}`;

describe.concurrent("import with variables that have no value", () => {
  test("plans where these are hashes alone", () =>
    onHarness({ product: "opensearch", files: { "backup/users.yml": users, "backup/roles.yml": good } }, async (on) => {
      const { code, stdout } = await on.run(line());
      expect([code, stdout]).toEqual([0, expect.stringContaining("+ hr")]);
      expect(stdout).not.toContain("before you plan");
      expect(stdout).toContain("Set where gate-sync creates these users:");
    }));

  test("names those that stop the plan, and no other", () =>
    onHarness(
      { product: "opensearch", files: { "backup/users.yml": users, "backup/config.yml": config } },
      async (on) => {
        const { code, stdout } = await on.run(line());
        const end = `this variable has no value\n  ${ldap}\nSet it, then run\n  gate-sync plan --url ${on.url} access\n`;
        expect([code, stdout]).toEqual([0, expect.stringContaining(end)]);
        expect((await on.run(line().replace("access", "again"), { [ldap]: "x" })).stdout).not.toContain("Not planned");
      },
    ));

  test("compares the config, and writes it only where the target says so", () =>
    onHarness({ product: "opensearch", files: { "backup/config.yml": config } }, async (on) => {
      const { code, stdout } = await on.run(line(), { [ldap]: "x" });
      expect([code, stdout]).toEqual([0, expect.stringContaining("differs, observed only")]);
      expect(stdout).not.toContain("PUT     config");
      expect(stdout.replace(/\s+/g, " ")).toContain(
        `note: access/config.yml decides who can log in. gate-sync compares it only, until families gives config a mode. For that, CI needs ${ldap}. Delete`,
      );
    }));

  test("ends with the command that has all flags about the server, as JSON too", () =>
    onHarness({ product: "opensearch", files: { "backup/config.yml": config, pw: "x\n" } }, async (on) => {
      const flags = "--product opensearch --username it's --password-file pw --insecure";
      const command = `gate-sync plan --url ${on.url} --product opensearch --username 'it'\\''s' --password-file pw --insecure access`;
      const { stdout } = await on.run(`${line()} ${flags} --format json`);
      expect(JSON.parse(stdout).not_planned).toEqual({ variables: [ldap], command });
      expect((await on.run(`${line().replace("access", "again")} ${flags}`)).stdout).toContain(
        command.replace(/access$/, "again"),
      );
    }));

  test.each([
    ["of the form", role("cluster_permission: [a]"), "unknown-field"],
    ["that only the server's product shows", role("exclude_cluster_permissions: [a]"), "unsupported-here"],
    ["at the name of an entry", `action_groups: {"{{ team }}": {type: index}}\n`, "incomplete-action-group"],
  ])("shows the errors %s", (_, roles, code) =>
    onHarness(
      { product: "opensearch", files: { "backup/roles.yml": roles, "backup/config.yml": config } },
      async (on) => {
        const run = await on.run(line());
        expect([run.code, run.stderr]).toEqual([3, expect.stringContaining(`error  ${code}`)]);
        expect(run.stderr).not.toContain(ldap);
        expect(run.stdout).not.toContain("Not planned yet");
      },
    ),
  );

  test("leaves out what rules say of a name that is put in", () =>
    onHarness(
      { product: "opensearch", files: { "backup/roles.yml": pattern("logs-{{ teamName }}-*") } },
      async (on) => {
        const alone = await on.run(line("--product opensearch"));
        expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining("plan without an error: 1 entry")]);
        expect(alone.stderr).not.toContain("matches-nothing");
        expect(alone.stdout).toContain("Set under vars of the target, or with --var, before you plan:");
        const { stdout } = await on.run(line().replace("access", "again"));
        expect(stdout).toContain("this variable has no value\n  teamName\n");
      },
    ));

  test("says which are lists", () => {
    const text = 'curl -X PUT h/_plugins/_security/api/rolesmapping/a -d "{\\"users\\": $ONCALL}"\n';
    return onHarness({ product: "opensearch", files: { "put.sh": text } }, async (on) => {
      const { stdout } = await on.run("import put.sh --out access --product opensearch");
      expect(stdout).toContain("ONCALL, a list such as [a, b] (not with --var)  role_mappings/a");
    });
  });
});
