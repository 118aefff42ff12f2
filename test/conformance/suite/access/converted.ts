// Random states as the state files that convert reads.
import type { Random } from "../../../fixtures/random.ts";
import type { Fixtures, User } from "./fixtures.ts";
import { hash } from "./server.ts";

export type Families = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** With all users as internal users of Search Guard, and as personas, of which everything is known. */
export function declareFixture({ roles, mappings, tenants, groups, users }: Fixtures): Families {
  const internal = users.map(({ name, backendRoles, attributes, roles: own }) => [
    name,
    { hash, backend_roles: backendRoles, attributes, search_guard_roles: own },
  ]);
  return {
    roles: Object.fromEntries(roles),
    role_mappings: Object.fromEntries(mappings),
    tenants: Object.fromEntries(tenants),
    action_groups: Object.fromEntries(groups),
    internal_users: Object.fromEntries(internal),
    personas: Object.fromEntries(users.map((user) => [user.name, personaOf(user)])),
  };
}

/** The same without what Search Guard 6 does not have, in its own words. */
export function declareSix(random: Random, { roles, mappings, groups, users }: Fixtures): Families {
  const indicesOf = (elements: readonly Element[]) =>
    elements.flatMap(({ index_patterns: patterns, allowed_actions: actions, dls, fls, masked_fields: masks }) =>
      patterns.map((pattern) => [
        pattern,
        {
          [random.chance(0.1) ? "doc" : "*"]: random.chance(0.3) ? ["READ", "INDICES_MONITOR"] : actions,
          ...(dls !== undefined && { _dls_: dls }),
          ...(fls && { _fls_: fls }),
          ...(masks && { _masked_fields_: masks }),
        },
      ]),
    );
  const six = [...roles].map(([name, role]) => [
    name,
    {
      cluster: random.chance(0.3) ? ["CLUSTER_COMPOSITE_OPS", "CLUSTER_MONITOR"] : role.cluster_permissions,
      indices: Object.fromEntries(indicesOf(role.index_permissions as readonly Element[])),
      ...(random.chance(0.3) && { tenants: { [`${name}_tenant`]: random.pick(["RW", "RO"]) } }),
    },
  ]);
  const mapped = [...mappings].map(([name, { users: named, backend_roles, hosts }]) => [
    name,
    { users: named, backendroles: backend_roles, hosts },
  ]);
  const internal = users.map(({ name, backendRoles, attributes }) => [name, { hash, roles: backendRoles, attributes }]);
  return {
    roles: Object.fromEntries(six),
    role_mappings: Object.fromEntries(mapped),
    action_groups: Object.fromEntries(
      [...groups].map(([name, { allowed_actions }]) => [name, { permissions: allowed_actions }]),
    ),
    internal_users: Object.fromEntries(internal),
  };
}

interface Element {
  readonly index_patterns: readonly string[];
  readonly allowed_actions: readonly string[];
  readonly dls?: string;
  readonly fls?: readonly string[];
  readonly masked_fields?: readonly string[];
}

function personaOf({ name, backendRoles, attributes }: User) {
  const own = Object.entries(attributes).map(([key, value]) => [`internal.${key}`, value]);
  return { user: name, backend_roles: backendRoles, host: "127.0.0.1", attributes: Object.fromEntries(own) };
}
