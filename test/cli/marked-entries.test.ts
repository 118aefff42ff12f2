// `families.NAME.reserved: write`: entries of one's own that are marked reserved are made and changed, by the admin certificate.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const types = ["action_groups", "tenants", "roles", "role_mappings", "internal_users"] as const;
const hash = "$2y$04$kqHWb4vnGEK0QGvNJfjb5.Yj3KHEvbH5kwFO1NkrM7wU1T.qIZ1zO";

const files = (description: string, login = "headers: { x-admin: CN=admin }", mark = "reserved: true") => ({
  "gate-sync.yaml": [
    "targets:",
    "  t:",
    `    ${login}`,
    "    state: [access]",
    `    families: { ${types.map((type) => `${type}: { mode: adopt, reserved: write }`).join(", ")} }`,
  ].join("\n"),
  "access/state.yml": [
    `action_groups: { RELAY: { ${mark}, type: index, allowed_actions: [read], description: ${description} } }`,
    `tenants: { relay: { ${mark}, description: ${description} } }`,
    `roles: { relay_writer: { ${mark}, description: ${description}, index_permissions: [{ index_patterns: [relay-*], allowed_actions: [RELAY] }] } }`,
    `role_mappings: { relay_writer: { ${mark}, users: [relay], description: ${description} } }`,
    `internal_users: { relay: { hash: "${hash}", ${mark}, description: ${description} } }`,
  ].join("\n"),
});

const server = { product: "opensearch", release: "2.19", adminHeader: "x-admin" } as const;

describe("entries of one's own that are marked reserved", () => {
  it("are made with their mark, and found in sync; changed; and restored by rollback", () =>
    onHarness({ ...server, files: files("first") }, async ({ run, folder, emulator }) => {
      const held = () => {
        const state = emulator.state();
        return types.map((type) => {
          const { reserved, description } = state[type].get(
            { action_groups: "RELAY", tenants: "relay", internal_users: "relay" }[type as "tenants"] ?? "relay_writer",
          ) as { reserved: boolean; description: string };
          return [reserved, description];
        });
      };
      expect((await run("validate")).stdout).toContain("No problems");
      const made = await run("apply --url URL --yes");
      expect([made.code, made.stdout]).toEqual([0, expect.stringContaining("Read back: in sync.")]);
      expect(held()).toEqual(types.map(() => [true, "first"]));
      expect((await run("plan --url URL")).stdout).toContain("Nothing to do.");
      writeFileSync(join(folder, "access/state.yml"), files("second")["access/state.yml"]);
      const changed = await run("apply --url URL --yes");
      expect([changed.code, changed.stdout]).toEqual([0, expect.stringContaining("Read back: in sync.")]);
      expect(held()).toEqual(types.map(() => [true, "second"]));
      const back = await run("rollback --url URL --yes");
      expect([back.code, back.stdout]).toEqual([0, expect.stringContaining("5 to change")]);
      expect(back.stdout).not.toContain("by others");
      expect(held()).toEqual(types.map(() => [true, "first"]));
      const [, first] = /rollback (\S+)/.exec(made.stdout) ?? [];
      const unmade = (await run(`rollback ${first} --url URL --yes`)).stdout.replace(/\s+/g, " ");
      expect(unmade).toContain("roles/relay_writer cannot be restored: it is marked reserved, and nothing reserved is");
      expect(unmade).not.toContain("by others");
    }));

  it("get their mark where the server has them without, and can be in a reviewed plan", () =>
    onHarness({ ...server, files: files("first") }, async ({ run, folder, emulator }) => {
      writeFileSync(join(folder, "access/state.yml"), files("first", "", "reserved: false")["access/state.yml"]);
      expect((await run("apply --url URL --yes")).code).toBe(0);
      writeFileSync(join(folder, "access/state.yml"), files("first")["access/state.yml"]);
      const planned = await run("plan --url URL --out plan.json");
      expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("+ true")]);
      expect((await run("apply plan.json --url URL")).code).toBe(0);
      expect(emulator.state().roles.get("relay_writer")).toMatchObject({ reserved: true });
      const again = await run("apply --url URL --yes");
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Nothing to do.")]);
    }));

  it("are refused with another login before anything is sent; drift only compares", () => {
    const users = [{ name: "ci", password: "s3cret-canary", rights: "all" }] as const;
    const env = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "s3cret-canary" };
    const play = (more: string, work: Parameters<typeof onHarness>[1]) =>
      onHarness({ ...server, users, files: files("first", more) }, work);
    return play("", async ({ run, writes }) => {
      for (const line of ["plan --url URL", "apply --url URL --yes"]) {
        const { code, stderr } = await run(line, env);
        expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
          64,
          expect.stringContaining("is marked reserved, and this run does not log in with the admin certificate."),
        ]);
      }
      expect((await run("drift --url URL", env)).code).toBe(2);
      expect(writes()).toEqual([]);
    }).then(() =>
      play("admin_certificate: true", async ({ run }) => {
        expect((await run("plan --url URL", env)).code).toBe(0);
        expect((await run("apply --url URL --yes", env)).code).toBe(64);
      }),
    );
  });

  it.each([
    ["built in", "roles: { kibana_read_only: { reserved: true, cluster_permissions: ['*'] } }", "2.19"],
    ["static", "roles: { all_access: { reserved: true, cluster_permissions: [cluster_monitor] } }", "2.19"],
    ["a demo user", `internal_users: { kibanaserver: { reserved: true, hash: "${hash}" } }`, "2.19"],
    ["hidden", "roles: { relay: { reserved: true, hidden: true } }", "2.19"],
    ["static by its file", "roles: { relay: { reserved: true, static: true } }", "2.19"],
  ])("are none where %s", (_, state) =>
    onHarness({ ...server, files: { ...files("first"), "access/state.yml": state } }, async ({ run, writes }) => {
      expect((await run("apply --url URL --yes")).code).toBe(0);
      expect(writes()).toEqual([]);
    }),
  );

  it("stay the server's where the product takes no marks", () =>
    onHarness(
      { product: "search-guard", release: "7.x-50", adminHeader: "x-admin", files: files("first") },
      async ({ run, writes }) => {
        expect((await run("apply --url URL --yes")).stderr).toContain("will never be created");
        expect(writes()).toEqual([]);
      },
    ));
});
