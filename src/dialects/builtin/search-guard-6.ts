import type { BuiltinSource } from "./source.ts";

/** Search Guard 6, of its first configuration, as 6.5.4-24.0 came with it: nothing is static there. */
export function buildSearchGuard6Builtins(): BuiltinSource {
  return {
    groups: {
      untyped: {
        ALL: "INDICES_ALL",
        CLUSTER_ALL: "cluster:*",
        CLUSTER_COMPOSITE_OPS: `
          indices:data/write/bulk indices:admin/aliases* indices:data/write/reindex CLUSTER_COMPOSITE_OPS_RO
        `,
        CLUSTER_COMPOSITE_OPS_RO: `
          indices:data/read/mget indices:data/read/msearch indices:data/read/mtv indices:data/read/coordinate-msearch*
          indices:admin/aliases/exists* indices:admin/aliases/get* indices:data/read/scroll
        `,
        CLUSTER_MONITOR: "cluster:monitor/*",
        CREATE_INDEX: "indices:admin/create indices:admin/mapping/put",
        CRUD: "READ WRITE",
        DATA_ACCESS: "indices:data/* CRUD",
        DELETE: "indices:data/write/delete*",
        GET: "indices:data/read/get* indices:data/read/mget*",
        INDEX: `
          indices:data/write/index* indices:data/write/update* indices:admin/mapping/put indices:data/write/bulk*
        `,
        INDICES_ALL: "indices:*",
        INDICES_MONITOR: "indices:monitor/*",
        MANAGE: "indices:monitor/* indices:admin/*",
        MANAGE_ALIASES: "indices:admin/aliases*",
        MANAGE_SNAPSHOTS: "cluster:admin/snapshot/* cluster:admin/repository/*",
        MONITOR: "INDICES_MONITOR",
        READ: "indices:data/read* indices:admin/mappings/fields/get*",
        SEARCH: "indices:data/read/search* indices:data/read/msearch* SUGGEST",
        SUGGEST: "indices:data/read/suggest*",
        UNLIMITED: "*",
        WRITE: "indices:data/write* indices:admin/mapping/put",
      },
    },
    roles: {
      sg_all_access: {
        cluster: "UNLIMITED",
        indices: [["*", "UNLIMITED"]],
        tenants: [["admin_tenant", "SGS_KIBANA_ALL_WRITE"]],
      },
      sg_kibana_server: {
        cluster: `
          CLUSTER_MONITOR CLUSTER_COMPOSITE_OPS cluster:admin/xpack/monitoring* indices:admin/template*
          indices:data/read/scroll*
        `,
        indices: [
          ["?kibana ?kibana-6 ?kibana_* ?management-beats* ?monitoring* ?reporting* ?tasks", "INDICES_ALL"],
          ["*", "indices:admin/aliases*"],
        ],
      },
      sg_kibana_user: {
        cluster: "INDICES_MONITOR CLUSTER_COMPOSITE_OPS",
        indices: [
          ["?kibana ?kibana-6 ?kibana_*", "MANAGE INDEX READ DELETE"],
          ["?management-beats ?tasks", "INDICES_ALL"],
          [
            "*",
            `
              indices:data/read/field_caps* indices:data/read/xpack/rollup* indices:admin/mappings/get*
              indices:admin/get
            `,
          ],
        ],
      },
      sg_readall: { cluster: "CLUSTER_COMPOSITE_OPS_RO", indices: [["*", "READ"]] },
      sg_xp_alerting: {
        cluster: "indices:data/read/scroll cluster:admin/xpack/watcher* cluster:monitor/xpack/watcher*",
        indices: [
          ["?triggered_watches ?watcher-history-* ?watches*", "INDICES_ALL"],
          ["*", "READ indices:admin/aliases/get"],
        ],
      },
      sg_xp_machine_learning: {
        cluster: `
          cluster:admin/persistent* cluster:internal/xpack/ml* indices:data/read/scroll* cluster:admin/xpack/ml*
          cluster:monitor/xpack/ml*
        `,
        indices: [
          ["?ml-*", "*"],
          ["*", "READ indices:admin/get*"],
        ],
      },
      sg_xp_monitoring: {
        cluster: "cluster:monitor/xpack/info cluster:monitor/main cluster:admin/xpack/monitoring/bulk",
        indices: [["?monitor*", "INDICES_ALL"]],
      },
    },
    openRoles: {
      sg_alerting: {
        cluster: `
          indices:data/read/scroll cluster:admin/xpack/watcher/watch/put cluster:admin/xpack/watcher* CLUSTER_MONITOR
          CLUSTER_COMPOSITE_OPS
        `,
        indices: [
          ["?triggered_watches ?watcher-history-* ?watches*", "INDICES_ALL"],
          ["* ?kibana*", "READ"],
        ],
      },
      sg_logstash: {
        cluster: "CLUSTER_MONITOR CLUSTER_COMPOSITE_OPS indices:admin/template/get indices:admin/template/put",
        indices: [["*beat* logstash-*", "CRUD CREATE_INDEX"]],
      },
      sg_manage_snapshots: {
        cluster: "MANAGE_SNAPSHOTS",
        indices: [["*", "indices:data/write/index indices:admin/create"]],
      },
      sg_monitor: {
        cluster: `
          cluster:admin/xpack/monitoring/* cluster:admin/ingest/pipeline/put cluster:admin/ingest/pipeline/get
          indices:admin/template/get indices:admin/template/put CLUSTER_MONITOR CLUSTER_COMPOSITE_OPS
        `,
        indices: [
          ["?marvel* ?monitor*", "INDICES_ALL"],
          ["*", "indices:data/read/field_caps"],
          ["?kibana*", "READ"],
        ],
      },
      sg_own_index: { cluster: "CLUSTER_COMPOSITE_OPS", indices: [["${user_name}", "INDICES_ALL"]] },
      sg_readall_and_monitor: { cluster: "CLUSTER_MONITOR CLUSTER_COMPOSITE_OPS_RO", indices: [["*", "READ"]] },
      sg_readonly_and_monitor: { cluster: "CLUSTER_MONITOR CLUSTER_COMPOSITE_OPS_RO", indices: [["*", "READ"]] },
    },
    mappings: {
      sg_all_access: { backend_roles: "admin" },
      sg_kibana_server: { users: "kibanaserver" },
      sg_manage_snapshots: { backend_roles: "snapshotrestore" },
      sg_readall: { backend_roles: "readall" },
    },
    tenants: "",
  };
}
