import { describe, expect, it, test } from "vitest";
import { createAccessModel } from "../../../src/access/model/access-model.ts";
import { buildDeclaredAccess } from "../../../src/access/model/states.ts";
import type { TestedAccess } from "../../../src/access/questions/tested.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { parseAccessTests } from "../../../src/normalise/access-tests.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { parsePersonas } from "../../../src/normalise/personas.ts";
import { findAnswerPlaces } from "../../../src/questions/places.ts";
import { evaluateTests, findUnaskable } from "../../../src/questions/tests.ts";
import {
  formatContradiction,
  formatContradictionReason,
  formatStepChain,
} from "../../../src/render/views/access-tests.ts";
import { repositoryOf } from "../../support/nodes.ts";

const state = `
roles:
  hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: ["indices:data/read/*"] }] }
  ops: { index_permissions: [{ index_patterns: [logs-*, hr-logs], allowed_actions: ["indices:data/read/*"] }] }
  desk: { tenant_permissions: [{ tenant_patterns: [desk], allowed_actions: ["*"] }] }
  one: { index_permissions: [{ index_patterns: [a], allowed_actions: ["indices:data/read/*"] }] }
  other: { index_permissions: [{ index_patterns: [b], allowed_actions: ["indices:data/read/*"] }] }
  everywhere:
    index_permissions: [{ index_patterns: ["many-*", ${Array.from({ length: 250 }, (_, at) => `many-${at}-*`)}], allowed_actions: ["*"] }]
  open: { index_permissions: [{ index_patterns: [open-*], allowed_actions: ["indices:data/read/*"] }] }
  less:
    index_permissions:
      - { index_patterns: [open-1*], dls: '{"term": {"a": 1}}' }
      - { index_patterns: [open-2*], fls: ["~a"] }
      - { index_patterns: [open-3*], masked_fields: [a] }
role_mappings:
  open: { backend_roles: [open] }
  less: { users: [lil], hosts: [10.1.1.1] }
  one: { users: [two] }
  other: { users: [two] }
  everywhere: { users: [everywhere] }
  hr: { backend_roles: [hr], and_backend_roles: [boss, eu] }
  ops: { users: [bo], hosts: [10.0.0.*] }
  desk: { backend_roles: [hr] }
tenants: { desk: {} }
config: { dynamic: { multi_rolespan_enabled: false } }
personas:
  ana: { user: ana, backend_roles: [hr], host: 192.168.0.1 }
  eve: { user: eve, backend_roles: [boss, eu], host: 192.168.0.1 }
`;

const dialect = createDialect("search-guard", "7.x-38.0.0");

function evaluated(tests: string): {
  readonly results: readonly TestedAccess[];
  readonly explained: readonly string[];
} {
  const repository = repositoryOf({ "state.yml": state, "t.access-test.yaml": tests });
  const { desired } = normalise(repository, dialect, {});
  const places = findAnswerPlaces(desired);
  const { personas } = parsePersonas(repository);
  // Without the mappings that the product comes with: its administrators may do everything.
  const mappings = new Map(
    [...(desired.resources.get("role_mappings") ?? [])].map(([name, { value }]) => [name, value]),
  );
  const model = createAccessModel({ ...buildDeclaredAccess(desired, dialect), mappings });
  const all = parseAccessTests(repository).tests;
  expect(findUnaskable(all, personas, dialect.release)).toEqual([]);
  const results = evaluateTests(all, { model, release: dialect.release, personas, places });
  const explained = results.flatMap(({ findings }) =>
    findings.map((one) => `${formatContradiction(one)}: ${formatContradictionReason(one, places)}`),
  );
  return { results, explained };
}

/** `outcome`, and whether it passes although it is unknown. */
function outcomeOf(test: string): string {
  const [result] = evaluated(`[${test}]`).results;
  return result
    ? `${result.outcome}${result.passes && result.outcome !== "passed" ? ", passes" : ""}`
    : "not evaluated";
}

test.each<[test: string, outcome: string]>([
  ["{as: ana, action: search, index: hr-1, expect: allowed}", "passed"],
  ["{as: ana, action: search, index: hr-*, expect: allowed}", "passed"],
  ["{as: ana, action: [search, index], index: hr-1, expect: allowed}", "failed"],
  ["{as: ana, action: search, index: [hr-1, logs-1], expect: allowed}", "failed"],
  ["{as: ana, action: search, index: '*', expect: allowed}", "failed"],
  ["{as: ana, action: search, index: hr-1, expect: denied}", "failed"],
  ["{as: ana, action: search, index: logs-*, expect: denied}", "passed"],
  // Some of it is enough, even where the request as a whole is refused.
  ["{as: {user: bo, host: 1.1.1.1}, action: search, index: hr-*, expect: denied}", "failed"],
  ["{as: {user: bo, host: 1.1.1.1}, action: search, index: '*', expect: denied}", "failed"],
  ["{as: {backend_roles: [boss]}, action: search, index: hr-1, expect: denied}", "passed"],
  ["{as: eve, action: search, index: hr-1, expect: allowed}", "passed"],
  // Where a user comes from decides, and nothing says where.
  ["{as: {user: roamer}, action: search, index: logs-1, expect: denied}", "unknown"],
  ["{as: {user: roamer}, action: search, index: logs-1, expect: allowed}", "unknown"],
  ["{as: {user: roamer}, action: search, index: logs-1, expect: denied, allow_unknown: true}", "unknown, passes"],
  ["{as: ana, action: read, tenant: desk, expect: allowed}", "passed"],
  ["{as: ana, action: write, tenant: desk, expect: denied}", "passed"],
  ["{as: ana, action: [read, write], tenant: desk, expect: allowed}", "failed"],
  ["{as: ana, action: health, expect: denied}", "passed"],
  ["{as: ana, action: 'indices:data/read/get', index: hr-1, expect: allowed}", "passed"],
  // Entries of mappings, each alone, and personas.
  ["{only: {backend_roles: [hr, boss], users: [bo], hosts: [10.0.0.*]}, action: search, index: hr-2026}", "passed"],
  ["{only: {backend_roles: [hr, boss], users: [bo]}, action: search, index: hr-logs}", "failed"],
  ["{only: {roles: [hr, ops]}, action: search, index: hr-2026}", "passed"],
  ["{only: {backend_roles: [h*, eu]}, action: search, index: hr-2026}", "passed"],
  ["{only: {backend_roles: [hr]}, action: search, index: hr-2026}", "failed"],
  [
    "{only: {backend_roles: [hr, boss], users: ['/b(o)\\1*/'], hosts: [10.0.0.*]}, action: search, index: hr-logs}",
    "failed",
  ],
  ["{as: {user: everywhere, host: 1.1.1.1}, action: search, index: many-*, expect: allowed}", "unknown"],
  // Each by itself, and no role for both.
  ["{as: {user: two, host: 1.1.1.1}, action: search, index: [a, b], expect: allowed}", "failed"],
  ["{as: {user: two, host: 1.1.1.1}, action: search, index: a, expect: allowed}", "passed"],
  // All of it may be searched, and some of it is kept back.
  ["{as: {user: lil, backend_roles: [open]}, action: search, index: open-*, expect: allowed}", "passed"],
  [
    "{as: {user: lil, backend_roles: [open]}, action: search, index: open-*, expect: allowed, sees: everything}",
    "failed",
  ],
  [
    "{as: {user: lil, backend_roles: [open]}, action: search, index: open-4, expect: allowed, sees: everything}",
    "passed",
  ],
  ["{as: {backend_roles: [open]}, action: search, index: open-*, expect: allowed, sees: everything}", "passed"],
  [
    "{as: {user: eve, backend_roles: [open]}, action: search, index: open-*, expect: allowed, sees: everything}",
    "unknown",
  ],
  [
    "{as: {user: eve, backend_roles: [open]}, action: search, index: open-*, expect: allowed, sees: everything, allow_unknown: true}",
    "unknown, passes",
  ],
  ["{as: {backend_roles: [open]}, action: search, index: hr-1, expect: allowed, sees: everything}", "failed"],
  ["{only: {personas: [ana]}, action: search, index: hr-2026}", "failed"],
  ["{only: {}, action: delete-index, index: hr-2026}", "passed"],
  ["{only: {backend_roles: [hr]}, action: read, tenant: desk}", "passed"],
])("%s: %s", (written, outcome) => {
  expect(outcomeOf(written)).toBe(outcome);
});

describe("what speaks against a test", () => {
  it("is the chain that grants it, at its places", () =>
    expect(evaluated("[{as: {backend_roles: [hr]}, action: search, index: hr-1, expect: denied}]").explained).toEqual([
      "backend role hr may search hr-1: mapping hr (state.yml:22) > role hr on hr-* (state.yml:3) > indices:data/read/*",
    ]));
  it("is what comes nearest, where nothing grants it", () =>
    expect(
      evaluated("[{as: {backend_roles: [hr]}, action: search, index: logs-1, expect: allowed}]").explained,
    ).toEqual([
      "backend role hr may not search logs-1: indices:data/read/search is not granted: role hr grants it on hr-* (state.yml:3)",
    ]));
  it("is everybody who is not excepted", () =>
    expect(
      evaluated("[{only: {backend_roles: [hr]}, action: search, index: hr-2026}]").explained.map(
        (one) => one.split(":")[0],
      ),
    ).toEqual([
      "backend roles boss and eu may search hr-2026",
      "persona eve (user eve, backend roles boss, eu, from 192.168.0.1) may search hr-2026",
    ]));
  it("is that no role grants all of it, and that there is too much to list", () => {
    const two = "{as: {user: two, host: 1.1.1.1}, action: search, index: [a, b], expect: allowed}";
    const many = "{as: {user: everywhere, host: 1.1.1.1}, action: search, index: many-*, expect: allowed}";
    expect(evaluated(`[${two}, ${many}]`).explained).toEqual([
      "user two, from 1.1.1.1 may not search a,b: each of it is granted, but one role has to grant all of it",
      "unknown: whether user everywhere, from 1.1.1.1 may search many-*: " +
        "roles distinguish too many groups of these indices: ask about fewer",
    ]);
  });
  it("is what keeps back what should be seen, each at its place", () => {
    const lil =
      "{as: {user: lil, backend_roles: [open]}, action: search, index: open-*, expect: allowed, sees: everything}";
    const some =
      "{as: {backend_roles: [open], user: eve}, action: get, index: open-1, expect: allowed, sees: everything}";
    const less = "mapping less (state.yml:18) > role less on";
    expect(evaluated(`[${lil}, ${some}]`).explained).toEqual([
      "user lil, backend role open may search open-*, but does not see all of it: " +
        `documents are kept back by ${less} open-1* (state.yml:13); fields are kept back by ${less} open-2* (state.yml:14); ` +
        `fields are masked by ${less} open-3* (state.yml:15)`,
      "user eve, backend role open may get open-1, and whether they see all of it is unknown: " +
        "role less is given by host 10.1.1.1: it depends on where the request comes from (gate-sync access can-i --host ADDRESS)",
    ]);
  });
  it("is what it depends on, where it is unknown", () =>
    expect(evaluated("[{as: {user: roamer}, action: search, index: logs-1, expect: denied}]").explained).toEqual([
      "unknown: whether user roamer may search logs-1: indices:data/read/search: " +
        "role ops is given by host 10.0.0.*: it depends on where the request comes from (gate-sync access can-i --host ADDRESS)",
    ]));
});

test("a test without a name is called by what it says", () => {
  const { results } = evaluated(`
- { as: ana, action: search, index: hr-1, expect: allowed }
- { as: { user: bo }, action: health, expect: denied }
- { only: { backend_roles: [hr], users: [bo] }, action: [search, get], index: hr-1 }
- { as: { user: bo }, action: search, index: a, expect: allowed, sees: everything }
- { name: mine, only: {}, action: health }
`);
  expect(results.map(({ title }) => title)).toEqual([
    "persona ana (user ana, backend role hr, from 192.168.0.1) may search hr-1",
    "user bo may not health",
    "only user bo, backend role hr may search hr-1, get hr-1",
    "user bo may search a and see all of it",
    "mine",
  ]);
});

test.each<[test: string, reported: string]>([
  ["{as: anna, action: health, expect: denied}", 'There is no persona "anna". Did you mean "ana"?'],
  ["{only: {personas: [bob]}, action: health}", 'There is no persona "bob".'],
  [
    "{as: ana, action: serach, index: a, expect: denied}",
    '"serach" is no action that is known here. Did you mean "search"?',
  ],
  ["{as: ana, action: search, expect: denied}", '"search" is done with an index, and none is named.'],
  [
    "{as: ana, action: search, index: -a, expect: denied}",
    '"-a" is no name or pattern of an index that can be evaluated here.',
  ],
  [
    "{as: ana, action: search, index: 'other:a*', expect: denied}",
    '"other:a*" is no name or pattern of an index that can be evaluated here.',
  ],
  ["{as: ana, action: search, index: A*, expect: denied}", '"A*" is a pattern that no name of an index matches.'],
  ["{as: ana, action: search, tenant: a, expect: denied}", 'A tenant is read or written, not "search".'],
  [
    "{as: ana, action: index, index: a, expect: allowed, sees: everything}",
    "`sees` is about what is read, and this test is not about reading that is allowed.",
  ],
  [
    "{as: ana, action: search, index: a, expect: denied, sees: everything}",
    "`sees` is about what is read, and this test is not about reading that is allowed.",
  ],
  ["{as: {}, action: health, expect: denied}", "The access test does not say who is meant."],
])("%s cannot be asked", (written, reported) => {
  const repository = repositoryOf({ "state.yml": state, "t.access-test.yaml": `[${written}]` });
  const found = findUnaskable(parseAccessTests(repository).tests, parsePersonas(repository).personas, "7");
  expect(found.map(({ code, what }) => [code, what])).toEqual([["bad-access-test", reported]]);
});

test("a chain reads from the mapping to the permission", () => {
  expect(
    formatStepChain([
      { kind: "role", name: "a", on: "b" },
      { kind: "permission", name: "c" },
    ]),
  ).toBe("role a on b > c");
});
