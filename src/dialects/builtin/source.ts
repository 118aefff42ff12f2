// The format of built-in entries here: no name and no pattern has a space in it, so lists are strings with spaces.
import { canonicaliseFields } from "../../families/canonical.ts";
import { factsOf } from "../../families/index.ts";
import type { Fields } from "../../json/value.ts";
import type { Dialect } from "../dialect.ts";
import { canonicaliseSixRole } from "../six-roles.ts";

/** The families of which products bring entries. */
export const builtinFamilies = ["action_groups", "roles", "role_mappings", "tenants"] as const;
export type BuiltinFamily = (typeof builtinFamilies)[number];

export function hasBuiltins(family: string): family is BuiltinFamily {
  return (builtinFamilies as readonly string[]).includes(family);
}

/** The built-in entries of one line of releases. Each string is a list, separated by spaces. */
export interface BuiltinSource {
  /** By type; those of Search Guard 6 have none. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Static ones; in Search Guard 6, which has none, those that are read-only. */
  readonly roles: BuiltinRoles;
  /** Those of the first configuration that the API refuses to write. */
  readonly reservedRoles?: BuiltinRoles;
  /** Those of the first configuration that are anybody's. */
  readonly openRoles?: BuiltinRoles;
  /** Those that are reserved: the others are examples, which are replaced when a cluster is set up. */
  readonly mappings: Readonly<Record<string, { readonly users?: string; readonly backend_roles?: string }>>;
  readonly tenants: string;
}

export type BuiltinRoles = Readonly<Record<string, BuiltinRole>>;

export interface BuiltinRole {
  readonly cluster?: string;
  readonly indices?: readonly Grant[];
  /** FLX only, like `streams`. */
  readonly aliases?: readonly Grant[];
  readonly streams?: readonly Grant[];
  readonly tenants?: readonly Grant[];
}

type Grant = readonly [patterns: string, actions: string];

/** The resources of one family, canonical. */
export function canonicaliseBuiltins(
  dialect: Dialect,
  written: BuiltinSource,
  family: BuiltinFamily,
): ReadonlyMap<string, Fields> {
  return new Map(
    expandBuiltinFields(written, family).map(([name, fields]) => [name, canonical(dialect, family, fields)]),
  );
}

function canonical(dialect: Dialect, family: BuiltinFamily, fields: Fields): Fields {
  if (family === "roles" && dialect.documentTypes) return canonicaliseSixRole(dialect, fields);
  return canonicaliseFields(fields, factsOf[family].fields);
}

/** The same with lists in the order of the servers, empty ones too. */
export function expandBuiltinFields(
  written: BuiltinSource,
  family: BuiltinFamily,
): readonly (readonly [string, Fields])[] {
  switch (family) {
    case "action_groups":
      return Object.entries(written.groups).flatMap(([type, groups]) =>
        Object.entries(groups).map(([name, actions]) => [
          name,
          { ...(type !== "untyped" && { type }), allowed_actions: words(actions) },
        ]),
      );
    case "roles":
      return Object.entries({ ...written.reservedRoles, ...written.roles, ...written.openRoles }).map(
        ([name, role]) => [name, roleOf(role)],
      );
    case "role_mappings":
      return Object.entries(written.mappings).map(([name, { users, backend_roles }]) => [
        name,
        { users: words(users), backend_roles: words(backend_roles) },
      ]);
    case "tenants":
      return words(written.tenants).map((name) => [name, {}]);
  }
}

function roleOf({ cluster, indices, aliases, streams, tenants }: BuiltinRole): Fields {
  return {
    cluster_permissions: words(cluster),
    index_permissions: grants("index_patterns", indices),
    tenant_permissions: grants("tenant_patterns", tenants),
    ...(aliases && { alias_permissions: grants("alias_patterns", aliases) }),
    ...(streams && { data_stream_permissions: grants("data_stream_patterns", streams) }),
  };
}

function grants(field: string, written: readonly Grant[] = []): readonly Fields[] {
  return written.map(([patterns, actions]) => ({ [field]: words(patterns), allowed_actions: words(actions) }));
}

function words(text = ""): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
