import { describe, expect, it, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import type { LiveState } from "../../../src/model/live.ts";
import { parseAccessTests } from "../../../src/normalise/access-tests.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { parsePersonas } from "../../../src/normalise/personas.ts";
import { findUnknownTestNames } from "../../../src/questions/unknown-names.ts";
import { repositoryOf } from "../../support/nodes.ts";

const roles = `
roles:
  hr_reader: { tenant_permissions: [{ tenant_patterns: [payroll_desk, "sales*"], allowed_actions: ["*"] }] }
`;
const others = `
role_mappings: { hr_reader: { users: [bo], backend_roles: [hr] }, mapped_elsewhere: { users: [bo] } }
personas: { ana: { user: ana_lee, backend_roles: [hr] } }
`;
const tenants = "tenants: { human_resources: {}, team-1: {} }\n";

interface Given {
  readonly files?: string;
  readonly live?: LiveState;
  readonly product?: "search-guard" | "opensearch";
  readonly release?: string;
}

function check(written: string, reported: readonly string[], { files, live, product, release }: Given = {}) {
  const state = files ?? roles + others + tenants;
  const repository = repositoryOf({ "state.yml": state, "t.access-test.yaml": `[${written}]` });
  const dialect = createDialect(product ?? "search-guard", release ?? "7");
  const { desired } = normalise(repository, dialect, {});
  const { personas } = parsePersonas(repository);
  const found = findUnknownTestNames(parseAccessTests(repository).tests, personas, desired, live, dialect);
  expect(found.map(({ what }) => what)).toEqual(reported);
  for (const { code, severity, range } of found) {
    expect([code, severity, range?.file.path]).toEqual(["doubtful-access-test", "warning", "t.access-test.yaml"]);
  }
}

const but = (...names: readonly string[]) => `{only: {roles: [${names}]}, action: health}`;
const inTenant = (who: string, tenant: string) => `{${who}, action: read, tenant: ${tenant}, expect: denied}`;
const hr = "as: {backend_roles: [hr]}";
const onlyThese = "only: {users: [eve], personas: [ana]}";

/** What a server shows: its names, and the tenants that its roles grant. */
function liveWith(names: Partial<Record<"roles" | "tenants" | "role_mappings", readonly string[]>>): LiveState {
  const resources = Object.entries(names).map(([key, all]) => {
    const family = key as keyof typeof names;
    return [
      family,
      new Map(all.map((name) => [name, { family, name, value: {}, ownership: "open" as const }])),
    ] as const;
  });
  return { resources: new Map(resources), paths: new Map() };
}

describe("roles", () => {
  test.each<[about: string, test: string, reported: readonly string[], given?: Given]>([
    ["declared, built in and mapped", but("hr_reader", "SGS_ALL_ACCESS", "mapped_elsewhere"), []],
    [
      "one that is misspelt",
      but("hr_raeder"),
      ['There is no role "hr_raeder" in these files. Did you mean "hr_reader"?'],
    ],
    [
      "a built-in one that is misspelt",
      but("SGS_ALL_ACESS"),
      [
        'There is no role "SGS_ALL_ACESS" in these files, and search-guard 7 ships none. Did you mean "SGS_ALL_ACCESS"?',
      ],
    ],
    [
      "what is named as if it were built in, near to others by what they share",
      but("SGS_KIBANA_USER", "SGS_KIBANA_XY_USER"),
      ['There is no role "SGS_KIBANA_XY_USER" in these files, and search-guard 7 ships none.'],
    ],
    [
      "what another product ships",
      but("SGS_ALL_ACCESS", "sg_all_access", "all_access"),
      [
        'There is no role "SGS_ALL_ACCESS" in these files, and opensearch 2 ships none.',
        'There is no role "sg_all_access" in these files, and opensearch 2 ships none. Did you mean "all_access"?',
      ],
      { product: "opensearch", release: "2" },
    ],
    ["what another release may ship, where roles are not declared", but("SGS_OTHER"), [], { files: others }],
    ["an unknown one", but("auditors"), ['There is no role "auditors" in these files.']],
    ["an unknown one, where roles are not declared", but("auditors"), [], { files: others }],
    [
      "a slip, where roles are not declared",
      but("all_acess"),
      ['There is no role "all_acess" in these files. Did you mean "all_access"?'],
      { files: others, product: "opensearch", release: "2" },
    ],
    [
      "each of several",
      but("x1", "hr_reader", "x2"),
      ['There is no role "x1" in these files.', 'There is no role "x2" in these files.'],
    ],
    [
      "what the server has",
      but("auditors", "auditor", "SGS_OTHER"),
      [
        'There is no role "auditor" in these files or on the server. Did you mean "auditors"?',
        'There is no role "SGS_OTHER" in these files or on the server.',
      ],
      { live: liveWith({ roles: ["auditors"] }) },
    ],
    ["what the server maps", but("elsewhere"), [], { live: liveWith({ roles: [], role_mappings: ["elsewhere"] }) }],
  ])("%s", (_, ...args) => check(...args));
});

describe("tenants", () => {
  test.each<[about: string, test: string, reported: readonly string[], given?: Given]>([
    ["declared, and everybody's", `${inTenant(hr, "human_resources")}, ${inTenant(hr, "SGS_GLOBAL_TENANT")}`, []],
    ...[hr, "as: ana", onlyThese].map((who): [string, string, readonly string[]] => [
      `one that is misspelt, ${who}`,
      inTenant(who, "humanresorces"),
      ['There is no tenant "humanresorces" in these files. Did you mean "human_resources"?'],
    ]),
    ...[hr, "as: ana", onlyThese].map((who): [string, string, readonly string[]] => [
      `an unknown one, ${who}`,
      inTenant(who, "garden"),
      ['There is no tenant "garden" in these files.'],
    ]),
    ["another by its number", inTenant(hr, "team-2"), ['There is no tenant "team-2" in these files.']],
    ["a pattern", inTenant(hr, "'garden*'"), []],
    // Everybody has one of their own, which is undeclared.
    ["that of the user's own", inTenant("as: {user: zoe}", "zoe"), []],
    ["that of a persona's own", inTenant("as: ana", "ana_lee"), []],
    ["that of an excepted user", `${inTenant(onlyThese, "eve")}, ${inTenant(onlyThese, "ana_lee")}`, []],
    ["that of a mapped user", inTenant("only: {}", "bo"), []],
    ["an unknown one, where none are declared", inTenant(hr, "garden"), [], { files: roles + others }],
    ["one that roles name, where none are declared", inTenant(hr, "payroll_desk"), [], { files: roles + others }],
    [
      "a slip of what roles name, where none are declared",
      inTenant(hr, "payrol_desk"),
      ['There is no tenant "payrol_desk" in these files. Did you mean "payroll_desk"?'],
      { files: roles + others },
    ],
    [
      "one that roles name, where others are declared",
      inTenant(hr, "payroll_desk"),
      ['There is no tenant "payroll_desk" in these files.'],
    ],
    ["one that roles name, where tenants are names in roles", inTenant(hr, "payroll_desk"), [], { release: "6" }],
    [
      "a slip, where tenants are names in roles",
      inTenant("as: {user: x}", "payrol_desk"),
      ['There is no tenant "payrol_desk" in these files. Did you mean "payroll_desk"?'],
      { files: roles + others, release: "6" },
    ],
    [
      "what the server has",
      `${inTenant(hr, "garden")}, ${inTenant(hr, "gardn")}`,
      ['There is no tenant "gardn" in these files or on the server. Did you mean "garden"?'],
      { live: liveWith({ tenants: ["garden"] }) },
    ],
  ])("%s", (_, ...args) => check(...args));

  it("are reported at the name of the test", () => {
    const repository = repositoryOf({
      "state.yml": tenants,
      "t.access-test.yaml": "- action: read\n  tenant: garden\n  as: {user: a}\n  expect: denied\n  name: n\n",
    });
    const dialect = createDialect("search-guard", "7");
    const { desired } = normalise(repository, dialect, {});
    const [found] = findUnknownTestNames(parseAccessTests(repository).tests, new Map(), desired, undefined, dialect);
    expect(found?.range).toMatchObject({ start: found?.range?.file.text.indexOf("n\n", 60) });
  });
});
