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
