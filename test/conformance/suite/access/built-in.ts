// Random states that name what Search Guard 7 comes with, and what OpenSearch reads otherwise.
import type { Random } from "../../../fixtures/random.ts";
import type { Entries, Fixtures } from "./fixtures.ts";

type Entry = Readonly<Record<string, unknown>>;

const indexGroups = [
  ["SGS_READ"],
  ["SGS_CRUD", "SGS_CREATE_INDEX"],
  ["SGS_SEARCH"],
  ["SGS_GET", "SGS_WRITE"],
  ["SGS_INDICES_ALL"],
  ["SGS_MANAGE"],
  ["SGS_DATA_ACCESS"],
  ["SGS_INDICES_MONITOR", "SGS_DELETE"],
  ["SGS_INDEX", "SGS_INDICES_MANAGE_ILM"],
  ["SGS_MANAGE_ALIASES", "SGS_SUGGEST"],
  // It names nothing here, and a group in OpenSearch.
  ["write", "indices:data/read/get"],
];
const clusterGroups = [
  ["SGS_CLUSTER_COMPOSITE_OPS"],
  ["SGS_CLUSTER_COMPOSITE_OPS_RO", "SGS_CLUSTER_MONITOR"],
  ["SGS_CLUSTER_MANAGE_INDEX_TEMPLATES"],
  ["SGS_CLUSTER_ALL"],
  ["SGS_UNLIMITED"],
  ["SGS_CLUSTER_READ_ILM", "cluster_monitor"],
];
const builtinRoles = [
  "SGS_READALL_AND_MONITOR",
  "SGS_LOGSTASH",
  "SGS_KIBANA_USER",
  "SGS_OWN_INDEX",
  "SGS_XP_MONITORING",
];

/** Of a group of the user's own that is called like one of OpenSearch. */
const namedAlike = "read";

export function withBuiltins(random: Random, fixture: Fixtures): Fixtures {
  const isNamed = random.chance(0.3);
  const [someone] = random.some(fixture.users, 1, 1);
  const role = (entry: Entry): Entry => ({
    ...entry,
    ...(random.chance(0.5) && { cluster_permissions: random.pick(clusterGroups) }),
    index_permissions: (entry.index_permissions as readonly Entry[]).map((element) => ({
      ...element,
      ...(random.chance(0.5) && { allowed_actions: random.pick(indexGroups) }),
      ...(isNamed && random.chance(0.3) && { allowed_actions: [namedAlike] }),
    })),
    ...(Array.isArray(entry.tenant_permissions) && {
      tenant_permissions: entry.tenant_permissions.map((element: Entry) => ({
        ...element,
        ...(random.chance(0.3) && { allowed_actions: [random.pick(["SGS_KIBANA_ALL_WRITE", "SGS_KIBANA_ALL_READ"])] }),
        ...(random.chance(0.3) && { tenant_patterns: [random.pick(["SGS_GLOBAL_TENANT", "SGS_*", "*T?NANT"])] }),
      })),
    }),
  });
  const mapping = (entry: Entry): Entry => ({ ...entry, ...(random.chance(0.1) && { backend_roles: ["*"] }) });
  return {
    ...fixture,
    groups: new Map<string, Entry>([
      ...mapEntries(fixture.groups, (entry) => entry),
      ...(isNamed ? [[namedAlike, { allowed_actions: ["indices:data/read/get", "SGS_SUGGEST"] }] as const] : []),
    ]),
    roles: new Map(mapEntries(fixture.roles, role)),
    mappings: new Map<string, Entry>([
      ...mapEntries(fixture.mappings, mapping),
      ...(someone && random.chance(0.6) ? [[random.pick(builtinRoles), { users: [someone.name] }] as const] : []),
    ]),
  };
}

function mapEntries(entries: Entries, change: (entry: Entry) => Entry): readonly (readonly [string, Entry])[] {
  return [...entries].map(([name, entry]) => [name, change(entry)]);
}
