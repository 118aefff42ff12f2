// Targets that manage a part of what grants access: what the files alone answer where the server may have more.
import { expect, it } from "vitest";
import { gateSyncWithin, inFolder } from "../support/command.ts";

const ledger = `roles:
  ledger: { index_permissions: [{ index_patterns: [ledger-*], allowed_actions: [read] }] }
role_mappings:
  ledger: { backend_roles: [ledger] }
`;
const tests = `access_tests:
  - { name: others are kept out, as: { backend_roles: [readall] }, action: search, index: ledger-1, expect: denied }
  - { name: only the ledger, only: { backend_roles: [ledger], roles: [all_access, readall] }, action: search, index: ledger-1 }
  - { name: the ledger reads, as: { backend_roles: [ledger] }, action: search, index: ledger-1, expect: allowed }
  - { name: nobody writes the security index, as: { backend_roles: [ledger] }, action: index, index: .opendistro_security, expect: denied }
`;
const adopted = "{ roles: { mode: adopt }, role_mappings: { mode: adopt } }";

function ask(line: string, families: string, more = "") {
  const config = `targets: { prod: { state: [access], product: opensearch, release: "2.19", families: ${families} } }\n`;
  return inFolder({ "gate-sync.yaml": config, "access/a.yml": `${ledger}${more}` }, (cwd) =>
    gateSyncWithin(line.split(" "), { cwd, env: { NO_COLOR: "1" } }),
  );
}

it("answers unknown, with the reason, where a mapping of the server could grant it", async () => {
  const { code, stdout } = await ask("access can-i --backend-role readall search ledger-1", adopted);
  expect(stdout).toContain("unknown  backend role readall: search ledger-1");
  expect(stdout).toContain("role mappings that only the server has may give it roles (mode: adopt)");
  expect(code).toBe(7);
});

it("answers yes where the files grant it, and notes what the server may restrict", async () => {
  const { code, stdout } = await ask("access can-i --backend-role ledger search ledger-1", adopted);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "Only a part of roles (mode: adopt) and role mappings (mode: adopt) is declared: what the server has besides may restrict what is seen.",
  );
  expect(code).toBe(0);
});

it.each([
  ["include", "{ role_mappings: { include: [team-*, ledger] } }", 7],
  ["exclude", "{ role_mappings: { exclude: [other-*] } }", 7],
  ["observe", "{ role_mappings: { mode: observe } }", 7],
  // Without a mapping the files know all that give it a role, and none of these is open.
  ["roles alone, none of which it has", "{ roles: { mode: adopt } }", 2],
  ["groups alone, none of which its roles name", "{ action_groups: { mode: adopt } }", 2],
  ["nothing", "{}", 2],
])("counts %s", async (_, families, expected) => {
  const { code } = await ask("access can-i --backend-role readers search ledger-1", families);
  expect(code).toBe(expected);
});

it.each([
  ["a role", "{ roles: { exclude: [of-others] } }", "role of-others of the server may grant more"],
  ["an action group", "{ action_groups: { mode: adopt } }", "action group of_others of the server may hold more"],
])("names %s that the server may have", async (_, families, reason) => {
  const more = "  of-others: { backend_roles: [hr] }\n  own: { backend_roles: [hr] }\n";
  const roles = "roles:\n  own: { index_permissions: [{ index_patterns: [x], allowed_actions: [of_others] }] }\n";
  const config = `targets: { prod: { state: [access], product: opensearch, release: "2.19", families: ${families} } }\n`;
  const files = {
    "gate-sync.yaml": config,
    "access/a.yml": `role_mappings:\n${more}`,
    "access/b.yml": roles,
  };
  const { code, stdout } = await inFolder(files, (cwd) =>
    gateSyncWithin("access can-i --backend-role hr search ledger-1".split(" "), { cwd, env: { NO_COLOR: "1" } }),
  );
  expect(stdout).toContain(reason);
  expect(code).toBe(7);
});

it("counts who can as the least number", async () => {
  const { stdout } = await ask("access who-can search ledger-1", adopted);
  expect(stdout).toContain("At least 1 can search ledger-1, of 2 principals evaluated.");
  const none = await ask("access who-can search other", adopted);
  expect(none.stdout.replace(/\s+/g, " ")).toContain("it is certain of none that they can search other.");
  const json = await ask("access who-can search ledger-1 --format json", "{}");
  expect(JSON.parse(json.stdout)).toMatchObject({ may_be_more: false });
});

it.each(["what-can ledger", "map"])("notes it with %s", async (line) => {
  const { stdout } = await ask(`access ${line}`, adopted);
  expect(stdout.replace(/\s+/g, " ")).toContain("is declared: what the server has besides is not counted");
});

it("leaves tests about who may not to plan, and ends with 0", async () => {
  const { code, stdout } = await ask("test", adopted, tests);
  expect(stdout).toContain(`unknown  others are kept out  (access/a.yml:6)
  only a part is declared; plan decides`);
  expect(stdout).toContain("unknown  only the ledger");
  expect(stdout).toContain("4 access tests: 2 pass, 2 unknown (only a part is declared; plan decides).");
  expect(code).toBe(0);
  const json = JSON.parse((await ask("test --format json", adopted, tests)).stdout);
  expect(json).toMatchObject({ passed: 2, failed: 0, left_to_plan: 2 });
  expect(json.tests[0]).toMatchObject({ outcome: "unknown", passes: true, left_to_plan: true });
  const { stdout: junit } = await ask("test --format junit", adopted, tests);
  expect(junit).toContain('tests="4" failures="0" errors="0" skipped="2"');
  const { stdout: html } = await ask("test --format html", adopted, tests);
  expect(html).toContain("No access test fails");
});

it("fails a test that what is declared breaks, whatever is not", async () => {
  const broken = tests.replace("[readall] }, action", "[ledger] }, action");
  expect((await ask("test", adopted, broken)).code).toBe(4);
  expect((await ask("validate", adopted, broken)).code).toBe(4);
});

it("validate passes, and says how many tests plan decides", async () => {
  const { code, stdout } = await ask("validate --fail-on warning", adopted, tests);
  expect(stdout.replace(/\s+/g, " ")).toContain("2 access tests are unknown: only a part is declared; plan decides.");
  expect(code).toBe(0);
});

const desks = `  desk: { tenant_permissions: [{ tenant_patterns: [desk-*], allowed_actions: [kibana_all_read] }] }
tenants: { desk-own: {} }
access_tests:
  - { name: no desk, as: { user: ann, backend_roles: [desk] }, action: read, tenant: desk-1, expect: denied }
  - { name: no writer, as: { user: ann, backend_roles: [desk] }, action: write, tenant: desk-1, expect: denied }
  - { name: the desk alone, only: { backend_roles: [] }, action: read, tenant: desk-1 }
`;
const ofDesks = `roles:\n${desks.replace("tenants:", "role_mappings: { desk: { backend_roles: [desk] } }\ntenants:")}`;

it.each([
  ["read", "desk-1", "{ tenants: { mode: adopt } }", 7],
  ["read", "desk-1", "{ tenants: { exclude: [desk-1] } }", 7],
  ["read", "desk-1", "{ tenants: { exclude: [desk-2] } }", 2],
  ["write", "desk-1", "{ tenants: { mode: adopt } }", 2],
  ["read", "other", "{ tenants: { mode: adopt } }", 2],
  ["read", "desk-own", "{ tenants: { mode: adopt } }", 0],
  ["read", "desk-1", "{}", 2],
])("counts a tenant that the server may have: %s %s of %s", async (action, tenant, families, expected) => {
  const files = {
    "gate-sync.yaml": `targets: { prod: { state: [a.yml], product: opensearch, release: "2.19", families: ${families} } }\n`,
    "a.yml": ofDesks,
  };
  await inFolder(files, async (cwd) => {
    const run = (line: string) => gateSyncWithin(line.split(" "), { cwd, env: { NO_COLOR: "1" } });
    const { code, stdout } = await run(`access can-i --backend-role desk ${action} --tenant ${tenant}`);
    expect(code).toBe(expected);
    expect(stdout.includes(`the server may have a tenant ${tenant}`)).toBe(expected === 7);
    const who = await run(`access who-can ${action} --tenant ${tenant} --format json`);
    expect(JSON.parse(who.stdout)).toMatchObject({ may_be_more: expected === 7 });
    // Which tenants there are decides nothing about indices.
    expect((await run("access can-i --backend-role desk search x")).stdout).not.toContain("Only a part");
  });
});

it("leaves a test about a tenant that the server may have to plan", async () => {
  const files = {
    "gate-sync.yaml":
      'targets: { prod: { state: [a.yml], product: opensearch, release: "2.19", families: { tenants: { mode: adopt } } } }\n',
    "a.yml": ofDesks,
  };
  const { code, stdout } = await inFolder(files, (cwd) => gateSyncWithin(["test"], { cwd, env: { NO_COLOR: "1" } }));
  expect(stdout).toContain("3 access tests: 1 passes, 2 unknown (only a part is declared; plan decides).");
  expect(code).toBe(0);
});

it("counts whom a field names that gate-sync does not know", async () => {
  const files = (but: string) => ({
    "gate-sync.yaml":
      "targets: { prod: { state: [a.yml], product: search-guard, release: FLX, accept_fields: [ips] } }\n",
    "a.yml": `roles: { hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [SGS_READ] }] } }
role_mappings: { hr: { users: [ann], ips: [10.0.0.0/8] } }
access_tests:
  - { name: hr alone, only: ${but}, action: search, index: hr-1 }
  - { name: nobody else, only: ${but}, action: search, index: other }
`,
  });
  const run = (line: string, but: string) =>
    inFolder(files(but), (cwd) => gateSyncWithin(line.split(" "), { cwd, env: { NO_COLOR: "1" } }));
  const who = await run("access who-can search hr-1", "{ users: [ann] }");
  expect(who.stdout).toContain("At least 1 can search hr-1");
  expect(who.stdout.replace(/\s+/g, " ")).toContain("Not counted: whom fields that gate-sync does not know give hr.");
  expect((await run("access who-can search other", "{}")).stdout).not.toContain("At least");
  const { code, stdout } = await run("test", "{ users: [ann], roles: [SGS_ALL_ACCESS] }");
  expect(code).toBe(4);
  expect(stdout).toContain("a principal of mapping hr may search hr-1");
  expect(stdout).toContain("1 passes");
  // Who comes by the role that way has it.
  expect((await run("test", "{ users: [ann], roles: [hr] }")).code).toBe(0);
});

it.each([
  ["of which some may be the server's alone", "{}", true],
  ["of which there are no others", "{ internal_users: { mode: manage } }", false],
])("notes internal users %s", async (_, families, expected) => {
  const users = "internal_users: { bo: { backend_roles: [ledger] } }\n";
  const { code, stdout } = await ask("access can-i --user zed search ledger-1", families, users);
  const note = "Internal users are declared in part (mode: observe): a user whom the files do not declare has";
  expect([code, stdout.replace(/\s+/g, " ").includes(note)]).toEqual([2, expected]);
});
