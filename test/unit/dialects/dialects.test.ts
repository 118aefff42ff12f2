import { expect, test } from "vitest";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { createDialect, products } from "../../../src/dialects/index.ts";
import { exampleReleases, parseRelease } from "../../../src/dialects/release.ts";
import { factsOf } from "../../../src/families/index.ts";
import { resourceFamilies } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";

function check(product: Product, release: string, fact: (dialect: Dialect) => unknown, expected: unknown) {
  expect(fact(createDialect(product, release))).toEqual(expected);
}

test.each<[product: Product, text: string, release: string | undefined]>([
  ["search-guard", "6.x-24", "6"],
  ["search-guard", "6.5.4-24.0", "6"],
  ["search-guard", "7.5.1-38.0.0", "7.x-38"],
  ["search-guard", "7.x-47.1.0", "7.x-47"],
  ["search-guard", "7", "7"],
  ["search-guard", "flx-1.6.0", "FLX"],
  ["search-guard", "5", undefined],
  ["opensearch", "2.19.1", "2.19"],
  ["opensearch", "2.x", "2"],
  ["opensearch", "3.0.0-beta1", "3.0"],
  ["opensearch", "odfe-1.13.1", "odfe-1.x"],
  ["opensearch", "latest", undefined],
  ["gate", "7.x-38.0.0", "7.x-38.0.0"],
  ["gate", "7.x-38", undefined],
])("%s calls the release %s %s", (product, text, release) => {
  expect(parseRelease(product, text)).toBe(release);
});

test.each(products)("every release of %s that is offered is one", (product) => {
  expect(exampleReleases[product].map((release) => parseRelease(product, release))).toEqual(exampleReleases[product]);
});

const families = ({ collections }: Dialect) => Object.keys(collections);
const four = ["action_groups", "roles", "role_mappings", "internal_users"];
const five = ["action_groups", "tenants", "roles", "role_mappings", "internal_users"];
const six = [...five, "blocks"];

test.each<[product: Product, release: string, expected: readonly string[]]>([
  ["search-guard", "6", four],
  ["search-guard", "7.x-38", five],
  ["search-guard", "7.x-40", five],
  ["search-guard", "7.x-41", six],
  ["search-guard", "7", six],
  ["search-guard", "FLX", six],
  ["opensearch", "odfe-1.x", [...five, "nodes_dn", "audit", "whitelist"]],
  ["opensearch", "2.0", [...five, "nodes_dn", "audit", "whitelist"]],
  ["opensearch", "2.19", [...five, "nodes_dn", "audit", "whitelist", "allowlist"]],
  ["opensearch", "3", [...five, "nodes_dn", "audit", "allowlist"]],
])("%s %s has the families %j", (product, release, expected) => check(product, release, families, expected));

const excludes = ["exclude_cluster_permissions", "exclude_index_permissions"];
const throughOthers = ["alias_permissions", "data_stream_permissions"];
const rolesLack = ({ fields }: Dialect) =>
  Object.keys(factsOf.roles.fields).filter((field) => !fields.roles.includes(field));

test.each<[product: Product, release: string, expected: readonly string[]]>([
  ["search-guard", "6", ["description", ...throughOthers, ...excludes]],
  ["search-guard", "7.x-46", [...throughOthers, ...excludes]],
  ["search-guard", "7.x-47", throughOthers],
  ["search-guard", "7", throughOthers],
  ["search-guard", "FLX", []],
  ["opensearch", "2.19", [...throughOthers, ...excludes]],
  ["gate", "6.x-24", throughOthers],
  ["gate", "FLX", []],
])("roles of %s %s lack %j", (product, release, expected) => check(product, release, rolesLack, expected));

test("each field of a family is taken by some product, and each that a product takes is one of the family", () => {
  const taken = resourceFamilies.map((family) => [
    family,
    products.flatMap((product) =>
      exampleReleases[product].flatMap((release) => createDialect(product, release).fields[family]),
    ),
  ]);
  const known = resourceFamilies.map((family) => [family, new Set(Object.keys(factsOf[family].fields))]);
  expect(taken.map(([family, fields]) => [family, new Set(fields)])).toEqual(known);
});

const testing = ({ honoursTest }: Dialect) => honoursTest;
const types = ({ actionGroup }: Dialect) => actionGroup.types;
const spaces = ({ refusesSpaces }: Dialect) => refusesSpaces;
const quotes = ({ pointerReaches }: Dialect) => pointerReaches('a"b');
const numbers = ({ pointerReaches }: Dialect) => ["12", "0", "012"].filter(pointerReaches);
const configPatch = ({ config }: Dialect) => config.patch;
const prefix = (dialect: Dialect) => dialect.prefix;

test.each<[name: string, fact: (dialect: Dialect) => unknown, product: Product, release: string, expected: unknown]>([
  ["`test` counts", testing, "opensearch", "odfe-1.x", true],
  ["`test` counts", testing, "opensearch", "2.9", true],
  ["`test` counts", testing, "opensearch", "2.10", false],
  ["`test` counts", testing, "opensearch", "2", false],
  ["types of groups", types, "opensearch", "2.15", undefined],
  ["types of groups", types, "opensearch", "2.16", ["cluster", "index"]],
  ["types of groups", types, "search-guard", "7", undefined],
  ["strings of spaces are refused", spaces, "opensearch", "2.19", false],
  ["strings of spaces are refused", spaces, "opensearch", "3.0", true],
  ["pointers reach quotes", quotes, "opensearch", "2.4", false],
  ["pointers reach quotes", quotes, "opensearch", "2.19", true],
  ["pointers reach quotes", quotes, "search-guard", "FLX", false],
  ["pointers reach numbers", numbers, "opensearch", "2.19", ["012"]],
  ["pointers reach numbers", numbers, "opensearch", "2.4", ["12", "0", "012"]],
  ["pointers reach numbers", numbers, "search-guard", "7", ["12", "0", "012"]],
  ["the config may be patched", configPatch, "opensearch", "1.2", false],
  ["the config may be patched", configPatch, "opensearch", "1.3", true],
  ["the config may be patched", configPatch, "search-guard", "7", false],
  ["prefix", prefix, "opensearch", "odfe-1.x", "/_opendistro/_security/api"],
  ["prefix", prefix, "opensearch", "1", "/_plugins/_security/api"],
])("%s: %o on %s %s is %o", (_, fact, product, release, expected) => check(product, release, fact, expected));

test.each([
  ["6.3.2", 0],
  ["6.5.4", 10],
])("Search Guard 6 on engine %s patches %d families", (engine, expected) => {
  expect(createDialect("search-guard", "6", engine).patch.size).toBe(expected);
});

test.each([
  ["2.19", undefined],
  ["3.7", undefined],
  ["3.8", { name: 256, text: 256, laterText: 4096 }],
  ["3.9", { name: 256, text: 4096 }],
  // It may be any.
  ["3", undefined],
])("OpenSearch %s has the limits of texts %o", (release, expected) =>
  expect(createDialect("opensearch", release).longest).toEqual(expected),
);
