// What is asked about by mistake, or unknown, is reported as such.
import { describe, expect, test } from "vitest";
import { asked } from "./access-harness.ts";

describe("what-can", () => {
  const blocked = {
    "access/shut.yml": `blocks: { lab: { type: net_mask, value: 192.168.66.0/24, verdict: disallow } }
roles:
  ops: { cluster_permissions: ["cluster:monitor/health", "indices:data/write/bulk"] }
  odd: { cluster_permissions: ["cluster:admin/odd/*"] }
role_mappings: { ops: { users: [opal], hosts: [10.0.7.*] }, odd: { users: [olga] } }
`,
  };
  test("that a block shuts a user out comes first, and nothing is granted then", async () => {
    const line = "what-can --user ana --host 192.168.66.4";
    const { stdout } = await asked(line, blocked);
    expect(stdout).toMatch(
      /^user ana, from 192.168.66.4\n {2}nothing is granted: shut out by block lab \(access\/shut.yml:1\)\n/,
    );
    for (const title of ["Indices", "Cluster", "Tenants"]) expect(stdout).not.toContain(`\n${title}\n`);
    const json = JSON.parse((await asked(`${line} --format json`, blocked)).stdout);
    expect(json).toMatchObject({ shut_out_by: ["lab"], indices: [], cluster: { can: [], permissions: [] } });
  });
  test("what is unknown is reported as such everywhere, once with why", async () => {
    const { stdout } = await asked("what-can --user zoe", blocked);
    expect(stdout).toContain(
      "\nCluster\n  unknown: health, indices:data/write/bulk\n  perhaps by cluster:monitor/health\n",
    );
    expect(stdout).toContain(`
Why it is unknown
  there are blocks by address: it depends on where the request comes from
    (gate-sync access can-i --host ADDRESS)
  role ops is given by host 10.0.7.*: it depends on where the request comes from
    (gate-sync access can-i --host ADDRESS)
`);
    const named = (await asked("what-can --user ana", blocked)).stdout;
    expect(named).toMatch(/\n {2}hr-\*\n {4}unknown: search, get/);
    expect(named.split("there are blocks by address")).toHaveLength(2);
    expect((await asked("what-can --user olga", blocked)).stdout).toContain(
      "  perhaps by cluster:admin/odd/*, cluster:monitor/health\n",
    );
    const json = JSON.parse((await asked("what-can --user zoe --format json", blocked)).stdout);
    expect(json.cluster).toMatchObject({ can: [], unknown: ["health", "indices:data/write/bulk"] });
    expect(json.cluster.doubts.map(({ kind }: { kind: string }) => kind)).toEqual(["blocks", "role"]);
    const tenant = await asked("can-i --user zoe read --tenant zoe", blocked);
    expect([tenant.code, tenant.stdout]).toEqual([7, expect.stringContaining("there are blocks by address")]);
  });
  test("a cluster permission without a word is shown by its own name, a pattern by itself", async () => {
    const cluster = async (user: string) => (await asked(`what-can --user ${user} --host 10.0.7.3`, blocked)).stdout;
    expect(await cluster("opal")).toMatch(/\nCluster\n {2}health, indices:data\/write\/bulk\n {2}by cluster:/);
    const only = { "access/shut.yml": blocked["access/shut.yml"].replace("hosts: [10.0.7.*]", "hosts: []") };
    const olga = await asked("what-can --user olga --host 10.0.7.3", only);
    expect(olga.stdout).toContain("\nCluster\n  whatever cluster:admin/odd/* grants\n");
  });
});

describe("who-can", () => {
  const blocked = {
    "access/shut.yml": "blocks: { lab: { type: net_mask, value: 192.168.66.0/24, verdict: disallow } }\n",
    "access/mappings.yml": "role_mappings: { hr_reader: { backend_roles: [hr] } }\n",
  };
  test("that no answer is certain is no no, and the advice is about a command that takes it", async () => {
    const { stdout } = await asked("who-can search hr-2026", blocked);
    expect(stdout).toContain("(gate-sync access can-i --host ADDRESS)");
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /^Of 5 principals evaluated, it is certain of none that they can search hr-2026, and unknown of 3\. /,
    );
    const json = JSON.parse((await asked("who-can search hr-2026 --format json", blocked)).stdout);
    expect(json.principals.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      "unknown",
      "unknown",
      "unknown",
    ]);
  });
  test("no principal can where it is unknown of none", async () => {
    expect((await asked("who-can delete-index searchguard")).stdout).toMatch(
      /^No principal can delete-index searchguard, of 8 /,
    );
  });
});

test("a chain is broken before a long path", async () => {
  const path = `access/${"long-".repeat(8)}folder/roles.yml`;
  const allowed = "[{ index_patterns: [long-*], allowed_actions: ['indices:data/read/*'] }]";
  const more = {
    [path]: `roles: { of_a_long_name_too: { index_permissions: ${allowed} } }
role_mappings: { of_a_long_name_too: { users: [lea] } }
`,
  };
  const { stdout } = await asked("who-can search long-1", more);
  expect(stdout).toContain(`
  user lea
    mapping of_a_long_name_too
      (${path}:2) >
      role of_a_long_name_too on long-*
      (${path}:1) >
      indices:data/read/*
`);
});

describe("several indices", () => {
  const order = async (indices: string) => {
    const { stdout } = await asked(`can-i --user ana --host 10.0.7.3 search ${indices}`);
    return stdout.split("\n").flatMap((line) => /^ {2}(?:yes|no) {2}(.*) \(such as /.exec(line)?.[1] ?? []);
  };
  test("what the others leave comes last", async () =>
    expect(await order("h*,mask-*")).toEqual(["hr-*", "mask-*", "all others"]));
  test("are called as they were asked for", async () =>
    expect(await order("hr-*,x,shop-*")).toEqual(["hr-*", "x, shop-*"]));
});

test("cluster permissions that are missing are several", async () => {
  const more = {
    "access/cat.yml": `roles: { cat: { index_permissions: [{ index_patterns: [cat-*], allowed_actions: ["indices:monitor/*"] }] } }
role_mappings: { cat: { users: [kit] } }
`,
  };
  const { stdout } = await asked("what-can kit", more);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "as the cluster permissions cluster:monitor/state, cluster:monitor/health are missing",
  );
});

describe("a tenant", () => {
  test.each([
    ["misspelt", "can-i --user ana --tenant hrr write", ['No tenant "hrr" is known here. Did you mean "hr"?']],
    ["misspelt, of everybody", "who-can --tenant hrr write", ['No tenant "hrr" is known here. Did you mean "hr"?']],
    [
      "that others have",
      "can-i --user bo --tenant hr write",
      ["write: not granted role dash grants it; held by user ana (access/mappings.yml:6)"],
    ],
    ["from where a block shuts out", "can-i --user quark --tenant quark read", ["shut out by block quark"]],
  ])("%s", async (_, line, reported) => {
    const more = { "access/b.yml": "blocks: { quark: { type: name, value: quark, verdict: disallow } }\n" };
    const { stdout } = await asked(line, more);
    for (const text of reported) expect(stdout.replace(/\s+/g, " ")).toContain(text);
  });
  test.each(["can-i --user zoe --tenant zoe read", "who-can --tenant ana read", "who-can --tenant hr read"])(
    "that is the user's own, or there, is not doubted: %s",
    async (line) => expect((await asked(line)).stdout).not.toContain("No tenant"),
  );
});

const groups = { "access/groups.yml": "action_groups: { nested: { allowed_actions: [hr_read] } }\n" };

test.each([
  ["a folder in place of a name", "what-can access/", "Files are named with --state here: --state access/ NAME."],
  ["a file in place of a name", "what-can mappings.yml", "where a user's name is expected"],
  ["a role", "what-can hr_reader", '"hr_reader" is a role', "mapped to user ana, backend role hr.", "--user ana."],
  ["a mapping without a role", "what-can gone", "there is no such role", "host 10.0.0.9", "--host 10.0.0.9"],
  ["a role without a mapping", "what-can kibana_all_write", 'No mapping names "kibana_all_write"'],
  [
    "a pattern for an action",
    "can-i --user a indices:admin/map* hr-1",
    "is a pattern",
    "such as indices:admin/mapping",
  ],
  ["a regular expression for an action", "can-i --user a /indices:.*/ hr-1", "is a pattern, and no action"],
  ["several actions", "can-i --user a indices:data/read/get,search hr-1", "such as indices:data/read/get."],
  ["a group for an action", "who-can nested hr-1", '"nested" is an action group', "such as indices:data/read/explain."],
])("refuses %s", async (_, line, ...reported) => {
  const run = await asked(line, groups);
  expect([run.code, run.stdout]).toEqual([64, ""]);
  const flat = run.stderr.replace(/\s+/g, " ");
  for (const text of reported) expect(flat).toContain(text);
});

test.each([
  ["no one", ["what-can", ""], "what-can is empty."],
  ["an action with spaces", ["can-i", "--user", "a", "indices:data/read/get ", "hr-1"], "none has spaces"],
])("refuses %s", async (_, words, reported) => {
  const run = await asked(words);
  expect([run.code, run.stdout]).toEqual([64, ""]);
  expect(run.stderr.replace(/\s+/g, " ")).toContain(reported);
});

test("an index that is called as files end is no file", async () => {
  const { code, stdout } = await asked("can-i --persona ana search json");
  expect(code).toBe(2);
  expect(stdout).not.toContain("is taken for the name of an index");
});

describe("${user.roles} in a restriction, whose order changes on the way to another node", () => {
  const lists = {
    "access/lists.yml": `roles:
  writer:
    cluster_permissions: ["indices:data/write/bulk", "cluster:monitor/health"]
    index_permissions: [{ index_patterns: [logs], allowed_actions: ["indices:data/*"] }]
  teams: { index_permissions: [{ index_patterns: [hr], allowed_actions: [], dls: '{"terms":{"team":[${"${user.roles}"}]}}' }] }
role_mappings: { writer: { users: [bea] }, teams: { users: [bea] } }
`,
  };
  const bea = "--user bea --backend-role dev --backend-role ops --host 10.0.7.3";
  const words = (text: string) => text.replace(/\s+/g, " ");
  test("an update is a no that says what to do", async () => {
    const { stdout } = await asked(`can-i ${bea} update logs`, lists);
    expect(stdout).toMatch(/^no {2}user bea/);
    expect(words(stdout)).toContain(
      "The server answers 500: DLS, FLS or masking of this user has ${user.roles} in a pattern or query, and the node with the shard lists these roles in another order. Use an attribute instead of ${user.roles}.",
    );
  });
  test("what another node may do a part of is unknown, with the reason", async () => {
    const { stdout } = await asked(`can-i ${bea} index logs`, lists);
    expect(stdout).toMatch(/^unknown {2}user bea/);
    expect(words(stdout)).toContain(
      "may fail: DLS, FLS or masking has ${user.roles} in a pattern or query: if another",
    );
    const json = JSON.parse((await asked(`can-i ${bea} index logs --format json`, lists)).stdout);
    expect(json.shares).toMatchObject([{ verdict: "unknown", fails_by_role_order: "unknown" }]);
  });
  test("what-can lists both, and the reason once", async () => {
    const { stdout } = await asked(`what-can ${bea}`, lists);
    expect(stdout).toContain("! update: granted, but the server answers 500, as it reorders");
    expect(stdout).toMatch(/\n {4}unknown: index, delete\n/);
    expect(stdout).toMatch(/\nCluster\n.*\n.*\n {2}unknown: health\n/);
    expect(words(stdout).split("lists these roles in another order, the server answers 500.")).toHaveLength(2);
  });
});

describe("an action that every request takes with others", () => {
  const writes = (bulk: string) => ({
    "access/w.yml": `roles:
  w:
    cluster_permissions: [${bulk}]
    index_permissions: [{ index_patterns: [w-*], allowed_actions: ["indices:data/write/update", "indices:data/write/bulk[s]", "indices:data/write/index", "indices:data/read/search"] }]
role_mappings: { w: { users: [wim] } }
`,
  });
  test.each([
    ["update", "", true],
    ["update", "indices:data/write/bulk", false],
    ["index", "", true],
    ["search", "", false],
  ])("%s with cluster permissions %j: noted %s", async (action, bulk, isNoted) => {
    const path = action === "search" ? `indices:data/read/${action}` : `indices:data/write/${action}`;
    const { code, stdout } = await asked(`can-i --user wim ${path} w-1`, writes(bulk));
    expect(code).toBe(0);
    expect(stdout.includes(`No request takes ${path} alone`)).toBe(isNoted);
  });
});
