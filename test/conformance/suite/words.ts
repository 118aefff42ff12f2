import type { Facts } from "./stage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How one product says things: what the cases of all products are filled with. */
export interface Words {
  readonly api: string;
  readonly families: readonly FamilyWords[];
  readonly config: { readonly path: string; readonly put: string; readonly key: string };
  /** Of a resource that is not there, and how GET says it. */
  readonly notFound: (kind: string, name: string) => string;
  readonly notFoundByGet: (kind: string, name: string) => string;
  readonly reserved: (name: string) => string;
  /** An entry that the plugin ships, which no API call can change. */
  readonly static?: { readonly path: string; readonly kind: string; readonly name: string; readonly explained: string };
  /** How the answers to users without rights begin to name their roles. */
  readonly rolesWord: string;
  readonly realm: string;
}

export interface FamilyWords {
  /** Its segment in paths. */
  readonly path: string;
  /** What messages call one of it. */
  readonly kind: string;
  /** Two values, as they are sent, and the first as it is shown. */
  readonly first: Fields;
  readonly second: Fields;
  readonly shown: Fields;
  /** A field of `first` that a patch may replace, and by what; `empty` is a field that is not stored in it. */
  readonly patched: { readonly field: string; readonly value: unknown };
  readonly empty?: string;
  /** A body with a wrong type, and the answer's word on it. */
  readonly wrong: { readonly send: Fields; readonly field: string; readonly explained: string };
  /** Keys of which there must be one, or some; undefined where nothing is mandatory. */
  readonly mandatory?: { readonly send: Fields; readonly answer: Fields };
}

export function wordsOf({ name }: Facts): Words {
  switch (name) {
    case "search-guard-6":
      return searchGuard6;
    case "search-guard-7":
      return searchGuard7;
    default:
      return openSearch;
  }
}

const flags = { reserved: false, hidden: false };
const entryFlags = { ...flags, static: false };
const noLists = { backend_roles: [], hosts: [], users: [], and_backend_roles: [] };
const invalid = { status: "error", reason: "Invalid configuration" };

/** What 7 and OpenSearch have in common; the names of built-in groups differ. */
function typed(groups: { readonly monitor: string; readonly read: string }): readonly FamilyWords[] {
  const permission = { index_patterns: ["logs-*"], dls: '{"match_all":{}}', allowed_actions: [groups.read] };
  const role = { cluster_permissions: [groups.monitor, "b", groups.monitor], index_permissions: [permission] };
  return [
    {
      path: "roles",
      kind: "role",
      first: role,
      second: { cluster_permissions: [groups.read] },
      shown: {
        ...entryFlags,
        ...role,
        index_permissions: [{ ...permission, fls: [], masked_fields: [] }],
        tenant_permissions: [],
      },
      patched: { field: "cluster_permissions", value: ["x"] },
      empty: "tenant_permissions",
      wrong: { send: { cluster_permissions: "x" }, field: "cluster_permissions", explained: "Array expected" },
    },
    {
      path: "rolesmapping",
      kind: "rolesmapping",
      first: { users: ["ana", "bea", "ana"] },
      second: { backend_roles: ["hr"] },
      shown: { ...flags, ...noLists, users: ["ana", "bea", "ana"] },
      patched: { field: "users", value: ["cleo"] },
      empty: "hosts",
      wrong: { send: { users: "ana" }, field: "users", explained: "Array expected" },
    },
    {
      path: "actiongroups",
      kind: "actiongroup",
      first: { allowed_actions: ["indices:data/read/get"] },
      second: { allowed_actions: ["indices:data/read/search"] },
      shown: { ...entryFlags, allowed_actions: ["indices:data/read/get"] },
      patched: { field: "allowed_actions", value: ["x"] },
      empty: "description",
      wrong: { send: { allowed_actions: "x" }, field: "allowed_actions", explained: "Array expected" },
    },
    {
      path: "tenants",
      kind: "tenant",
      first: { description: "first" },
      second: { description: "second" },
      shown: { ...entryFlags, description: "first" },
      patched: { field: "description", value: "patched" },
      wrong: { send: { description: 1 }, field: "description", explained: "String expected" },
    },
  ];
}

function withMandatory(families: readonly FamilyWords[], by: Readonly<Record<string, Fields>>): readonly FamilyWords[] {
  return families.map((family) => {
    const answer = by[family.path];
    return answer === undefined ? family : { ...family, mandatory: { send: { description: "d" }, answer } };
  });
}

const searchGuard = {
  api: "/_searchguard/api",
  notFound: (kind: string, name: string) => `${kind} ${name} not found.`,
  notFoundByGet: (_: string, name: string) => `Resource '${name}' not found.`,
  reserved: (name: string) => `Resource '${name}' is read-only.`,
  rolesWord: "Search Guard Roles",
  realm: "Search Guard",
};

const searchGuard7: Words = {
  ...searchGuard,
  families: withMandatory(typed({ monitor: "SGS_CLUSTER_MONITOR", read: "SGS_READ" }), {
    // Both are bugs of the server: the keys twice, and no keys at all.
    actiongroups: {
      ...invalid,
      missing_mandatory_keys: { keys: "allowed_actions" },
      specify_one_of: { keys: "allowed_actions" },
    },
    rolesmapping: invalid,
  }),
  config: { path: "sg_config", put: "sg_config/sg_config", key: "sg_config" },
  static: { path: "roles", kind: "role", name: "SGS_LOGSTASH", explained: "Resource 'SGS_LOGSTASH' is read-only." },
};

const openSearch: Words = {
  api: "/_plugins/_security/api",
  families: withMandatory(typed({ monitor: "cluster_monitor", read: "read" }), {
    actiongroups: { ...invalid, missing_mandatory_keys: { keys: "allowed_actions" } },
    rolesmapping: { ...invalid, specify_one_of: { keys: "and_backend_roles,backend_roles,hosts,users" } },
  }),
  config: { path: "securityconfig", put: "securityconfig/config", key: "config" },
  notFound: (kind, name) => `${kind} '${name}' not found.`,
  notFoundByGet: (kind, name) => `${kind} '${name}' not found.`,
  reserved: (name) => `Resource '${name}' is reserved.`,
  static: { path: "roles", kind: "role", name: "logstash", explained: "Resource 'logstash' is static." },
  rolesWord: "Security roles",
  realm: "OpenSearch Security",
};

const searchGuard6: Words = {
  ...searchGuard,
  config: { path: "sgconfig", put: "sgconfig", key: "searchguard" },
  families: [
    {
      path: "roles",
      kind: "role",
      first: { cluster: ["CLUSTER_MONITOR", "b", "CLUSTER_MONITOR"], indices: { "logs-*": { "*": ["READ"] } } },
      second: { cluster: ["READ"] },
      shown: { cluster: ["CLUSTER_MONITOR", "b", "CLUSTER_MONITOR"], indices: { "logs-*": { "*": ["READ"] } } },
      patched: { field: "cluster", value: ["x"] },
      wrong: { send: { cluster: "x" }, field: "cluster", explained: "Array expected" },
      // Tenants alone make no role.
      mandatory: { send: { tenants: { t: "RW" } }, answer: invalid },
    },
    {
      path: "rolesmapping",
      kind: "rolesmapping",
      first: { users: ["ana", "bea", "ana"] },
      second: { backendroles: ["hr"] },
      shown: { users: ["ana", "bea", "ana"] },
      patched: { field: "users", value: ["cleo"] },
      wrong: { send: { users: "ana" }, field: "users", explained: "Array expected" },
    },
    {
      path: "actiongroups",
      kind: "actiongroup",
      first: { permissions: ["indices:data/read/get"] },
      second: { permissions: ["indices:data/read/search"] },
      shown: { permissions: ["indices:data/read/get"] },
      patched: { field: "permissions", value: ["x"] },
      wrong: { send: { permissions: "x" }, field: "permissions", explained: "Array expected" },
    },
  ],
};
