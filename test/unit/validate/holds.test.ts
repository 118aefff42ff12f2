import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { namesLost } from "../../../src/dialects/opensearch.ts";
import type { Product } from "../../../src/model/plan.ts";
import { validateValues } from "../../../src/validate/values.ts";
import { repositoryOf } from "../../support/nodes.ts";

/** Severity, code and what is underlined. */
function check(product: Product, release: string, text: string, ...expected: readonly string[]) {
  const found = validateValues(repositoryOf({ "state.yml": text }), createDialect(product, release));
  const brief = found.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range?.start, range?.end)}`);
  expect(brief).toEqual(expected);
  return found;
}

const six = (text: string, ...expected: readonly string[]) => check("search-guard", "6", text, ...expected);
const indices = (text: string) => `roles: {r: {index_permissions: [${text}]}}`;
const tenants = (text: string) => `roles: {r: {tenant_permissions: [${text}]}}`;
const group = (text: string) => `action_groups: {g: {allowed_actions: [READ], ${text}}}`;

const throughAlias = "roles: {r: {alias_permissions: [{alias_patterns: [a], allowed_actions: [SGS_READ]}]}}";

test.each<[product: Product, release: string, isInFlx: boolean]>([
  ["search-guard", "7", true],
  ["gate", "7.x-43.0.0", true],
  ["opensearch", "2.19", false],
])("names FLX as the release that has a field, of %s %s", (product, release, isInFlx) => {
  const [found] = check(product, release, throughAlias, "error unsupported-here alias_permissions");
  expect(found?.fix?.includes("write release: FLX for the target")).toBe(isInFlx);
});

const excluding = "roles: {r: {exclude_index_permissions: [{index_patterns: [a], actions: [READ]}]}}";

test.each<[product: Product, release: string, fix: string]>([
  [
    "search-guard",
    "7.x-38",
    "Releases 7.x from 47 and FLX have it: if the server is one of these, write its release for the target, such as release: 7.x-47, or --release 7.x-47. If not, k",
  ],
  ["search-guard", "6", "Releases 7.x from 47 and FLX have it: "],
  ["opensearch", "2.19", "K"],
])("names all releases that exclude, and what leaving it out does, of %s %s", (product, release, fix) => {
  const [found] = check(product, release, excluding, "error unsupported-here exclude_index_permissions");
  expect(found?.fix?.startsWith(fix)).toBe(true);
  expect(found?.fix).toContain(
    "eep the file out of the state of this target: to take exclude_index_permissions out widens access",
  );
});

test.each<[product: Product, release: string, text: string, ...expected: string[]]>([
  ["search-guard", "6", "roles: {r: {description: x}}", "error unsupported-here description"],
  ["search-guard", "6", "roles: {r: {description: ''}}"],
  [
    "search-guard",
    "6",
    "role_mappings: {m: {users: [u], description: x, and_backend_roles: [b]}}",
    "error unsupported-here description",
    "error unsupported-here and_backend_roles",
  ],
  [
    "search-guard",
    "6",
    "_sg_meta: {type: rolesmapping}\nm: {users: [u], and_backendroles: [b]}",
    "error unsupported-here and_backendroles",
  ],
  ["search-guard", "6", "role_mappings: {m: {users: [u], and_backend_roles: []}}"],
  ["search-guard", "6", group("type: index"), "error unsupported-here type"],
  ["search-guard", "6", "tenants: {t: {description: x}}", "error unsupported-here tenants"],
  ["search-guard", "7.x-40", "blocks: {}", "error unsupported-here blocks"],
  ["search-guard", "7.x-41", "blocks: {}"],
  [
    "search-guard",
    "7.x-46",
    "roles: {r: {exclude_cluster_permissions: [a]}}",
    "error unsupported-here exclude_cluster_permissions",
  ],
  ["search-guard", "7.x-47", "roles: {r: {exclude_cluster_permissions: [a]}}"],
  [
    "opensearch",
    "2",
    "roles: {r: {exclude_index_permissions: [{index_patterns: [a], actions: [READ]}]}}",
    "error unsupported-here exclude_index_permissions",
  ],
  ["search-guard", "7", throughAlias, "error unsupported-here alias_permissions"],
  ["opensearch", "2.19", throughAlias, "error unsupported-here alias_permissions"],
  ["gate", "7.x-43.0.0", throughAlias, "error unsupported-here alias_permissions"],
  ["search-guard", "FLX", throughAlias],
  [
    "search-guard",
    "FLX",
    "roles: {r: {data_stream_permissions: [{data_stream_patterns: [logs-*], allowed_actions: [SGS_READ], fls: [a]}]}}",
  ],
  ["opensearch", "2.16", group("type: kibana"), "error unsupported-here kibana"],
  ["opensearch", "2.16", group("type: INDEX")],
  ["opensearch", "2.15", group("type: kibana")],
  ["search-guard", "FLX", group("type: kibana")],
  ["search-guard", "FLX", group("description: x"), "error incomplete-action-group g"],
  ["search-guard", "FLX", "action_groups: {g: [READ]}", "error incomplete-action-group g"],
])("%s %s: %s", (product, release, text, ...expected) => {
  check(product, release, text, ...expected);
});

test("texts that are too long for a release are found wherever they are", () => {
  const long = "x".repeat(257);
  check("opensearch", "3.8", `tenants: {${long}: {description: y}}`, `warning unsupported-here ${long}`);
  check("opensearch", "3.8", `role_mappings: {m: {users: [a, ${long}]}}`, `warning unsupported-here ${long}`);
  check("opensearch", "3.8", `tenants: {t: {description: ${"x".repeat(256)}}}`);
  check("opensearch", "3.7", `tenants: {t: {description: ${long}}}`);
  check("opensearch", "3.9", `tenants: {t: {description: ${long}}}`);
  check("opensearch", "3.9", `tenants: {${long}: {description: y}}`, `warning unsupported-here ${long}`);
});

test("a character beyond U+FFFF is borne by Search Guard 6 in names alone", () => {
  six("action_groups: {🔑: {allowed_actions: [a🔑]}}", "error unsupported-here a🔑", "warning suspicious-action a🔑");
  six("roles: {r: {indices: {b🔑: {'*': [x]}}}}", "error unsupported-here b🔑");
  six('role_mappings: {m: {users: ["a\\ud83d"]}}', 'error unsupported-here "a\\ud83d"');
  six("role_mappings: {m: {users: [ü日]}}");
  check("search-guard", "7", "role_mappings: {m: {users: [🔑]}}");
});

test.each([
  "roles: {a.b: {cluster_permissions: [x]}}",
  "role_mappings: {a.b: {users: [u]}}",
  "action_groups: {a.b: [x]}",
])("a name with a dot can be read again except on Search Guard 6: %s", (text) => {
  six(text, "error unsupported-here a.b");
  check("search-guard", "7", text);
});

test("the same pattern is restricted alike in all of a role, or not held", () => {
  const [userMessage] = six(
    indices(
      "{index_patterns: [a, b], allowed_actions: [x], dls: '{\"match_all\": {}}'}, {index_patterns: [b], allowed_actions: [y]}",
    ),
    "error unsupported-here b",
  );
  expect(userMessage?.related).toHaveLength(1);
  six(
    indices(
      "{index_patterns: [a], allowed_actions: [x], fls: [p, q]}, {index_patterns: [a], allowed_actions: [y], fls: [q, p]}",
    ),
  );
  six("roles: {r: {indices: {a: {'*': [x], _dls_: '{\"match_all\": {}}'}}}, s: {indices: {a: {'*': [x]}}}}");
});

test.each<[text: string, ...expected: string[]]>([
  ["{index_patterns: [a.b], allowed_actions: [x]}", "warning dotted-pattern a.b"],
  ["{index_patterns: ['?kibana'], allowed_actions: [x]}"],
  ["{index_patterns: ['0'], allowed_actions: [x]}", "error unsupported-here '0'"],
  ["{index_patterns: [a.0.b], allowed_actions: [x]}", "error unsupported-here a.0.b", "warning dotted-pattern a.0.b"],
  ["{index_patterns: ['10'], document_types: [t], allowed_actions: [x]}"],
  ["{index_patterns: [a], document_types: [t.u], allowed_actions: [x]}", "error unsupported-here t.u"],
  ["{index_patterns: [a], document_types: ['0'], allowed_actions: [x]}", "error unsupported-here '0'"],
  ["{index_patterns: [a], document_types: [_fls_], allowed_actions: [x]}", "error unsupported-here _fls_"],
])("index permissions of Search Guard 6: %s", (text, ...expected) => {
  six(indices(text), ...expected);
});

test.each([
  ["a.*.x", "{index_patterns: [a], allowed_actions: [x]}"],
  ["a._fls_.x", "{index_patterns: [a], fls: [f], allowed_actions: [x]}"],
  ["a.t.x", "{index_patterns: [a], document_types: [t], allowed_actions: [x]}"],
])("on Search Guard 6 the pattern %s loses a part beside %s", (pattern, other) => {
  const long = `{index_patterns: [${pattern}], allowed_actions: [y]}`;
  six(indices(`${other}, ${long}`), `error unsupported-here ${pattern}`, `warning dotted-pattern ${pattern}`);
  six(indices(long), `warning dotted-pattern ${pattern}`);
});

test("on Search Guard 6 a pattern may go on by one part", () => {
  six(indices("{index_patterns: [a, a.*], allowed_actions: [x]}"), "warning dotted-pattern a.*");
});

test("the fix of a dotted pattern is the one that works", () => {
  const [userMessage] = six(
    indices("{index_patterns: [.kibana.x], allowed_actions: [x]}"),
    "warning dotted-pattern .kibana.x",
  );
  expect(userMessage?.fix).toContain('"?kibana?x"');
});

test.each<[text: string, ...expected: string[]]>([
  ["{tenant_patterns: [a, b], allowed_actions: [SGS_KIBANA_ALL_WRITE]}"],
  ["{tenant_patterns: [a], allowed_actions: [kibana_all_read]}", "error unsupported-here kibana_all_read"],
  ["{tenant_patterns: ['a*'], allowed_actions: [SGS_KIBANA_ALL_READ]}", "error unsupported-here 'a*'"],
  ["{tenant_patterns: [/a/], allowed_actions: [SGS_KIBANA_ALL_READ]}", "error unsupported-here /a/"],
  ["{tenant_patterns: [a.b], allowed_actions: [SGS_KIBANA_ALL_READ]}", "error unsupported-here a.b"],
  [
    "{tenant_patterns: ['${user.name}'], allowed_actions: [SGS_KIBANA_ALL_READ]}",
    "error unsupported-here '${user.name}'",
  ],
])("tenants of Search Guard 6: %s", (text, ...expected) => {
  six(tenants(text), ...expected);
});

test("tenants in words of 6.x are held as they are", () => {
  six("r: {cluster: [x], tenants: {a: RW, b: RO}}");
});

const lostIn: readonly (readonly [family: string, text: string])[] = [
  ["roles", "{cluster_permissions: [a]}"],
  ["role_mappings", "{users: [u]}"],
  ["action_groups", "{allowed_actions: [a]}"],
  ["tenants", "{description: x}"],
  ["internal_users", "{hash: $2y$12$NmKhjNssNgSIj8iXT7SYxeXvMA1E95a9tCt4cySY9FrQ4fB18xEc2}"],
  ["nodes_dn", "{nodes_dn: [CN=a]}"],
];

test.each(lostIn)("names that are lost from 3.7 on are found in %s", (family, entry) => {
  for (const name of namesLost) {
    const text = `${family}: {${name}: ${entry}, Empty: ${entry}}`;
    check("opensearch", "3.6", text);
    check("opensearch", "3.7", text, `error lost-name ${name}`);
    check("opensearch", "3", text, `error lost-name ${name}`);
    check("search-guard", "7", `roles: {${name}: {cluster_permissions: [a]}}`);
  }
});

test("an entry that the files leave to the server is not written, so not lost", () => {
  check("opensearch", "3.8", "roles: {empty: {reserved: true, cluster_permissions: [a]}}");
});
