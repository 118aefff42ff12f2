// What the files of a team may be about: what lies within its share, and nothing that may lie outside of it.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { onHarness } from "./harness.ts";

const files = {
  "gate-sync.yaml": `owners:
  access/pay:
    team: payments
    names: ["pay_*"]
    index_patterns: ["pay-*", "ledger"]
    cluster_permissions: [cluster_composite_ops_ro, "cluster:monitor/*"]
    action_groups: [company_read]
  access/hr: { team: hr, names: ["hr_*"], index_patterns: ["hr-*"] }
targets:
  dev: { product: opensearch, release: "2.19.1", state: [access] }
`,
  "access/base.yml": `action_groups:
  company_read: { allowed_actions: [read] }
  other_read: { allowed_actions: [read] }
roles:
  admin: { cluster_permissions: ["*"] }
  pay_base: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [read] }] }
role_mappings:
  admin: { users: [root] }
tenants: {}
`,
  "access/pay/roles.yml": `action_groups:
  pay_ops: { allowed_actions: ["cluster:monitor/health", "cluster:monitor/main"] }
roles:
  pay_reader:
    cluster_permissions: [cluster_composite_ops_ro, "cluster:monitor/main", pay_ops, "indices:data/read/mget"]
    index_permissions:
      - { index_patterns: ["pay-*", "pay-2024-*", ledger], allowed_actions: [read, company_read, "indices:data/write/*"] }
    tenant_permissions:
      - { tenant_patterns: [pay_tenant], allowed_actions: [kibana_all_read] }
role_mappings:
  pay_reader: { backend_roles: ["*"] }
tenants:
  pay_tenant: {}
`,
  "access/hr/roles.yml":
    "roles:\n  hr_reader: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [read] }] }\n",
};

const compact = (text: string) => text.replace(/\s+/g, " ");

describe.concurrent("owners", () => {
  test("let a team be about what is in its share", ({ expect }) =>
    onHarness({ files }, async ({ run }) => {
      const { code, stdout, stderr } = await run("validate");
      expect(stdout + stderr).not.toContain("outside-share");
      expect(code).toBe(0);
    }));

  test("let no team begin to manage a family: entries of all others would be deleted", ({ expect }) => {
    const base = files["access/base.yml"].replace("tenants: {}\n", "");
    const adopting = files["gate-sync.yaml"].replace(
      "state: [access] }",
      "state: [access], families: { tenants: { mode: adopt } } }",
    );
    return onHarness({ files: { ...files, "access/base.yml": base, "adopting.yaml": adopting } }, async ({ run }) => {
      const { code, stdout } = await run("validate");
      expect([code, compact(stdout)]).toEqual([
        3,
        expect.stringContaining("Only files of teams declare tenants, this one of"),
      ]);
      expect((await run("validate --config adopting.yaml")).code).toBe(0);
    });
  });

  test("leave internal users to files without an owner: these decide which access tests pass", ({ expect }) => {
    const users = "_meta: { type: internalusers, config_version: 2 }\nbob: { hash: x, backend_roles: [hr] }\n";
    return onHarness({ files: { ...files, "access/pay/internal_users.yml": users } }, async ({ run }) => {
      const { code, stdout } = await run("validate");
      expect([code, compact(stdout)]).toEqual([
        3,
        expect.stringContaining("This lists internal users, and this file is of"),
      ]);
    });
  });

  test.for<[what: string, text: string, place: string, message: RegExp, beside?: Readonly<Record<string, string>>]>([
    ["a role of another name", "roles: { hr_x: {} }", "1:10", /declares the role "hr_x"/],
    [
      "a mapping to a role of others",
      "role_mappings: { hr_reader: { users: [eve] } }",
      "1:18",
      /the role mapping "hr_reader"/,
    ],
    ["a built-in role", "role_mappings: { all_access: { users: [eve] } }", "1:18", /"all_access"/],
    ["a tenant of others", "tenants: { hr_t: {} }", "1:12", /the tenant "hr_t"/],
    ["a group of others", "action_groups: { read: { allowed_actions: [x] } }", "1:18", /the action group "read"/],
    [
      "all indices",
      'roles: { pay_x: { index_permissions: [{ index_patterns: ["*"], allowed_actions: [read] }] } }',
      "1:58",
      /is about \*, /,
    ],
    [
      "a wider pattern",
      'roles: { pay_x: { index_permissions: [{ index_patterns: ["pay*"], allowed_actions: [read] }] } }',
      "1:58",
      /is about pay\*, /,
    ],
    [
      "a pattern that is unknown",
      'roles: { pay_x: { index_permissions: [{ index_patterns: ["${user.name}-*"], allowed_actions: [read] }] } }',
      "1:58",
      /outside of the share of team payments/,
    ],
    [
      "an exclusion of others",
      "roles: { pay_x: { exclude_index_permissions: [{ index_patterns: [hr-*], actions: [read] }] } }",
      "1:66",
      /about hr-\*/,
    ],
    ["everything on the cluster", 'roles: { pay_x: { cluster_permissions: ["*"] } }', "1:41", /has \* on the cluster/],
    [
      "an action on the cluster",
      'roles: { pay_x: { cluster_permissions: ["cluster:admin/x"] } }',
      "1:41",
      /has cluster:admin\/x on the cluster/,
    ],
    [
      "a pattern of actions on the cluster",
      'roles: { pay_x: { cluster_permissions: ["cluster:*"] } }',
      "1:41",
      /has cluster:\* on the cluster/,
    ],
    [
      "a built-in group on the cluster",
      "roles: { pay_x: { cluster_permissions: [cluster_all] } }",
      "1:41",
      /has cluster_all on the cluster.*or add cluster_all to cluster_permissions/,
    ],
    [
      "a group that may be on some server",
      "roles: { pay_x: { cluster_permissions: [cluster_monitoring] } }",
      "1:41",
      /has cluster_monitoring on/,
    ],
    [
      "a group of its own with everything",
      'action_groups: { pay_all: { allowed_actions: ["*"] } }\nroles: { pay_x: { cluster_permissions: [pay_all] } }',
      "2:41",
      /has pay_all on the cluster.*or add \* to cluster_permissions/,
    ],
    [
      "a group of its own by another one",
      'action_groups: { pay_a: { allowed_actions: [pay_b] }, pay_b: { allowed_actions: ["*"] } }\nroles: { pay_x: { cluster_permissions: [pay_a] } }',
      "2:41",
      /has pay_a on the cluster.*or add \* to cluster_permissions/,
    ],
    [
      "a group of others in a role",
      "roles: { pay_x: { index_permissions: [{ index_patterns: [ledger], allowed_actions: [other_read] }] } }",
      "1:85",
      /includes the action group other_read/,
    ],
    [
      "a group of others in a group",
      "action_groups: { pay_x: { allowed_actions: [other_read] } }",
      "1:45",
      /includes the action group other_read/,
    ],
    [
      "tenants of others",
      "roles: { pay_x: { tenant_permissions: [{ tenant_patterns: ['*'], allowed_actions: [kibana_all_read] }] } }",
      "1:60",
      /about the tenants \*/,
    ],
    [
      "an override of what another team declares",
      "overrides: { roles: { hr_reader: { description: x } } }",
      "1:23",
      /overrides the role "hr_reader"/,
    ],
    [
      "an override of what others declare",
      "overrides: { roles: { admin: { remove: true } } }",
      "1:23",
      /overrides the role "admin"/,
    ],
    [
      "a pattern in an override, as others have it",
      "overrides: { roles: { pay_base: { +index_permissions: [{ index_patterns: [hr-*], allowed_actions: [write] }] } } }",
      "1:75",
      /about hr-\*/,
    ],
    ["the config, overridden", "overrides: { config: { dynamic: { http: {} } } }", "1:14", /This overrides the config/],
    ["the config", "config: { dynamic: { http: {} } }", "1:1", /The config is declared here/],
    ["a family without entries", "roles: { pay_x: {} }\ntenants: {}", "2:1", /there are no tenants at all/],
    [
      "a waiver of what is of others",
      "waivers: [{ rule: wildcard, addresses: [roles/admin], reason: x }]",
      "1:41",
      /waives a guard for roles\/admin/,
    ],
    [
      "an access test of indices of others",
      "access_tests: [{ as: { user: a }, action: search, index: hr-1, expect: denied }]",
      "1:18",
      /test is about hr-1/,
    ],
    [
      "an access test of the cluster",
      "access_tests: [{ as: { user: a }, action: 'cluster:monitor/main', expect: denied }]",
      "1:18",
      /test is about the cluster/,
    ],
    [
      "an override of what another team declares, where the names of both match",
      "overrides: { roles: { hr_reader: { description: x } } }",
      "1:23",
      /overrides an entry of team hr/,
      { "gate-sync.yaml": files["gate-sync.yaml"].replace('["pay_*"]', '["*"]') },
    ],
    [
      "a group of its own that its share lists",
      'action_groups: { pay_all: { allowed_actions: ["*"] } }\nroles: { pay_x: { cluster_permissions: [pay_all] } }',
      "2:41",
      /has pay_all on the cluster.*or add \* to cluster_permissions/,
      {
        "gate-sync.yaml": files["gate-sync.yaml"].replace(
          "[cluster_composite_ops_ro,",
          "[pay_all, cluster_composite_ops_ro,",
        ),
      },
    ],
    [
      "a group of its own that one of others holds",
      'action_groups: { pay_all: { allowed_actions: ["*"] } }\nroles: { pay_x: { cluster_permissions: [company_ops] } }',
      "2:41",
      /has company_ops on the cluster/,
      {
        "gate-sync.yaml": files["gate-sync.yaml"].replace("[cluster_composite_ops_ro,", "[company_ops,"),
        "access/ops.yml": "action_groups: { company_ops: { allowed_actions: [pay_all] } }\n",
        "access/pay/roles.yml": "{}\n",
      },
    ],
    [
      "a field that is unknown",
      "roles: { pay_x: { new_permissions: [a] } }",
      "1:19",
      /The field new_permissions is unknown/,
      {
        "gate-sync.yaml": files["gate-sync.yaml"].replace("[access] }", "[access], accept_fields: [new_permissions] }"),
      },
    ],
    [
      "a group of its own that is named like a pattern",
      'action_groups: { "cluster:*": { allowed_actions: ["cluster:monitor/main"] } }\nroles: { pay_x: { cluster_permissions: ["cluster:*"] } }',
      "2:41",
      /has cluster:\* on the cluster/,
      { "gate-sync.yaml": files["gate-sync.yaml"].replace('["pay_*"]', '["pay_*", "cluster:*"]') },
    ],
    [
      "an empty group of its own that is named like a pattern",
      'action_groups: { "cluster:*": { allowed_actions: [] } }\nroles: { pay_x: { cluster_permissions: ["cluster:*"] } }',
      "2:41",
      /has cluster:\* on the cluster/,
      { "gate-sync.yaml": files["gate-sync.yaml"].replace('["pay_*"]', '["pay_*", "cluster:*"]') },
    ],
    [
      "what is generated",
      'generate: { for_each: [{ n: pay_1, i: pay-1 }, { n: hr_1, i: hr-1 }], as: t, roles: { "${each:t.n}": { index_permissions: [{ index_patterns: ["${each:t.i}"], allowed_actions: [read] }] } } }',
      "1:87",
      /declares the role "hr_1".*more\.yml:1:48: generated for this item/,
    ],
  ])("refuse %s", ([, text, place, message, beside = {}], { expect }) =>
    onHarness({ files: { ...files, ...beside, "access/pay/more.yml": `${text}\n` } }, async ({ run }) => {
      const { code, stdout, stderr } = await run("validate");
      const shown = compact(stdout + stderr);
      expect(shown).toContain(`access/pay/more.yml:${place} error outside-share`);
      expect(shown).toMatch(message);
      expect(shown).toMatch(/gate-sync\.yaml:2:3: the share of team payments/);
      expect(code).toBe(3);
    }),
  );

  test("are about items and variables of a team, too", ({ expect }) =>
    onHarness(
      {
        files: {
          ...files,
          "access/gen.yml": `generate: { for_each: pay/items.csv, as: t, tenants: { "\${each:t.n}": {} } }\n`,
          "access/pay/items.csv": "n\npay_a\nhr_a\n",
        },
      },
      async ({ run, folder }) => {
        const { stdout, stderr } = await run("validate");
        expect(compact(stdout + stderr)).toMatch(/access\/gen\.yml:1:\d+ error outside-share .*"hr_a".*items\.csv:3:1/);
        const own = `${files["gate-sync.yaml"]}    vars_files: [access/pay/vars.yaml]\n`;
        writeFileSync(join(folder, "access/pay/vars.yaml"), "a: 1\n");
        writeFileSync(
          join(folder, "gate-sync.yaml"),
          own
            .replace("state: [access] }\n    vars_files", "state: [access/base.yml], vars_files")
            .replace("vars.yaml]\n", "vars.yaml] }\n"),
        );
        const other = await run("validate");
        expect(compact(other.stdout + other.stderr)).toMatch(/access\/pay\/vars\.yaml:1:\d+ error outside-share/);
      },
    ));

  test("are found through links, and must exist", ({ expect }) =>
    onHarness({ files }, async ({ run, folder }) => {
      writeFileSync(join(folder, "access/pay/x.yml"), "tenants: { hr_x: {} }\n");
      mkdirSync(join(folder, "aaa"), { recursive: true });
      symlinkSync("../access/pay", join(folder, "aaa/link"));
      const linked = await run("validate aaa access");
      expect(compact(linked.stdout + linked.stderr)).toMatch(/aaa\/link\/x\.yml:1:12 error outside-share/);
      expect(linked.code).toBe(3);
      writeFileSync(join(folder, "gate-sync.yaml"), files["gate-sync.yaml"].replace("access/hr:", "access/hrr:"));
      const missing = await run("validate");
      expect(compact(missing.stdout + missing.stderr)).toMatch(/gate-sync\.yaml:8:3 error unknown-owned-folder/);
    }));

  test("of a folder in a folder count for what is in it", ({ expect }) =>
    onHarness(
      {
        files: {
          ...files,
          "gate-sync.yaml": files["gate-sync.yaml"].replace(
            "targets:",
            '  access/pay/in/: { team: inner, names: ["in_*"] }\ntargets:',
          ),
          "access/pay/in/x.yml": "tenants: { in_x: {}, pay_x: {} }\n",
        },
      },
      async ({ run }) => {
        const { stdout, stderr } = await run("validate");
        const shown = compact(stdout + stderr);
        expect(shown).toMatch(/access\/pay\/in\/x\.yml:1:22 error outside-share .*"pay_x".* of team inner/);
        expect(shown).not.toContain("x.yml:1:12");
      },
    ));

  test("are kept to by plans, before anything is sent", ({ expect }) =>
    onHarness(
      { product: "opensearch", release: "2.19", files: { ...files, "access/pay/more.yml": "tenants: { hr_x: {} }\n" } },
      async ({ run, writes }) => {
        for (const line of ["plan --url URL", "apply --yes --url URL"]) {
          const { code, stdout, stderr } = await run(line);
          expect(compact(stdout + stderr)).toContain("access/pay/more.yml:1:12 error outside-share");
          expect(code).toBe(3);
        }
        expect(writes()).toEqual([]);
      },
    ));
});
