// What servers ship, held to what three real ones held when they were new: the answers kept in this repository, and
// those of the recordings that GATE_SYNC_RECORDINGS names.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBuiltins } from "../../../src/dialects/builtin/index.ts";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { LiveFamily } from "../../../src/model/live.ts";
import type { Product } from "../../../src/model/plan.ts";

type Family = "action_groups" | "roles" | "role_mappings" | "tenants";

const servers: readonly [name: string, product: Product, release: string, recording: string][] = [
  ["opensearch-2.19.1", "opensearch", "2.19", "access-os-2.19.1.jsonl"],
  ["search-guard-7.5.1-38.0.0", "search-guard", "7.x-38", "access-sg-7.5.1.jsonl"],
  ["search-guard-6.5.4-24.0", "search-guard", "6", "access-sg-6.5.4.jsonl"],
];

/** Made when they were recorded. */
const own = /^(suite_|shipped_open$|real_|REAL_LIST$)/;

const shape = {
  action_groups: "actiongroups",
  roles: "roles",
  role_mappings: "rolesmapping",
  tenants: "tenants",
} as const;

/** Each entry that is not open is in the data, and all of the data is there. */
function check(product: Product, release: string, family: Family, live: LiveFamily, isOpen: (name: string) => boolean) {
  const data = createBuiltins(createDialect(product, release))[family];
  const served = [...live].filter(([name]) => !own.test(name));
  const values = new Map(
    served.map(
      ([
        name,
        {
          value: { description, ...value },
        },
      ]) => [name, value],
    ),
  );
  const unmentioned = [...values.keys()].filter((name) => !data.has(name) && !isOpen(name));
  expect([family, unmentioned]).toEqual([family, []]);
  for (const [name, value] of data) expect([family, name, value]).toEqual([family, name, values.get(name)]);
}

describe.for(servers)("%s", ([name, product, release, recording]) => {
  test("as it was first seen", () => {
    const dialect = createDialect(product, release);
    const lines = readFileSync(join("test/conformance/fixtures", `${name}.jsonl`), "utf8")
      .trim()
      .split("\n");
    const seeds = lines
      .map((line) => JSON.parse(line) as { section?: string; path: string; response: unknown })
      .filter(({ section }) => section === "seed");
    for (const [family, path] of Object.entries(shape) as [Family, string][]) {
      const body = seeds.find((seed) => seed.path.endsWith(`/${path}`))?.response;
      if (body === undefined && family === "tenants") continue;
      const live = decodeFamily(dialect, family, body) ?? new Map();
      check(product, release, family, live, (entry) => live.get(entry)?.ownership === "open");
    }
  });

  testRecorded(product, release, recording);
});

testRecorded("opensearch", "3.8", "access-os-3.8.0.jsonl");

function testRecorded(product: Product, release: string, recording: string): void {
  const folder = process.env.GATE_SYNC_RECORDINGS ?? "";
  const file = join(folder, recording);
  const title = `${product} ${release} as recorded (skipped where GATE_SYNC_RECORDINGS names no folder)`;
  test.skipIf(!folder || !existsSync(file))(title, () => {
    const [head = ""] = readFileSync(file, "utf8").split("\n", 1);
    const { shipped } = (JSON.parse(head) as { meta: { shipped: Record<string, unknown> } }).meta;
    for (const family of ["action_groups", "roles", "role_mappings"] as const) {
      const live = decodeFamily(createDialect(product, release), family, shipped[shape[family]]) ?? new Map();
      // The flags were left out of this recording; which mappings are reserved, the other test knows.
      check(product, release, family, live, () => family === "role_mappings");
    }
  });
}

test.each<[Product, release: string, Product, like: string]>([
  ["gate", "6.x-25", "search-guard", "6"],
  ["gate", "7.x-43.0.0", "search-guard", "7.x-38"],
  ["gate", "FLX", "search-guard", "FLX"],
  ["search-guard", "7", "search-guard", "7.x-53"],
  ["opensearch", "odfe-1.x", "opensearch", "2.19"],
])("%s %s ships what %s %s does", (product, release, other, like) => {
  const names = (from: Product, version: string) => [
    ...createBuiltins(createDialect(from, version)).action_groups.keys(),
  ];
  expect(names(product, release)).toEqual(names(other, like));
});

test("releases of one line differ", () => {
  const group = (release: string, name: string) =>
    createBuiltins(createDialect("search-guard", release)).action_groups.get(name)?.allowed_actions;
  expect(group("7.x-43", "SGS_READ")).toEqual(["indices:admin/mappings/fields/get*", "indices:data/read*"]);
  expect(group("7.x-53", "SGS_READ")).toContain("indices:admin/resolve/index");
  expect(group("FLX", "SGS_READ")).toContain("indices:admin/analyze");
  const user = createBuiltins(createDialect("search-guard", "7.x-53")).roles.get("SGS_KIBANA_USER");
  expect(JSON.stringify(user)).toContain(JSON.stringify("/\\.kibana_[0-9]+/"));
});

test("a new cluster of OpenSearch 3 comes with roles by its release", () => {
  const roleOf = (release: string, name: string) =>
    createBuiltins(createDialect("opensearch", release)).roles.get(name);
  const grants = (release: string, name: string, action: string) =>
    JSON.stringify(roleOf(release, name)).includes(JSON.stringify(action));
  const count = (release: string) => createBuiltins(createDialect("opensearch", release)).roles.size;
  expect(["2", "2.19", "3.0", "3.1", "3.8", "3"].map(count)).toEqual([50, 50, 50, 54, 54, 54]);
  const changes: readonly (readonly [before: string, since: string, role: string, action: string])[] = [
    ["2.19", "3.0", "index_management_full_access", "indices:internal/plugins/replication/index/stop"],
    ["3.1", "3.2", "query_insights_full_access", "cluster:admin/opensearch/insights/live_queries/*"],
    ["3.2", "3.3", "query_insights_full_access", "cluster:admin/opensearch/insights/*"],
    ["3.3", "3.4", "alerting_read_access", "cluster:admin/opensearch/alerting/v2/alerts/get"],
    ["3.3", "3.4", "anomaly_read_access", "cluster:admin/opendistro/ad/detector/suggest"],
    ["3.3", "3.4", "security_rest_api_full_access", "restapi:admin/resource_sharing/migrate"],
    ["3.8", "3.9", "ppl_full_access", "indices:data/read/point_in_time/create"],
  ];
  for (const [before, since, role, action] of changes)
    expect([role, grants(before, role, action), grants(since, role, action)]).toEqual([role, false, true]);
  expect(roleOf("3.3", "search_relevance_read_access")).not.toHaveProperty("index_permissions");
});
