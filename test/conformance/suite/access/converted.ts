// Random states as the state files that convert reads.
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

function personaOf({ name, backendRoles, attributes }: User) {
  const own = Object.entries(attributes).map(([key, value]) => [`internal.${key}`, value]);
  return { user: name, backend_roles: backendRoles, host: "127.0.0.1", attributes: Object.fromEntries(own) };
}
