// Mistakes that a server takes without a word: each is reported once, at its place.
import { expect, test } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { JsonObject } from "../../../src/json/value.ts";
import { runLintRules } from "../../../src/lint/run.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { validateReferences } from "../../../src/validate/references.ts";
import { validateValues } from "../../../src/validate/values.ts";
import { repositoryOf } from "../../support/nodes.ts";

const dialect = createDialect("opensearch", "2.19");

function values(text: string): readonly string[] {
  return validateValues(repositoryOf({ "a.yml": text }), dialect).map(
    ({ code, range }) => `${code} ${text.slice(range?.start, range?.end)}`,
  );
}

const granting = (action: string) =>
  `roles: {r: {index_permissions: [{index_patterns: [i], allowed_actions: ['${action}']}]}}`;

test.each([
  ["indicies:data/read/search", "indices:data/read/search"],
  ["indices:data/reed/search", "indices:data/read/search"],
  ["indices:data/raed/*", "indices:data/read/*"],
  ["indices:dta/read/search", "indices:data/read/search"],
  ["indices:data/read/serach", "indices:data/read/search"],
  ["cluster:monitr/main", "cluster:monitor/main"],
])("%s is %s misspelt", (action, meant) => {
  const [found, ...others] = validateValues(repositoryOf({ "a.yml": granting(action) }), dialect);
  expect(others).toEqual([]);
  expect(found?.what).toContain(`Did you mean "${meant}"?`);
});

test.each([
  "indices:data/read/*",
  "indices:*",
  "indices:d*/read",
  "indices:data/read/field_stats",
  "indices:data/read/searches",
  "indices:monitor/*",
  "indices:admin/mappings/fields/get",
  "cluster:admin/opendistro/alerting/*",
  "cluster:admin/xpack/rollup/get",
  "plugin:content_manager/x",
  "read",
  "*",
  "indices:data/write/bulk[s]",
])("%s is no mistake", (action) => expect(values(granting(action))).toEqual([]));

test.each([
  ["Logs-*", true],
  ["/logs-[/", true],
  ["/logs-(a|b/", true],
  ["/logs-[]a]/", false],
  ["/(?i)Logs-.*/", false],
  ["/logs-[a-z]++/", false],
  ["<Logs-{now/d}>", false],
])("the index pattern %s can match no index: %s", (pattern, isReported) => {
  const text = `roles: {r: {index_permissions: [{index_patterns: ['${pattern}'], allowed_actions: ['*']}]}}`;
  const { desired } = normalise(repositoryOf({ "a.yml": text }), dialect, {});
  const found = runLintRules({ desired, declared: desired, live: undefined, dialect, off: () => false });
  expect(found.some(({ code }) => code === "matches-nothing")).toBe(isReported);
});

test("what vendors bring is no reason to warn, and a team's own is", () => {
  const dots = (name: string) =>
    `roles: {${name}: {index_permissions: [{index_patterns: ['?kibana'], allowed_actions: ['*']}]}}`;
  expect(values(dots("sg_kibana_user"))).toEqual([]);
  expect(values(dots("ours"))).toEqual(["question-mark-pattern '?kibana'"]);
  const everybody = (name: string) => `role_mappings: {${name}: {users: ['*']}}`;
  for (const own of ["own_index", "sg_own_index", "SGS_OWN_INDEX"]) expect(values(everybody(own))).toEqual([]);
  expect(values(everybody("all_access"))).toEqual(["wildcard-principal '*'"]);
});

function references(text: string, held: JsonObject): readonly string[] {
  const { desired } = normalise(repositoryOf({ "a.yml": text }), dialect, {});
  const resources = Object.entries(held).map(
    ([family, body]) =>
      [family as ResourceFamily, decodeFamily(dialect, family as ResourceFamily, body) ?? new Map()] as const,
  );
  const live = { resources: new Map(resources), paths: new Map() };
  return validateReferences(desired, live, dialect).map(({ code, what }) => `${code} ${what}`);
}

test("all entries that their files mark as the server's are one message, and a team's own another", () => {
  const names = ["sg_a", "sg_b", "sg_c", "sg_d", "sg_e", "sg_f", "sg_g"];
  const marked = names.map((name) => `${name}: {reserved: true, cluster_permissions: [x]}`).join(", ");
  const found = references(`roles: {${marked}, ours: {reserved: true}}`, { roles: { sg_a: {} } });
  expect(found).toEqual([
    'server-owned Marked as the server\'s own in their files, and left alone: role "sg_a" differs on the server; ' +
      'roles "sg_b", "sg_c", "sg_d", "sg_e", "sg_f" and 1 more are not on the server.',
    'server-owned role "ours" will never be created: marked as the server\'s own, but neither on the server nor part of a product.',
  ]);
});

test("what is suggested for a misspelt name is of its kind", () => {
  const held = {
    action_groups: { knn_full_access: { allowed_actions: ["x"] }, indices_all: { allowed_actions: ["x"] } },
  };
  const of = (name: string) => references(`roles: {r: {cluster_permissions: [${name}]}}`, held)[0];
  expect(of("indexes_full_access")).not.toContain("knn_full_access");
  expect(of("indice_all")).toContain('Did you mean "indices_all"?');
});
