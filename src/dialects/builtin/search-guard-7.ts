import type { BuiltinSource } from "./source.ts";

/** Search Guard 7 up to about build 44, as 7.5.1-38.0.0 has it. */
export function buildSearchGuard7Builtins(): BuiltinSource {
  return {
    groups: {
      all: {
        SGS_UNLIMITED: "*",
      },
      cluster: {
        SGS_CLUSTER_ALL: "cluster:*",
        SGS_CLUSTER_COMPOSITE_OPS: `
          indices:data/write/bulk indices:admin/aliases* indices:data/write/reindex SGS_CLUSTER_COMPOSITE_OPS_RO
        `,
        SGS_CLUSTER_COMPOSITE_OPS_RO: `
          indices:data/read/mget indices:data/read/msearch indices:data/read/mtv indices:admin/aliases/exists*
          indices:admin/aliases/get* indices:data/read/scroll
        `,
        SGS_CLUSTER_MANAGE_ILM: "cluster:admin/ilm/*",
        SGS_CLUSTER_MANAGE_INDEX_TEMPLATES: "indices:admin/template/*",
        SGS_CLUSTER_MANAGE_PIPELINES: "cluster:admin/ingest/pipeline/*",
        SGS_CLUSTER_MONITOR: "cluster:monitor/*",
        SGS_CLUSTER_READ_ILM: "cluster:admin/ilm/get cluster:admin/ilm/operation_mode/get",
        SGS_MANAGE_SNAPSHOTS: "cluster:admin/snapshot/* cluster:admin/repository/*",
      },
      index: {
        SGS_CREATE_INDEX: "indices:admin/create indices:admin/mapping/put",
        SGS_CRUD: "SGS_READ SGS_WRITE",
        SGS_DATA_ACCESS: "indices:data/* SGS_CRUD",
        SGS_DELETE: "indices:data/write/delete*",
        SGS_GET: "indices:data/read/get* indices:data/read/mget*",
        SGS_INDEX: `
          indices:data/write/index* indices:data/write/update* indices:admin/mapping/put indices:data/write/bulk*
        `,
        SGS_INDICES_ALL: "indices:*",
        SGS_INDICES_MANAGE_ILM: "indices:admin/ilm/*",
        SGS_INDICES_MONITOR: "indices:monitor/*",
        SGS_MANAGE: "indices:monitor/* indices:admin/*",
        SGS_MANAGE_ALIASES: "indices:admin/aliases*",
        SGS_READ: "indices:data/read* indices:admin/mappings/fields/get*",
        SGS_SEARCH: "indices:data/read/search* indices:data/read/msearch* SGS_SUGGEST",
        SGS_SUGGEST: "indices:data/read/suggest*",
        SGS_WRITE: "indices:data/write* indices:admin/mapping/put",
      },
      kibana: {
        SGS_KIBANA_ALL_READ: "kibana:saved_objects/*/read",
        SGS_KIBANA_ALL_WRITE: "kibana:saved_objects/*/write",
      },
    },
    roles: {
      SGS_ALL_ACCESS: { cluster: "*", indices: [["*", "*"]], tenants: [["*", "SGS_KIBANA_ALL_WRITE"]] },
      SGS_KIBANA_SERVER: {
        cluster: `
          SGS_CLUSTER_MONITOR SGS_CLUSTER_COMPOSITE_OPS cluster:admin/xpack/monitoring* indices:admin/template*
          indices:data/read/scroll*
        `,
        indices: [
          [
            `
              .kibana .kibana-6 .kibana_* .reporting* *:.reporting* .monitoring* *:.monitoring* .tasks
              .management-beats* *:.tasks *:.management-beats* .apm-* *:.apm-*
            `,
            "SGS_INDICES_ALL",
          ],
          ["*", "indices:admin/aliases*"],
        ],
      },
      SGS_KIBANA_USER: {
        cluster: "SGS_CLUSTER_COMPOSITE_OPS",
        indices: [
          [".kibana .kibana-6 .kibana_*", "SGS_READ SGS_DELETE SGS_MANAGE SGS_INDEX"],
          [".tasks .management-beats *:.tasks *:.management-beats", "SGS_INDICES_ALL"],
        ],
      },
      SGS_LOGSTASH: {
        cluster: `
          SGS_CLUSTER_MONITOR SGS_CLUSTER_COMPOSITE_OPS SGS_CLUSTER_MANAGE_INDEX_TEMPLATES SGS_CLUSTER_MANAGE_ILM
          SGS_CLUSTER_MANAGE_PIPELINES cluster:admin/xpack/monitoring*
        `,
        indices: [
          ["logstash-* *beat*", "SGS_CRUD SGS_CREATE_INDEX SGS_MANAGE"],
          ["*", "indices:admin/aliases/get"],
        ],
      },
      SGS_MANAGE_SNAPSHOTS: {
        cluster: "SGS_MANAGE_SNAPSHOTS",
        indices: [["*", "indices:data/write/index indices:admin/create"]],
      },
      SGS_OWN_INDEX: { cluster: "SGS_CLUSTER_COMPOSITE_OPS", indices: [["${user_name}", "SGS_INDICES_ALL"]] },
      SGS_READALL: { cluster: "SGS_CLUSTER_COMPOSITE_OPS_RO", indices: [["*", "SGS_READ"]] },
      SGS_READALL_AND_MONITOR: {
        cluster: "SGS_CLUSTER_MONITOR SGS_CLUSTER_COMPOSITE_OPS_RO",
        indices: [["*", "SGS_READ"]],
      },
      SGS_XP_ALERTING: {
        cluster: `
          SGS_CLUSTER_MONITOR indices:data/read/scroll cluster:admin/xpack/watcher* cluster:monitor/xpack/watcher*
        `,
        indices: [
          [
            ".watches* .watcher-history-* .triggered_watches *:.watches* *:.watcher-history-* *:.triggered_watches",
            "SGS_INDICES_ALL",
          ],
          ["*", "SGS_READ indices:admin/aliases/get"],
        ],
      },
      SGS_XP_MACHINE_LEARNING: {
        cluster: `
          SGS_CLUSTER_MONITOR cluster:admin/persistent* cluster:internal/xpack/ml* indices:data/read/scroll*
          cluster:admin/xpack/ml* cluster:monitor/xpack/ml*
        `,
        indices: [
          ["*", "SGS_READ indices:admin/get*"],
          [".ml-* *:.ml-*", "*"],
        ],
      },
      SGS_XP_MONITORING: {
        cluster: `
          SGS_CLUSTER_MONITOR cluster:monitor/xpack/info cluster:monitor/main cluster:admin/xpack/monitoring/bulk
        `,
        indices: [[".monitor* *:.monitor*", "SGS_INDICES_ALL"]],
      },
    },
    mappings: {
      SGS_ALL_ACCESS: { backend_roles: "admin" },
      SGS_KIBANA_SERVER: { users: "kibanaserver" },
      SGS_MANAGE_SNAPSHOTS: { backend_roles: "snapshotrestore" },
      SGS_READALL: { backend_roles: "readall" },
    },
    tenants: "SGS_GLOBAL_TENANT",
  };
}
