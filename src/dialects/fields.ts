import type { ResourceFamily } from "../model/names.ts";

/** The fields that a product takes, by family. A field that is listed for no product is refused for all of them. */
export type TakenFields = Readonly<Record<ResourceFamily, readonly string[]>>;

/** Search Guard 6: it refuses all others as unknown keys. */
export const fieldsOfSix: TakenFields = {
  action_groups: ["allowed_actions"],
  tenants: [],
  roles: ["cluster_permissions", "index_permissions", "tenant_permissions"],
  role_mappings: ["backend_roles", "hosts", "users"],
  internal_users: ["hash", "password", "backend_roles", "attributes"],
  blocks: [],
  nodes_dn: [],
  audit: [],
  whitelist: [],
  allowlist: [],
};

/** What Search Guard 7 before 7.x-47 takes. */
export const fieldsOfSeven: TakenFields = {
  ...fieldsOfSix,
  action_groups: [...fieldsOfSix.action_groups, "description", "type"],
  tenants: ["description"],
  roles: [...fieldsOfSix.roles, "description"],
  role_mappings: [...fieldsOfSix.role_mappings, "description", "and_backend_roles"],
  internal_users: [...fieldsOfSix.internal_users, "description", "search_guard_roles"],
  blocks: ["type", "value", "verdict", "description"],
};

export const fieldsOfOpenSearch: TakenFields = {
  ...fieldsOfSeven,
  internal_users: [...fieldsOfSix.internal_users, "description", "opendistro_security_roles"],
  nodes_dn: ["nodes_dn"],
  audit: ["enabled", "audit", "compliance"],
  whitelist: ["enabled", "requests"],
  allowlist: ["enabled", "requests"],
};

/** Search Guard from 7.x-47 on, and `gate`. */
export const fieldsWithExclusions: TakenFields = {
  ...fieldsOfSeven,
  roles: [...fieldsOfSeven.roles, "exclude_cluster_permissions", "exclude_index_permissions"],
};

export const fieldsOfFlx: TakenFields = {
  ...fieldsWithExclusions,
  roles: [...fieldsWithExclusions.roles, "alias_permissions", "data_stream_permissions"],
};
