// Where a server shows its aliases, answers, access tests and plans go by them; where it does not, answers say so.
import { expect, it } from "vitest";
import { onHarness } from "./harness.ts";

const reads = ["indices:data/read/*"];
const filter = { range: { level: { gte: 3 } } };
const aliases = {
  "hr-000001": { aliases: { people: {}, seniors: { filter } } },
  "hr-000002": { aliases: { people: {} } },
  "pay-1": { aliases: {} },
};
const state = {
  roles: { people: { index_permissions: [{ index_patterns: ["people"], allowed_actions: reads }] } },
  role_mappings: { people: { users: ["ana"] } },
};
const server = { product: "opensearch", release: "2.19", state, aliases } as const;
const tests = `access_tests:
  - { name: by the alias, as: { user: ana }, action: search, index: people, expect: allowed }
  - { name: by the index, as: { user: ana }, action: search, index: hr-000002, expect: allowed }
  - { name: others, as: { user: ana }, action: search, index: pay-1, expect: denied }
`;
const env = { NO_COLOR: "1" };
const assumed = "that no alias leads to";

function formatAsOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

it.each([
  ["people", 0],
  ["hr-000001", 0],
  ["seniors", 0],
  ["hr-*", 2],
  ["pay-1", 2],
])("can-i of %s goes by the aliases of the server", (index, code) =>
  onHarness({ ...server, files: {} }, async ({ run, emulator }) => {
    const found = await run(`access can-i --user ana search ${index} --server --url URL`, env);
    expect([found.code, found.stderr]).toEqual([code, ""]);
    const text = formatAsOneLine(found.stdout);
    expect(text).not.toContain(assumed);
    expect(text).not.toContain("if it is an alias");
    expect(text.includes("The alias seniors has a filter")).toBe(index === "seniors");
    expect(emulator.requests.filter(({ path }) => path === "/_alias")).toHaveLength(1);
  }),
);

it("who-can names who may by an alias", () =>
  onHarness({ ...server, files: {} }, async ({ run }) => {
    const { stdout } = await run("access who-can search hr-000002 --server --url URL --format json", env);
    expect(JSON.parse(stdout).principals).toMatchObject([{ entry: { field: "users", entries: ["ana"] } }]);
  }));

it("access tests of a server go by them, those of files do not", () => {
  const config = "targets: { prod: { state: [access], product: opensearch, release: '2.19' } }\n";
  const declared = `${JSON.stringify(state)}\n`;
  const files = { "gate-sync.yaml": config, "access/a.yml": declared, "access/t.access-test.yml": tests };
  return onHarness({ ...server, files }, async ({ run }) => {
    expect((await run("test --server --url URL", env)).code).toBe(0);
    const offline = await run("test", env);
    expect(offline.code).not.toBe(0);
    expect(offline.stdout).toContain("by the index");
  });
});

it("a plan is refused by a test about an index that it takes away by its alias", () => {
  const config = "targets: { prod: { state: [access], families: { roles: { mode: manage } } } }\n";
  const declared = `roles: { people: { index_permissions: [{ index_patterns: [staff], allowed_actions: ["indices:data/read/*"] }] } }\n`;
  const files = { "gate-sync.yaml": config, "access/a.yml": declared, "access/t.access-test.yml": tests };
  return onHarness({ ...server, files }, async ({ run }) => {
    const { code, stdout } = await run("plan --url URL --format json", env);
    expect(code).toBe(4);
    const { violations } = JSON.parse(stdout);
    expect(JSON.stringify(violations)).toContain("hr-000002");
  });
});

const reader = { name: "ci", password: "blue-canary", rights: "all", monitors: false } as const;
const login = { ...env, GATE_SYNC_USERNAME: reader.name, GATE_SYNC_PASSWORD: reader.password };

it.each([
  ["changes nothing", "people", false],
  ["is about access", "staff", true],
])("where they may not be read, a plan that %s says so: %s, %s", (_, index, isNoted) => {
  const config = "targets: { prod: { state: [access], families: { roles: { mode: manage } } } }\n";
  const people = { index_permissions: [{ index_patterns: [index], allowed_actions: reads }] };
  const files = { "gate-sync.yaml": config, "access/a.yml": JSON.stringify({ roles: { people } }) };
  return onHarness({ ...server, files, users: [reader] }, async ({ run }) => {
    const text = formatAsOneLine((await run("plan --url URL", login)).stdout);
    const note = "Aliases could not be read (the server answers 403 to GET /_alias): access is compared for names";
    expect(text.includes(note), text).toBe(isNoted);
  });
});

it("that they may not be read is said with the assumption", () =>
  onHarness(
    {
      ...server,
      files: {},
      users: [reader],
    },
    async ({ run }) => {
      const { code, stdout } = await run("access can-i --user ana search hr-000001 --server --url URL", login);
      const text = formatAsOneLine(stdout);
      expect([code, text.includes(assumed)]).toEqual([2, true]);
      expect(text).toContain("Aliases could not be read: the server answers 403 to GET /_alias.");
    },
  ));
