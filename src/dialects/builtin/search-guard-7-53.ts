import { buildSearchGuard7Builtins } from "./search-guard-7.ts";
import type { BuiltinSource } from "./source.ts";

/** Search Guard 7 from about build 45 on, by the sources of 7.x-53: what differs from before. */
export function buildSearchGuard753Builtins(): BuiltinSource {
  const before = buildSearchGuard7Builtins();
  return {
    groups: {
      ...before.groups,
      cluster: {
        ...before.groups.cluster,
        SGS_CLUSTER_COMPOSITE_OPS_RO: `
          indices:data/read/mget indices:data/read/msearch indices:data/read/mtv indices:data/read/sql
          indices:data/read/sql/translate indices:data/read/sql/close_cursor indices:admin/aliases/exists*
          indices:admin/aliases/get* indices:data/read/scroll* indices:data/read/async_search/*
        `,
        SGS_CLUSTER_MANAGE_INDEX_TEMPLATES: `
          indices:admin/template/* indices:admin/index_template/* cluster:admin/component_template/*
        `,
        SGS_CREATE_MANAGE_OWN_AUTH_TOKEN: `
          cluster:admin:searchguard:authtoken/_own/create cluster:admin:searchguard:authtoken/_own/get
          cluster:admin:searchguard:authtoken/_own/revoke cluster:admin:searchguard:authtoken/_own/search
          cluster:admin:searchguard:authtoken/info
        `,
        SGS_MANAGE_ALL_AUTH_TOKEN: `
          cluster:admin:searchguard:authtoken/_own/get cluster:admin:searchguard:authtoken/_own/revoke
          cluster:admin:searchguard:authtoken/_own/search cluster:admin:searchguard:authtoken/_all/get
          cluster:admin:searchguard:authtoken/_all/revoke cluster:admin:searchguard:authtoken/_all/search
          cluster:admin:searchguard:authtoken/info
        `,
        SGS_SEARCH_TEMPLATES: "indices:data/read/search/template indices:data/read/msearch/template",
      },
      index: {
        ...before.groups.index,
        SGS_CREATE_INDEX: `
          indices:admin/create indices:admin/mapping/put indices:admin/mapping/auto_put indices:admin/auto_create
        `,
        SGS_INDEX: `
          indices:data/write/index* indices:data/write/update* indices:admin/mapping/put
          indices:admin/mapping/auto_put indices:data/write/bulk*
        `,
        SGS_READ: "indices:data/read* indices:admin/mappings/fields/get* indices:admin/resolve/index",
        SGS_WRITE: "indices:data/write* indices:admin/mapping/put indices:admin/mapping/auto_put",
      },
      signals: {
        ...before.groups.signals,
        SGS_SIGNALS_ACCOUNT_MANAGE: `
          SGS_SIGNALS_ACCOUNT_READ cluster:admin:searchguard:signals:account/put
          cluster:admin:searchguard:signals:account/delete
        `,
        SGS_SIGNALS_ACCOUNT_READ: `
          cluster:admin:searchguard:signals:account/get cluster:admin:searchguard:signals:account/search
        `,
        SGS_SIGNALS_ALL: "cluster:admin:searchguard:tenant:signals:* cluster:admin:searchguard:signals:*",
        SGS_SIGNALS_WATCH_ACKNOWLEDGE: "cluster:admin:searchguard:tenant:signals:watch/ack",
        SGS_SIGNALS_WATCH_ACTIVATE: "cluster:admin:searchguard:tenant:signals:watch/activate_deactivate",
        SGS_SIGNALS_WATCH_EXECUTE: "cluster:admin:searchguard:tenant:signals:watch/execute",
        SGS_SIGNALS_WATCH_MANAGE: `
          SGS_SIGNALS_WATCH_READ cluster:admin:searchguard:tenant:signals:watch/put
          cluster:admin:searchguard:tenant:signals:watch/delete cluster:admin:searchguard:tenant:signals:watch/execute
          cluster:admin:searchguard:tenant:signals:watch/activate_deactivate
          cluster:admin:searchguard:tenant:signals:watch/ack
        `,
        SGS_SIGNALS_WATCH_READ: `
          cluster:admin:searchguard:tenant:signals:watch/get cluster:admin:searchguard:tenant:signals:watch/search
          cluster:admin:searchguard:tenant:signals:watch:state/get
          cluster:admin:searchguard:tenant:signals:watch:state/search
        `,
      },
    },
    roles: {
      ...before.roles,
      SGS_ALL_ACCESS: { cluster: "*", indices: [["*", "*"]], tenants: [["*", "*"]] },
      SGS_KIBANA_SERVER: {
        cluster: `
          SGS_CLUSTER_MONITOR SGS_CLUSTER_COMPOSITE_OPS cluster:admin/xpack/monitoring* indices:admin/template*
          cluster:admin/component_template* indices:admin/index_template* indices:data/read/scroll*
          SGS_CLUSTER_MANAGE_ILM cluster:admin:searchguard:authtoken/info
        `,
        indices: [
          [
            `
              .kibana .kibana-6 .kibana_* .reporting* *:.reporting* .monitoring* *:.monitoring* .tasks
              .management-beats* *:.tasks *:.management-beats* .apm-* *:.apm-* .kibana-event-log-*
              *:.kibana-event-log-*
            `,
            "SGS_INDICES_ALL",
          ],
          [
            "*",
            `
              indices:admin/aliases* indices:data/read/close_point_in_time indices:admin/mappings/get
              indices:monitor/settings/get indices:monitor/stats indices:data/read/field_caps*
            `,
          ],
        ],
      },
      SGS_KIBANA_USER: {
        cluster: "SGS_CLUSTER_COMPOSITE_OPS",
        indices: [
          [
            ".kibana .kibana-6 /\\.kibana_[0-9]+/ .kibana_task_manager /\\.kibana_task_manager_[0-9]+/",
            "SGS_READ SGS_DELETE SGS_MANAGE SGS_INDEX",
          ],
          [".tasks .management-beats *:.tasks *:.management-beats", "SGS_INDICES_ALL"],
        ],
      },
    },
    mappings: before.mappings,
    tenants: before.tenants,
  };
}
