import type { BuiltinRoles } from "./source.ts";

/** Roles of the plugins of OpenSearch: reserved, not static, so an administrator may have taken them away. */
export function buildReservedRoles(): BuiltinRoles {
  return {
    alerting_ack_alerts: {
      cluster: `
        cluster:admin/opendistro/alerting/alerts/* cluster:admin/opendistro/alerting/chained_alerts/*
        cluster:admin/opendistro/alerting/workflow_alerts/* cluster:admin/opensearch/alerting/comments/*
      `,
    },
    alerting_full_access: {
      cluster: `
        cluster_monitor cluster:admin/opendistro/alerting/* cluster:admin/opensearch/alerting/*
        cluster:admin/opensearch/notifications/feature/publish
      `,
      indices: [["*", "indices_monitor indices:admin/aliases/get indices:admin/mappings/get"]],
    },
    alerting_read_access: {
      cluster: `
        cluster:admin/opendistro/alerting/alerts/get cluster:admin/opendistro/alerting/destination/get
        cluster:admin/opendistro/alerting/monitor/get cluster:admin/opendistro/alerting/monitor/search
        cluster:admin/opensearch/alerting/comments/search cluster:admin/opensearch/alerting/findings/get
        cluster:admin/opensearch/alerting/remote/indexes/get cluster:admin/opensearch/alerting/workflow/get
        cluster:admin/opensearch/alerting/workflow_alerts/get
      `,
    },
    anomaly_full_access: {
      cluster: `
        cluster:admin/ingest/pipeline/delete cluster:admin/ingest/pipeline/put cluster_monitor
        cluster:admin/opendistro/ad/*
      `,
      indices: [
        [
          "*",
          `
            indices:admin/aliases/get indices:admin/mappings/fields/get indices:admin/mappings/fields/get*
            indices:admin/mappings/get indices:admin/resolve/index indices:admin/setting/put
            indices:data/read/field_caps* indices:data/read/search indices_monitor
          `,
        ],
      ],
    },
    anomaly_read_access: {
      cluster: `
        cluster:admin/opendistro/ad/detector/info cluster:admin/opendistro/ad/detector/search
        cluster:admin/opendistro/ad/detectors/get cluster:admin/opendistro/ad/result/search
        cluster:admin/opendistro/ad/tasks/search cluster:admin/opendistro/ad/detector/validate
        cluster:admin/opendistro/ad/result/topAnomalies
      `,
    },
    asynchronous_search_full_access: {
      cluster: "cluster:admin/opendistro/asynchronous_search/*",
      indices: [["*", "indices:data/read/search*"]],
    },
    asynchronous_search_read_access: { cluster: "cluster:admin/opendistro/asynchronous_search/get" },
    cross_cluster_replication_follower_full_access: {
      cluster: "cluster:admin/plugins/replication/autofollow/update",
      indices: [
        [
          "*",
          `
            indices:admin/plugins/replication/index/setup/validate indices:data/write/plugins/replication/changes
            indices:admin/plugins/replication/index/start indices:admin/plugins/replication/index/pause
            indices:admin/plugins/replication/index/resume indices:admin/plugins/replication/index/stop
            indices:admin/plugins/replication/index/update indices:admin/plugins/replication/index/status_check
          `,
        ],
      ],
    },
    cross_cluster_replication_leader_full_access: {
      indices: [
        [
          "*",
          `
            indices:admin/plugins/replication/index/setup/validate indices:data/read/plugins/replication/changes
            indices:data/read/plugins/replication/file_chunk
          `,
        ],
      ],
    },
    cross_cluster_search_remote_full_access: {
      indices: [["*", "indices:admin/shards/search_shards indices:data/read/search"]],
    },
    flow_framework_full_access: {
      cluster: "cluster:admin/opensearch/flow_framework/* cluster_monitor",
      indices: [["*", "indices:admin/aliases/get indices:admin/mappings/get indices_monitor"]],
    },
    flow_framework_read_access: {
      cluster: `
        cluster:admin/opensearch/flow_framework/workflow/get cluster:admin/opensearch/flow_framework/workflow/search
        cluster:admin/opensearch/flow_framework/workflow_state/get
        cluster:admin/opensearch/flow_framework/workflow_state/search
        cluster:admin/opensearch/flow_framework/workflow_step/get
      `,
    },
    index_management_full_access: {
      cluster: `
        cluster:admin/opendistro/ism/* cluster:admin/opendistro/rollup/* cluster:admin/opendistro/transform/*
        cluster:admin/opensearch/controlcenter/lron/* cluster:admin/opensearch/notifications/channels/get
        cluster:admin/opensearch/notifications/feature/publish
      `,
      indices: [["*", "indices:admin/opensearch/ism/*"]],
    },
    ip2geo_datasource_full_access: { cluster: "cluster:admin/geospatial/datasource/*" },
    ip2geo_datasource_read_access: { cluster: "cluster:admin/geospatial/datasource/get" },
    kibana_read_only: {},
    knn_full_access: {
      cluster: `
        cluster:admin/knn_training_model_action cluster:admin/knn_training_job_router_action
        cluster:admin/knn_training_job_route_decision_info_action cluster:admin/knn_warmup_action
        cluster:admin/knn_delete_model_action cluster:admin/knn_remove_model_from_cache_action
        cluster:admin/knn_update_model_graveyard_action cluster:admin/knn_search_model_action
        cluster:admin/knn_get_model_action cluster:admin/knn_stats_action
      `,
    },
    knn_read_access: {
      cluster: `
        cluster:admin/knn_search_model_action cluster:admin/knn_get_model_action cluster:admin/knn_stats_action
      `,
    },
    ltr_full_access: { cluster: "cluster:admin/ltr/*" },
    ltr_read_access: {
      cluster: "cluster:admin/ltr/caches/stats cluster:admin/ltr/featurestore/list cluster:admin/ltr/stats",
    },
    ml_full_access: { cluster: "cluster_monitor cluster:admin/opensearch/ml/*", indices: [["*", "indices_monitor"]] },
    ml_read_access: {
      cluster: `
        cluster:admin/opensearch/ml/config/get cluster:admin/opensearch/ml/connectors/get
        cluster:admin/opensearch/ml/connectors/search cluster:admin/opensearch/ml/controllers/get
        cluster:admin/opensearch/ml/memory/conversation/get
        cluster:admin/opensearch/ml/memory/conversation/interaction/search
        cluster:admin/opensearch/ml/memory/conversation/list cluster:admin/opensearch/ml/memory/conversation/search
        cluster:admin/opensearch/ml/memory/interaction/get cluster:admin/opensearch/ml/memory/interaction/list
        cluster:admin/opensearch/ml/memory/trace/get cluster:admin/opensearch/ml/model_groups/get
        cluster:admin/opensearch/ml/model_groups/search cluster:admin/opensearch/ml/models/get
        cluster:admin/opensearch/ml/models/search cluster:admin/opensearch/ml/profile/nodes
        cluster:admin/opensearch/ml/stats/nodes cluster:admin/opensearch/ml/tasks/get
        cluster:admin/opensearch/ml/tasks/search cluster:admin/opensearch/ml/tools/get
        cluster:admin/opensearch/ml/tools/list
      `,
    },
    notebooks_full_access: {
      cluster: `
        cluster:admin/opendistro/notebooks/create cluster:admin/opendistro/notebooks/update
        cluster:admin/opendistro/notebooks/delete cluster:admin/opendistro/notebooks/get
        cluster:admin/opendistro/notebooks/list
      `,
    },
    notebooks_read_access: {
      cluster: "cluster:admin/opendistro/notebooks/list cluster:admin/opendistro/notebooks/get",
    },
    notifications_full_access: { cluster: "cluster:admin/opensearch/notifications/*" },
    notifications_read_access: {
      cluster: `
        cluster:admin/opensearch/notifications/configs/get cluster:admin/opensearch/notifications/features
        cluster:admin/opensearch/notifications/channels/get
      `,
    },
    observability_full_access: {
      cluster: `
        cluster:admin/opensearch/observability/create cluster:admin/opensearch/observability/update
        cluster:admin/opensearch/observability/delete cluster:admin/opensearch/observability/get
      `,
    },
    observability_read_access: { cluster: "cluster:admin/opensearch/observability/get" },
    point_in_time_full_access: { indices: [["*", "manage_point_in_time"]] },
    ppl_full_access: {
      cluster: "cluster:admin/opensearch/ppl",
      indices: [["*", "indices:admin/mappings/get indices:data/read/search* indices:monitor/settings/get"]],
    },
    query_assistant_access: {
      cluster: `
        cluster:admin/opensearch/ml/config/get cluster:admin/opensearch/ml/execute cluster:admin/opensearch/ml/predict
        cluster:admin/opensearch/ppl
      `,
    },
    query_insights_full_access: {
      cluster: "cluster:admin/opensearch/insights/top_queries/*",
      indices: [["top_queries_by_*", "indices_all"]],
    },
    reports_full_access: {
      cluster: `
        cluster:admin/opendistro/reports/definition/create cluster:admin/opendistro/reports/definition/update
        cluster:admin/opendistro/reports/definition/on_demand cluster:admin/opendistro/reports/definition/delete
        cluster:admin/opendistro/reports/definition/get cluster:admin/opendistro/reports/definition/list
        cluster:admin/opendistro/reports/instance/list cluster:admin/opendistro/reports/instance/get
        cluster:admin/opendistro/reports/menu/download
      `,
    },
    reports_instances_read_access: {
      cluster: `
        cluster:admin/opendistro/reports/instance/list cluster:admin/opendistro/reports/instance/get
        cluster:admin/opendistro/reports/menu/download
      `,
    },
    reports_read_access: {
      cluster: `
        cluster:admin/opendistro/reports/definition/get cluster:admin/opendistro/reports/definition/list
        cluster:admin/opendistro/reports/instance/list cluster:admin/opendistro/reports/instance/get
        cluster:admin/opendistro/reports/menu/download
      `,
    },
    security_analytics_ack_alerts: {
      cluster: `
        cluster:admin/opensearch/securityanalytics/alerts/*
        cluster:admin/opensearch/securityanalytics/correlationAlerts/*
        cluster:admin/opensearch/securityanalytics/threatintel/alerts/*
      `,
    },
    security_analytics_full_access: {
      cluster: `
        cluster:admin/opensearch/securityanalytics/alerts/* cluster:admin/opensearch/securityanalytics/connections/*
        cluster:admin/opensearch/securityanalytics/correlationAlerts/*
        cluster:admin/opensearch/securityanalytics/correlations/*
        cluster:admin/opensearch/securityanalytics/detector/* cluster:admin/opensearch/securityanalytics/findings/*
        cluster:admin/opensearch/securityanalytics/logtype/* cluster:admin/opensearch/securityanalytics/mapping/*
        cluster:admin/opensearch/securityanalytics/rule/* cluster:admin/opensearch/securityanalytics/threatintel/*
      `,
      indices: [["*", "indices:admin/mapping/put indices:admin/mappings/get"]],
    },
    security_analytics_read_access: {
      cluster: `
        cluster:admin/opensearch/securityanalytics/alerts/get
        cluster:admin/opensearch/securityanalytics/correlationAlerts/get
        cluster:admin/opensearch/securityanalytics/correlations/findings
        cluster:admin/opensearch/securityanalytics/correlations/list
        cluster:admin/opensearch/securityanalytics/detector/get
        cluster:admin/opensearch/securityanalytics/detector/search
        cluster:admin/opensearch/securityanalytics/findings/get
        cluster:admin/opensearch/securityanalytics/logtype/search
        cluster:admin/opensearch/securityanalytics/mapping/get
        cluster:admin/opensearch/securityanalytics/mapping/view/get
        cluster:admin/opensearch/securityanalytics/rule/get cluster:admin/opensearch/securityanalytics/rule/search
        cluster:admin/opensearch/securityanalytics/threatintel/alerts/get
        cluster:admin/opensearch/securityanalytics/threatintel/iocs/findings/get
        cluster:admin/opensearch/securityanalytics/threatintel/iocs/list
        cluster:admin/opensearch/securityanalytics/threatintel/monitors/search
        cluster:admin/opensearch/securityanalytics/threatintel/sources/get
        cluster:admin/opensearch/securityanalytics/threatintel/sources/search
      `,
    },
    security_rest_api_access: {},
    security_rest_api_full_access: {
      cluster: `
        restapi:admin/actiongroups restapi:admin/allowlist restapi:admin/config/update restapi:admin/internalusers
        restapi:admin/nodesdn restapi:admin/roles restapi:admin/rolesmapping restapi:admin/ssl/certs/info
        restapi:admin/ssl/certs/reload restapi:admin/tenants
      `,
    },
    snapshot_management_full_access: {
      cluster: `
        cluster:admin/opensearch/snapshot_management/* cluster:admin/opensearch/notifications/feature/publish
        cluster:admin/repository/* cluster:admin/snapshot/*
      `,
    },
    snapshot_management_read_access: {
      cluster: `
        cluster:admin/opensearch/snapshot_management/policy/get
        cluster:admin/opensearch/snapshot_management/policy/search
        cluster:admin/opensearch/snapshot_management/policy/explain cluster:admin/repository/get
        cluster:admin/snapshot/get
      `,
    },
  };
}
