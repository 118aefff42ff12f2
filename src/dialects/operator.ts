// Custom resources of Kubernetes operators for OpenSearch.
import type { Family } from "../model/names.ts";

/** What a resource declares: one entry, or mappings of several roles. */
export interface OperatorKind {
  readonly family: Family;
  /** The names of fields in a spec, and in an entry; of lists of objects with the fields of these. */
  readonly fields: OperatorFields;
  /** Fields that say where a resource is, or that only the operator needs. */
  readonly own: readonly string[];
  /** It binds each of `roles` to all of its principals. */
  readonly isBinding?: true;
}

export type OperatorFields = Readonly<
  Record<string, string | { readonly name: string; readonly element: OperatorFields }>
>;

const mapping = { users: "users", backendRoles: "backend_roles", hosts: "hosts", andBackendRoles: "and_backend_roles" };

const where = ["opensearchCluster", "clusterRef", "name", "namespace"];

/** By what follows `Opensearch` in the kind, in lower case. */
export const operatorKinds: Readonly<Record<string, OperatorKind>> = {
  role: {
    family: "roles",
    own: where,
    fields: {
      description: "description",
      clusterPermissions: "cluster_permissions",
      indexPermissions: {
        name: "index_permissions",
        element: {
          indexPatterns: "index_patterns",
          dls: "dls",
          fls: "fls",
          maskedFields: "masked_fields",
          allowedActions: "allowed_actions",
        },
      },
      tenantPermissions: {
        name: "tenant_permissions",
        element: { tenantPatterns: "tenant_patterns", allowedActions: "allowed_actions" },
      },
    },
  },
  userrolebinding: { family: "role_mappings", own: [...where, "roles"], fields: mapping, isBinding: true },
  rolemapping: { family: "role_mappings", own: where, fields: { ...mapping, description: "description" } },
  actiongroup: {
    family: "action_groups",
    own: where,
    fields: { allowedActions: "allowed_actions", type: "type", description: "description" },
  },
  tenant: { family: "tenants", own: where, fields: { description: "description" } },
  user: {
    family: "internal_users",
    own: [...where, "passwordFrom", "secretName", "secretKey"],
    fields: {
      opendistroSecurityRoles: "opendistro_security_roles",
      backendRoles: "backend_roles",
      attributes: "attributes",
      description: "description",
      hash: "hash",
    },
  },
};
