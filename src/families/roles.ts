import type { FamilyFacts, Field } from "./facts.ts";

const actions = { kind: "set", documented: true, always: true, refersTo: "action_groups", patterns: true } as const;

const optional = { documented: false, always: false } as const;

function grantsThrough(patterns: string): Field {
  return {
    kind: "permissions",
    documented: false,
    element: {
      [patterns]: { kind: "set", documented: false, always: true, patterns: true },
      dls: { kind: "text", documented: false },
      fls: { kind: "set", ...optional },
      masked_fields: { kind: "set", ...optional },
      allowed_actions: { ...actions, documented: false },
    },
  };
}

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
    // Search Guard FLX: grants on what is reached through an alias, or through a data stream.
    alias_permissions: grantsThrough("alias_patterns"),
    data_stream_permissions: grantsThrough("data_stream_patterns"),
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
  sixWords: ["cluster", "indices", "tenants"],
  mandatory: [],
};
