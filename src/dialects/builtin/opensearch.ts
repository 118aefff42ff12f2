import { buildReservedRolesOfThree } from "./opensearch-3-roles.ts";
import { buildReservedRoles } from "./opensearch-roles.ts";
import type { BuiltinSource } from "./source.ts";

/** What OpenSearch has, as 2.19.1 came with it, and what 3 has otherwise; releases before 2.19 have a part of it. */
export function buildOpenSearchBuiltins(release: string): BuiltinSource {
  return {
    groups: {
      all: {
        unlimited: "*",
      },
      cluster: {
        cluster_all: "cluster:*",
        cluster_composite_ops: `
          indices:data/write/bulk indices:admin/aliases* indices:data/write/reindex cluster_composite_ops_ro
        `,
        cluster_composite_ops_ro: `
          indices:data/read/mget indices:data/read/msearch indices:data/read/mtv indices:admin/aliases/exists*
          indices:admin/aliases/get* indices:data/read/scroll indices:admin/resolve/index
        `,
        cluster_manage_index_templates: `
          indices:admin/template/* indices:admin/index_template/* cluster:admin/component_template/*
        `,
        cluster_manage_pipelines: "cluster:admin/ingest/pipeline/*",
        cluster_monitor: "cluster:monitor/*",
        manage_snapshots: "cluster:admin/snapshot/* cluster:admin/repository/*",
      },
      index: {
        create_index: "indices:admin/create indices:admin/mapping/put",
        crud: "read write",
        data_access: "indices:data/* crud",
        delete: "indices:data/write/delete*",
        get: "indices:data/read/get* indices:data/read/mget*",
        index: `
          indices:data/write/index* indices:data/write/update* indices:admin/mapping/put indices:data/write/bulk*
        `,
        indices_all: "indices:*",
        indices_monitor: "indices:monitor/*",
        manage: "indices:monitor/* indices:admin/*",
        manage_aliases: "indices:admin/aliases*",
        manage_data_streams: "indices:admin/data_stream/* indices:monitor/data_stream/stats",
        manage_point_in_time: `
          indices:data/read/point_in_time/create indices:data/read/point_in_time/delete
          indices:data/read/point_in_time/readall indices:data/read/search indices:monitor/point_in_time/segments
        `,
        read: "indices:data/read* indices:admin/mappings/fields/get* indices:admin/resolve/index",
        search: "indices:data/read/search* indices:data/read/msearch* indices:admin/resolve/index suggest",
        suggest: "indices:data/read/suggest*",
        write: "indices:data/write* indices:admin/mapping/put",
      },
      kibana: {
        kibana_all_read: "kibana:saved_objects/*/read",
        kibana_all_write: "kibana:saved_objects/*/write",
      },
    },
    roles: {
      all_access: { cluster: "*", indices: [["*", "*"]], tenants: [["*", "kibana_all_write"]] },
      kibana_server: {
        cluster: `
          cluster_monitor cluster_composite_ops manage_point_in_time indices:admin/template*
          indices:admin/index_template* indices:data/read/scroll*
        `,
        indices: [
          [".kibana .opensearch_dashboards", "indices_all"],
          [".kibana-6 .opensearch_dashboards-6", "indices_all"],
          [".kibana_* .opensearch_dashboards_*", "indices_all"],
          [".tasks", "indices_all"],
          [".management-beats*", "indices_all"],
          ["*", "indices:admin/aliases*"],
        ],
      },
      kibana_user: {
        cluster: "cluster_composite_ops",
        indices: [
          [
            ".kibana .kibana-6 .kibana_* .opensearch_dashboards .opensearch_dashboards-6 .opensearch_dashboards_*",
            "read delete manage index",
          ],
          [".tasks .management-beats *:.tasks *:.management-beats", "indices_all"],
        ],
      },
      logstash: {
        cluster: `
          cluster_monitor cluster_composite_ops indices:admin/template/get indices:admin/template/put
          cluster:admin/ingest/pipeline/put cluster:admin/ingest/pipeline/get
        `,
        indices: [
          ["logstash-* ecs-logstash-*", "crud create_index"],
          ["*beat*", "crud create_index"],
        ],
      },
      manage_snapshots: {
        cluster: "manage_snapshots",
        indices: [["*", "indices:data/write/index indices:admin/create"]],
      },
      own_index: { cluster: "cluster_composite_ops", indices: [["${user_name}", "indices_all"]] },
      readall: { cluster: "cluster_composite_ops_ro", indices: [["*", "read"]] },
      readall_and_monitor: { cluster: "cluster_monitor cluster_composite_ops_ro", indices: [["*", "read"]] },
    },
    reservedRoles: { ...buildReservedRoles(), ...buildReservedRolesOfThree(release) },
    mappings: {
      kibana_server: { users: "kibanaserver" },
    },
    tenants: "global_tenant",
  };
}
