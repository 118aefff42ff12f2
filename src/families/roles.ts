import type { FamilyFacts } from "./facts.ts";

const actions = { kind: "set", documented: true, always: true, refersTo: "action_groups", patterns: true } as const;

export const roles: FamilyFacts = {
  noun: ["role", "roles"],
  fields: {
    description: { kind: "text", documented: false },
    cluster_permissions: actions,
    index_permissions: {
      kind: "permissions",
      documented: true,
      always: true,
      element: {
        index_patterns: { kind: "set", documented: true, always: true, patterns: true },
        // 6.x only: mapping types of an index. Absent means all of them.
        document_types: { kind: "set", documented: false },
        dls: { kind: "text", documented: true },
        fls: { kind: "set", documented: true, always: true },
        masked_fields: { kind: "set", documented: true, always: true },
        allowed_actions: actions,
      },
    },
    tenant_permissions: {
      kind: "permissions",
      documented: true,
      always: true,
      element: {
        tenant_patterns: { kind: "set", documented: true, always: true, refersTo: "tenants", patterns: true },
        allowed_actions: actions,
      },
    },
    // Search Guard from 7.x-46 on.
    exclude_cluster_permissions: { ...actions, documented: false, always: false },
    exclude_index_permissions: {
      kind: "permissions",
      documented: false,
      element: {
        index_patterns: { kind: "set", documented: false, patterns: true },
        actions: { ...actions, documented: false, always: true },
      },
    },
  },
  mandatory: [],
};
