// What files show of the product they are written for; where nothing does, no product is guessed.
import { expect, test } from "vitest";
import { loadRepository } from "../../../src/load/repository.ts";
import { findProductEvidence } from "../../../src/validate/product-evidence.ts";
import { inFolder } from "../../support/command.ts";

async function shownBy(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  let shown: string | undefined;
  await inFolder(files, async (cwd) => {
    const { repository } = await loadRepository({ state: ["."], cwd, vars: new Map(), env: {}, secrets: "leave" });
    const found = findProductEvidence(repository);
    shown = found && [found.product, ...(found.release ? [found.release] : [])].join(" ");
  });
  return shown;
}

const role = (...actions: readonly string[]) =>
  `{r: {index_permissions: [{index_patterns: [logs-*], allowed_actions: ${JSON.stringify(actions)}}]}}\n`;

const rows: readonly (readonly [
  title: string,
  files: Readonly<Record<string, string>>,
  product: string | undefined,
])[] = [
  ["nothing but permissions", { "a.yml": `roles: ${role("indices:data/read/search")}` }, undefined],
  [
    "a group of its own that is called like one of OpenSearch",
    { "a.yml": `roles: ${role("read")}action_groups: {read: {allowed_actions: ["indices:data/read*"]}}\n` },
    undefined,
  ],
  ["a built-in group of OpenSearch", { "a.yml": `roles: ${role("read")}` }, "opensearch"],
  ["a mapping of a built-in role", { "a.yml": "role_mappings: {all_access: {users: [ana]}}\n" }, "opensearch"],
  [
    "a mapping of a role that is declared",
    { "a.yml": "roles: {readall: {cluster_permissions: [a:b]}}\nrole_mappings: {readall: {users: [ana]}}\n" },
    undefined,
  ],
  ["a built-in group of Search Guard 7", { "a.yml": `roles: ${role("SGS_READ")}` }, "search-guard"],
  [
    "the header of sgadmin",
    { "roles.yml": `_sg_meta: {type: roles}\nr: {cluster_permissions: ["a:b"]}\n` },
    "search-guard",
  ],
  ["a header alone", { "roles.yml": `_meta: {type: roles}\nr: {cluster_permissions: ["a:b"]}\n` }, "opensearch"],
  ["the header of an imported config", { "config.yml": "_meta: {type: config}\nconfig: {dynamic: {}}\n" }, undefined],
  [
    "the same beside the form of 6",
    {
      "config.yml": "_meta: {type: config}\nconfig: {dynamic: {}}\n",
      "roles.yml": "roles: {r: {cluster: [UNLIMITED], indices: {'*': {'*': [READ]}}}}\n",
    },
    "search-guard 6",
  ],
  [
    "a header, and groups of Search Guard",
    { "roles.yml": `_meta: {type: roles}\nr: {cluster_permissions: ["SGS_CLUSTER_ALL"]}\n` },
    "search-guard",
  ],
  ["names of two products", { "a.yml": `roles: ${role("SGS_READ", "read")}` }, undefined],
  ["the form of 6", { "sg_roles.yml": "r: {cluster: [UNLIMITED], indices: {'*': {'*': [READ]}}}\n" }, "search-guard 6"],
  ["a role of 6 without indices", { "sg_roles.yml": "r: {cluster: [CLUSTER_MONITOR]}\n" }, "search-guard 6"],
  [
    "a role of 6 beside one of 7",
    {
      "sg_roles.yml":
        "r: {cluster: [UNLIMITED], indices: {'*': {'*': [READ]}}}\ns: {cluster_permissions: [CLUSTER_MONITOR]}\n",
    },
    "search-guard",
  ],
  [
    "a role of 6 beside tenants",
    { "a.yml": "roles: {r: {cluster: [UNLIMITED], indices: {'*': {'*': [READ]}}}}\ntenants: {t: {}}\n" },
    "search-guard",
  ],
  ["a mapping of 6", { "a.yml": "role_mappings: {r: {backendroles: [admins]}}\n" }, "search-guard 6"],
  [
    "indices as Elasticsearch has them",
    { "a.yml": "roles: {r: {cluster: [all], indices: [{names: [a], privileges: [x]}]}}\n" },
    undefined,
  ],
  [
    "a field of FLX",
    { "sg_roles.yml": "r: {data_stream_permissions: [{data_stream_patterns: [a], allowed_actions: [SGS_READ]}]}\n" },
    "search-guard FLX",
  ],
  [
    "a field of FLX in a mapping",
    { "sg_roles_mapping.yml": "r: {ips: [10.0.0.0/8], users: [a]}\n" },
    "search-guard FLX",
  ],
  ["blocks", { "a.yml": "blocks: {b: {type: ip, value: [10.0.0.1], verdict: disallow}}\n" }, undefined],
  [
    "blocks beside a header that OpenSearch has, too",
    {
      "a.yml": "blocks: {b: {type: ip, value: [x], verdict: disallow}}\n",
      "roles.yml": "_meta: {type: roles}\nr: {}\n",
    },
    undefined,
  ],
  [
    "internal users of OpenSearch",
    { "internal_users.yml": "eve: {hash: x, opendistro_security_roles: [r]}\n" },
    "opensearch",
  ],
  [
    "internal users of Search Guard",
    { "internal_users.yml": "eve: {hash: x, search_guard_roles: [r]}\n" },
    "search-guard",
  ],
];

test.for(rows)("%s", async ([, files, product]) => {
  expect(await shownBy(files)).toBe(product);
});
