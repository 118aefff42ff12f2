// What answers say where the newest releases of OpenSearch have settings that no request shows.
import { expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const files = {
  "access.yml": `roles:
  hr:
    cluster_permissions: [cluster_composite_ops]
    index_permissions:
      - { index_patterns: [hr-*], allowed_actions: [read, write], dls: '{"term": {"dept": "hr"}}' }
      - { index_patterns: [log-*], allowed_actions: [read, write] }
role_mappings: { hr: { users: [ana] } }
`,
};

const blocked = "plugins.security.dls.write_blocked";

test.each([
  ["3.4", " ", "shows every document"],
  ["2.19", " ", "every search on these indices fails"],
  ["3.8", "k:a", "shows every document"],
  ["3.8", "k:${user.name}", "every search on these indices fails"],
  ["3.8", '{"term":{"k":"${user.attributes.dept}"}}', "the server answers 500"],
  ["2.19", '{"term":{"k":"${user.attributes.dept}"}}', "It is taken literally"],
  ["3.8", '{"term":{"k":"$$${user.name}"}}', "the server answers 500"],
])("what validate says on OpenSearch %s of the query %s", (release, dls, reported) =>
  onHarness({ files: { ...withQuery(dls), "gate-sync.yaml": config(release) } }, async ({ run }) => {
    const { stdout, stderr } = await run("validate");
    expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(reported);
  }),
);

test("can-i names the attribute without which OpenSearch 3 fails", () =>
  onHarness(
    { files: { ...withQuery('{"term":{"k":"${attr.ldap.dept}"}}'), "gate-sync.yaml": config("3.8") } },
    async ({ run }) => {
      const asked = await run("access can-i --user ana search hr-1");
      const text = asked.stdout.replace(/\s+/g, " ");
      expect([asked.code, text.includes("--attribute ldap.dept=…")]).toEqual([7, true]);
      expect(text).not.toContain("looks up terms");
      expect((await run("access can-i --user ana --attribute ldap.dept=x search hr-1")).code).toBe(0);
    },
  ));

test.each([
  ["3.4", "index hr-1", false],
  ["3.5", "index hr-1", true],
  ["3", "delete hr-1", true],
  ["3.5", "search hr-1", false],
  ["3.5", "index log-1", false],
] as const)("writes of restricted users, OpenSearch %s, %s: noted %s", (release, asked, noted) =>
  onHarness({ files: { ...files, "gate-sync.yaml": config(release) } }, async ({ run }) => {
    const mayI = await run(`access can-i --user ana ${asked}`);
    expect([mayI.code, mayI.stdout.includes(blocked)]).toEqual([0, noted]);
    const who = await run(`access who-can ${asked}`);
    expect([who.stdout.includes("user ana"), who.stdout.includes(blocked)]).toEqual([true, noted]);
  }),
);

function config(release: string): string {
  return `targets: { t: { state: [access.yml], product: opensearch, release: "${release}" } }\n`;
}

const hash = "$2y$12$NmKhjNssNgSIj8iXT7SYxeXvMA1E95a9tCt4cySY9FrQ4fB18xEc2";
const administers = "plugins.security.restapi.admin.enabled";

/** As the nodes' own files give it: the API refuses to. */
const state = {
  roles: { ops: { cluster_permissions: ["restapi:admin/roles"] }, all: { cluster_permissions: ["*"] } },
  role_mappings: { ops: { backend_roles: ["o"] }, all: { users: ["ci"] } },
};

test.each([
  ["3.8", ["ops"], false],
  ["3.9", ["ops"], true],
  ["3.9", ["all"], false],
] as const)("doctor of a login with a permission for the API, OpenSearch %s, %j: noted %s", (release, roles, noted) =>
  onHarness(
    { product: "opensearch", release, state, users: [{ name: "ci", password: "Tuesday-9", rights: "all", roles }] },
    async ({ run }) => {
      const { stdout } = await run("doctor --url URL", { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "Tuesday-9" });
      expect(stdout.replace(/\s+/g, " ").includes(administers)).toBe(noted);
    },
  ),
);

test.each([
  ["3.8", false],
  ["3.9", true],
] as const)("escalation by such a permission, OpenSearch %s: noted %s", (release, noted) =>
  onHarness(
    {
      product: "opensearch",
      release,
      state: { ...state, internal_users: { eve: { hash, backend_roles: [] } } },
      files: {
        "gate-sync.yaml": "targets: { t: { state: [a.yml], families: { internal_users: { mode: adopt } } } }\n",
        "a.yml": "internal_users: { eve: { backend_roles: [o] } }\n",
      },
    },
    async ({ run }) => {
      const { code, stdout } = await run("plan --url URL");
      const words = stdout.replace(/\s+/g, " ");
      expect([code, words]).toEqual([4, expect.stringContaining("would come to administer access control")]);
      expect(words.includes(administers)).toBe(noted);
    },
  ),
);

test.each([
  ["3.6", "role", 0],
  ["3.7", "role", 2],
  ["3.8", "role", 2],
  ["3.8", "group", 2],
] as const)("a name that the server loses gives nothing, OpenSearch %s, of a %s", (release, of, expected) => {
  const [role, group] = of === "role" ? ["CType", "readers"] : ["hr", "CType"];
  const access = {
    roles: { [role]: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: [group] }] } },
    role_mappings: { [role]: { users: ["ana"] } },
    action_groups: { [group]: { allowed_actions: ["indices:data/read/*"], type: "index" } },
  };
  const all = { "gate-sync.yaml": config(release), "access.yml": JSON.stringify(access) };
  return onHarness({ files: all }, async ({ run }) => {
    expect((await run("access can-i --user ana search hr-1")).code).toBe(expected);
    const { stdout } = await run("access who-can search hr-1");
    expect(stdout.includes("user ana")).toBe(expected === 0);
  });
});

function withQuery(dls: string): Readonly<Record<string, string>> {
  return {
    "access.yml": `roles:
  hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [read], dls: '${dls}' }] }
role_mappings: { hr: { users: [ana] } }
`,
  };
}
