import { expect, test } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { diff } from "../../../src/diff/diff.ts";
import type { JsonObject } from "../../../src/json/value.ts";
import type { LiveState } from "../../../src/model/live.ts";
import { resourceFamilies } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { validateWrites } from "../../../src/validate/writes.ts";
import { repositoryOf } from "../../support/nodes.ts";

/** What is underlined, of all that is about to be written; `held` by family, as the server shows it. */
function check(
  product: Product,
  release: string,
  text: string,
  held: JsonObject,
  ...expected: readonly string[]
): void {
  const dialect = createDialect(product, release);
  const { desired } = normalise(repositoryOf({ "state.yml": text }), dialect, {});
  const resources = resourceFamilies.map((family) => {
    const found = decodeFamily(dialect, family, held[family] ?? {});
    return [family, found ?? new Map()] as const;
  });
  const live: LiveState = { resources: new Map(resources), paths: new Map() };
  const found = validateWrites({ changes: diff(desired, live, {}), desired, live, dialect });
  expect(found.map(({ severity, range }) => `${severity} ${text.slice(range?.start, range?.end)}`)).toEqual(expected);
}

const role = (permission: string) => `roles: {r: {index_permissions: [${permission}]}}`;

test("Search Guard 6 has no place for unknown fields inside permissions", () => {
  const odd = "{index_patterns: [i], allowed_actions: [x], odd: 1}";
  check("search-guard", "6", role(odd), {}, "error odd");
  check("search-guard", "6", "roles: {r: {tenant_permissions: [{tenant_patterns: [t], even: 1}]}}", {}, "error even");
  check("search-guard", "6", role("{index_patterns: [i], document_types: [t], dls: '{\"match_all\": {}}'}"), {});
  check("search-guard", "7", role(odd), {});
});

test("OpenSearch has a role until it is deleted, which is after the groups", () => {
  const text = "action_groups: {g: {allowed_actions: [x]}}\nroles: {}";
  check("opensearch", "2", text, { roles: { g: {} } }, "error g");
  check("opensearch", "2", text, { roles: { g: { reserved: true } } });
  check("opensearch", "2", text, { roles: { g: {} }, action_groups: { g: { allowed_actions: ["x"] } } });
  check("search-guard", "7", text, { roles: { g: {} } });
});

test("OpenSearch grants its administration by files only", () => {
  check("opensearch", "2", "roles: {r: {cluster_permissions: ['restapi:admin/*', y]}}", {}, "error 'restapi:admin/*'");
  check("opensearch", "2", "action_groups: {g: {allowed_actions: ['restapi:admin/x']}}", {}, "error 'restapi:admin/x'");
  check("opensearch", "2", role("{index_patterns: [i], allowed_actions: ['restapi:admin/x']}"), {});
  check("opensearch", "2", "roles: {r: {cluster_permissions: ['restapi:*', '*']}}", {});
  check("opensearch", "2.4", "roles: {r: {cluster_permissions: ['restapi:admin/*']}}", {});
  const held = { roles: { r: { cluster_permissions: ["restapi:admin/roles"], reserved: true }, s: {} } };
  check("opensearch", "2", "role_mappings: {r: {users: [u]}, s: {users: [u]}}", held, "error r");
  check("opensearch", "2", "role_mappings: {r: {users: [u]}}", { ...held, role_mappings: { r: { users: ["u"] } } });
});

test("a mapping is not written while its role is neither on the server nor created", () => {
  const mapping = "role_mappings: {r: {users: [u]}}";
  const flagged = (flag: string) => `${mapping}\nroles: {r: {${flag}: true, cluster_permissions: [x]}}`;
  // OpenSearch 2.19.1 answers 404 to the mapping of a hidden role, too.
  for (const flag of ["reserved", "static", "hidden"]) check("opensearch", "2", flagged(flag), {}, "error r");
  check("search-guard", "7", flagged("reserved"), {}, "error r");
  check("search-guard", "7", flagged("hidden"), {});
  check("opensearch", "2", flagged("reserved"), { roles: { r: { reserved: true, cluster_permissions: ["x"] } } });
  check("opensearch", "2", flagged("reserved"), { role_mappings: { r: { users: ["u"] } } });
  check("opensearch", "2", `${mapping}\nroles: {r: {cluster_permissions: [x]}}`, {});
});

test("what is written needs no entry that is marked as the server's, which has none", () => {
  const marked =
    "internal_users: {u: {reserved: true}}\ntenants: {t: {static: true}}\naction_groups: {g: {reserved: true}}\n";
  const mapping = `${marked}role_mappings: {r: {users: [u, v, 'u*']}}`;
  const permissions = `${marked}${role("{index_patterns: [i], allowed_actions: [g, x]}").replace("}}", "")}, tenant_permissions: [{tenant_patterns: [t]}]}}`;
  const held = { roles: { r: {} } };
  check("opensearch", "2", mapping, held, "error u");
  check("opensearch", "2", mapping.replace("reserved: true}}\nt", "hidden: true}}\nt"), held);
  check("opensearch", "2", mapping, { ...held, internal_users: { u: { reserved: true } } });
  check("opensearch", "2", mapping, { ...held, role_mappings: { r: { users: ["u", "v", "u*"] } } });
  check("opensearch", "2", permissions, {}, "error g", "error t");
  const groups = "action_groups: {g: {reserved: true}, h: {allowed_actions: [g]}}";
  check("search-guard", "7", groups, {}, "error g");
});
