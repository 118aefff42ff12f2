/** The word of 6.x for each field that has another name in 7.x. */
export const sixWordOf: Readonly<Record<string, string>> = {
  cluster_permissions: "cluster",
  index_permissions: "indices",
  tenant_permissions: "tenants",
  backend_roles: "backendroles",
  and_backend_roles: "and_backendroles",
  allowed_actions: "permissions",
  reserved: "readonly",
};
