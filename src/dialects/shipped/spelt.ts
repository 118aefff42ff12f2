// How what servers ship is written down here: no name and no pattern has a blank in it, so texts are lists.
import { canonicalFields } from "../../families/canonical.ts";
import { factsOf } from "../../families/index.ts";
import type { Fields } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Dialect } from "../dialect.ts";
import { canonicalSixRole } from "../six-roles.ts";

/** What one line of releases ships. Each text is a list, its members apart by blanks. */
export interface Spelt {
  /** By type; those of Search Guard 6 have none. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Static ones; in Search Guard 6, which has none, those that are read-only. */
  readonly roles: SpeltRoles;
  /** Those of the first configuration that nobody may write. */
  readonly reservedRoles?: SpeltRoles;
  /** Those of the first configuration that are anybody's. */
  readonly openRoles?: SpeltRoles;
  /** Those that are reserved: the others are examples, which whoever sets up a cluster replaces. */
  readonly mappings: Readonly<Record<string, { readonly users?: string; readonly backend_roles?: string }>>;
  readonly tenants: string;
}

export type SpeltRoles = Readonly<Record<string, SpeltRole>>;

export interface SpeltRole {
  readonly cluster?: string;
  readonly indices?: readonly Grant[];
  /** FLX only, like `streams`. */
  readonly aliases?: readonly Grant[];
  readonly streams?: readonly Grant[];
  readonly tenants?: readonly Grant[];
}

type Grant = readonly [patterns: string, actions: string];

/** The resources of one family, canonical. */
export function resourcesOf(dialect: Dialect, spelt: Spelt, family: ResourceFamily): ReadonlyMap<string, Fields> {
  return new Map(fieldsOf(spelt, family).map(([name, fields]) => [name, canonical(dialect, family, fields)]));
}

function canonical(dialect: Dialect, family: ResourceFamily, fields: Fields): Fields {
  if (family === "roles" && dialect.documentTypes) return canonicalSixRole(dialect, fields);
  return canonicalFields(fields, factsOf[family].fields);
}

/** The same with lists in the order of the servers, empty ones too. */
export function fieldsOf(spelt: Spelt, family: ResourceFamily): readonly (readonly [string, Fields])[] {
  switch (family) {
    case "action_groups":
      return Object.entries(spelt.groups).flatMap(([type, groups]) =>
        Object.entries(groups).map(([name, actions]) => [
          name,
          { ...(type !== "untyped" && { type }), allowed_actions: words(actions) },
        ]),
      );
    case "roles":
      return Object.entries({ ...spelt.reservedRoles, ...spelt.roles, ...spelt.openRoles }).map(([name, role]) => [
        name,
        roleOf(role),
      ]);
    case "role_mappings":
      return Object.entries(spelt.mappings).map(([name, { users, backend_roles }]) => [
        name,
        { users: words(users), backend_roles: words(backend_roles) },
      ]);
    case "tenants":
      return words(spelt.tenants).map((name) => [name, {}]);
    case "blocks":
      return [];
  }
}

function roleOf({ cluster, indices, aliases, streams, tenants }: SpeltRole): Fields {
  return {
    cluster_permissions: words(cluster),
    index_permissions: grants("index_patterns", indices),
    tenant_permissions: grants("tenant_patterns", tenants),
    ...(aliases && { alias_permissions: grants("alias_patterns", aliases) }),
    ...(streams && { data_stream_permissions: grants("data_stream_patterns", streams) }),
  };
}

function grants(field: string, spelt: readonly Grant[] = []): readonly Fields[] {
  return spelt.map(([patterns, actions]) => ({ [field]: words(patterns), allowed_actions: words(actions) }));
}

function words(text = ""): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
