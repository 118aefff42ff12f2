import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { parseAccessTests } from "../../../src/normalise/access-tests.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { parsePersonas } from "../../../src/normalise/personas.ts";
import { findMisspelt } from "../../../src/questions/misspelt.ts";
import { repositoryOf } from "../../support/nodes.ts";

const state = `
roles: { r: {} }
role_mappings:
  r: { users: [svc-beats-1, "adm_*", "*"], backend_roles: [analysts, hr], and_backend_roles: [payroll, emea] }
personas: { ana: { backend_roles: [analist] }, bo: { backend_roles: [analysst] } }
`;

function check(written: string, reported: readonly string[]) {
  const repository = repositoryOf({ "state.yml": state, "t.access-test.yaml": `[${written}]` });
  const dialect = createDialect("search-guard", "7");
  const { personas } = parsePersonas(repository);
  const { desired } = normalise(repository, dialect, {});
  const found = findMisspelt(parseAccessTests(repository).tests, personas, desired, dialect);
  expect(found.map(({ what, range, severity }) => `${range?.file.path} ${severity}: ${what}`)).toEqual(reported);
}

const analysts = "as: {backend_roles: [analysts]}, expect: denied";
const inTest = (what: string) => `t.access-test.yaml warning: ${what}`;

test.each<[test: string, reported: readonly string[]]>([
  [
    `{${analysts}, action: indices:data/read/serach, index: a}`,
    [inTest('No action "indices:data/read/serach" is known here. Did you mean "indices:data/read/search"?')],
  ],
  [
    `{${analysts}, action: indices:dta/read/search, index: a}`,
    [inTest('No action "indices:dta/read/search" is known here. Did you mean "indices:data/read/search"?')],
  ],
  [`{${analysts}, action: [search, indices:data/read/search], index: a}`, []],
  [`{${analysts}, action: indices:data/read/xpack/rollup/search, index: a}`, []],
  [
    "{as: {backend_roles: [analists]}, action: health, expect: denied}",
    [inTest('No mapping names the backend role "analists". Did you mean "analysts"?')],
  ],
  [
    "{as: {backend_roles: [payrol, emea]}, action: health, expect: denied}",
    [inTest('No mapping names the backend role "payrol". Did you mean "payroll"?')],
  ],
  [
    "{as: {user: svc-baets-1}, action: health, expect: denied}",
    [inTest('No mapping names the user "svc-baets-1". Did you mean "svc-beats-1"?')],
  ],
  // Others, not misspelt ones: by a number, by a pattern, by being short, by what gives them their roles.
  ["{as: {user: svc-beats-2}, action: health, expect: denied}", []],
  ["{as: {user: adm_1}, action: health, expect: denied}", []],
  ["{as: {backend_roles: [it]}, action: health, expect: denied}", []],
  ["{as: {user: svc-baets-1, backend_roles: [hr]}, action: health, expect: denied}", []],
  // Of personas, those that tests are about.
  [
    "{as: ana, action: health, expect: denied}",
    ['state.yml warning: No mapping names the backend role "analist". Did you mean "analysts"?'],
  ],
])("%s: %j", check);

const roles = (...patterns: readonly string[]) => `
roles: { r: { index_permissions: [{ index_patterns: [${patterns.map((one) => JSON.stringify(one)).join()}], allowed_actions: [read] }] } }
`;

function checkIndex(index: string, patterns: readonly string[], meant: string | undefined) {
  const written = `[{as: {backend_roles: [hr]}, action: search, index: ${JSON.stringify(index)}, expect: denied}]`;
  const repository = repositoryOf({ "state.yml": roles(...patterns), "t.access-test.yaml": written });
  const dialect = createDialect("search-guard", "7");
  const { desired } = normalise(repository, dialect, {});
  const found = findMisspelt(parseAccessTests(repository).tests, new Map(), desired, dialect);
  const expected = `No role is about the index "${index}". Did you mean "${meant}"?`;
  expect(found.map(({ what }) => what)).toEqual(meant === undefined ? [] : [expected]);
}

test.each<[index: string, patterns: readonly string[], meant: string]>([
  ["salries-2026", ["salaries-*", "*"], "salaries-*"],
  ["salries-*", ["salaries-*", "_all"], "salaries-*"],
  ["salaires-2026", ["salaries-2026"], "salaries-2026"],
  ["hr-salries-2026-01", ["hr-salaries-*"], "hr-salaries-*"],
  ["salries2026", ["salaries*"], "salaries*"],
  ["paments-ana", ["payments-${user.name}"], "payments-${user.name}"],
])("the index %s beside %j is nearly %s", (index, patterns, meant) => checkIndex(index, patterns, meant));

test.each<[index: string, patterns: readonly string[]]>([
  // What a role is about, or perhaps.
  ["salaries-2026", ["salaries-*"]],
  ["salries-2026", ["salaries-*", "s*"]],
  ["salries-*", ["salaries-*", "*-2026"]],
  ["salries-1", ["salaries-*", "/s[a-z]+-1/"]],
  // Others, and no misspelt ones: by a number, by being short, by more than a slip, by a part more.
  ["logs2-a", ["logs1-*"]],
  ["sale-2026", ["sales-*"]],
  ["finance-2026", ["salaries-*"]],
  ["salries-2026-01", ["salaries-2026"]],
  ["salries-inbox", ["salaries-index"]],
  ["indexb", ["indexa*"]],
  [".watcher-history-1", [".watches*"]],
  ["user_watches", ["user.watches"]],
  // Nothing is near to what matches everything.
  ["salries-2026", ["*"]],
  ["salries-2026", ["${user.name}"]],
])("the index %s beside %j may be meant", (index, patterns) => checkIndex(index, patterns, undefined));
