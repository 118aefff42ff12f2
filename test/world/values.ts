import type { Json, JsonObject } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Random } from "./random.ts";

/** Names that a value may refer to. */
export interface Known {
  readonly groups: readonly string[];
  readonly tenants: readonly string[];
}

export const indexActions: readonly string[] = [
  "indices:data/read/search",
  "indices:data/read/get",
  "indices:data/read/msearch",
  "indices:data/read/scroll*",
  "indices:data/write/index",
  "indices:data/write/bulk*",
  "indices:data/write/delete",
  "indices:admin/create",
  "indices:admin/mappings/get",
  "indices:admin/refresh*",
  "indices:monitor/*",
];
export const clusterActions: readonly string[] = [
  "cluster:monitor/main",
  "cluster:monitor/health",
  "cluster:monitor/nodes/*",
  "cluster:admin/ingest/pipeline/get",
  "indices:data/read/scroll",
  "indices:data/write/bulk",
];
const patterns = [
  "logs-*",
  "metrics-*",
  "payroll-2024-*",
  "hr",
  "orders_?",
  "audit*",
  "*",
  `web-\${user.name}`,
  ".kibana_1",
];
const fields = ["name", "email", "~salary", "~ssn", "address.*", "order.id", "amount"];
const masks = ["ssn", "*_number", "*ip_source::/[0-9]{1,3}$/::XXX", "email"];
const people = [
  "ann",
  "bob",
  "carol",
  "svc-ingest",
  "CN=node,OU=Ops,DC=example,DC=com",
  "kibanaserver",
  "*@example.com",
];
const groups = ["staff", "CN=Payroll,OU=Groups,DC=example,DC=com", "ldap-admins", "contractors", "/oncall-.*/"];
const hosts = ["10.0.0.1", "*.example.com", "192.168.*", "::1", "build-??.internal"];

/** A resource with every documented field, empty ones too. */
export function valueFor(family: ResourceFamily, random: Random, known: Known): JsonObject {
  switch (family) {
    case "action_groups":
      return { allowed_actions: actions(random, indexActions, known.groups) };
    case "tenants":
      return { description: random.chance(0.1) ? "" : sentence(random) };
    case "roles":
      return {
        cluster_permissions: random.chance(0.3) ? [] : actions(random, clusterActions, known.groups),
        index_permissions: several(random, 3, () => indexPermission(random, known)),
        tenant_permissions: random.chance(0.6) ? [] : several(random, 2, () => tenantPermission(random, known)),
      };
    case "role_mappings":
      return {
        description: random.chance(0.7) ? "" : sentence(random),
        users: random.some(people, 1, 4),
        backend_roles: random.some(groups, 0, 3),
        hosts: random.chance(0.7) ? [] : random.some(hosts, 1, 2),
      };
    case "blocks":
      return { ...blockValue(random), verdict: random.pick(["allow", "disallow"]), description: sentence(random) };
  }
}

function indexPermission(random: Random, known: Known): JsonObject {
  return {
    index_patterns: random.some(patterns, 1, 3),
    ...(random.chance(0.1) ? { dls: dls(random) } : {}),
    fls: random.chance(0.1) ? random.some(fields, 1, 3) : [],
    masked_fields: random.chance(0.1) ? random.some(masks, 1, 2) : [],
    allowed_actions: actions(random, indexActions, known.groups),
  };
}

function tenantPermission(random: Random, known: Known): JsonObject {
  const names = [...known.tenants, "team_*"];
  return {
    tenant_patterns: random.some(names, 1, 2),
    allowed_actions: [random.pick(["kibana_all_read", "kibana_all_write"])],
  };
}

export function dls(random: Random): string {
  const department = { term: { department: random.below(1000) } };
  return random.pick([
    JSON.stringify(department),
    JSON.stringify({ bool: { must: [department, { match: { title: 'the "quoted" one' } }] } }),
    // The server puts names in: JSON only after that, byte for byte as it was written.
    `{ "terms": { "owner": ["\${user.name}", "d${random.below(1000)}"] } }`,
  ]);
}

export function blockValue(random: Random): JsonObject {
  const octet = () => random.below(256);
  return random.pick<JsonObject>([
    { type: "ip", value: `10.${octet()}.${octet()}.${octet()}` },
    { type: "ip", value: `2001:db8::${octet().toString(16)}` },
    { type: "net_mask", value: `172.16.${octet()}.0/24` },
    { type: "name", value: `mallory-${random.below(10_000)}` },
    { type: "name", value: `*.contractor${random.below(10_000)}` },
  ]);
}

export function sentence(random: Random): string {
  const number = random.below(10_000);
  return random.pick([
    `Team space ${number}`,
    `Zugriff für Prüfer – Nr. ${number}`,
    `said "yes": #${number}\nsecond line`,
  ]);
}

function actions(random: Random, own: readonly string[], known: readonly string[]): Json[] {
  return [...random.some(own, 1, 4), ...(random.chance(0.5) ? random.some(known, 0, 2) : [])];
}

function several<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: 1 + random.below(most) }, make);
}
