import { buildSearchGuard753Builtins } from "./search-guard-7-53.ts";
import type { BuiltinSource } from "./source.ts";

/** What the dashboards keep their objects in. */
const dashboardIndices = String.raw`
  .kibana .kibana-6 .kibana_ /\.kibana_[0-9]+/ /\.kibana_[0-9]+\.[0-9]+\.[0-9]+_[0-9]+/
  .kibana_task_manager /\.kibana_task_manager_[0-9]+/ .kibana_analytics
  /\.kibana_analytics_[0-9]+\.[0-9]+\.[0-9]+_[0-9]+/ .kibana_ingest
  /\.kibana_ingest_[0-9]+\.[0-9]+\.[0-9]+_[0-9]+/ .kibana_security_solution
  /\.kibana_security_solution_[0-9]+\.[0-9]+\.[0-9]+_[0-9]+/ .kibana_alerting_cases
  /\.kibana_alerting_cases_[0-9]+\.[0-9]+\.[0-9]+_[0-9]+/
`;

/** Search Guard FLX, by the sources of 4.x: what differs from the last 7.x. Its tools bring no mapping along. */
export function buildFlxBuiltins(): BuiltinSource {
  const before = buildSearchGuard753Builtins();
  return {
    groups: {
      ...before.groups,
      cluster: {
        ...before.groups.cluster,
        SGS_CLUSTER_COMPOSITE_OPS_RO: `
          indices:data/read/mget indices:data/read/msearch indices:data/read/mtv indices:data/read/sql
          indices:data/read/sql/translate indices:data/read/sql/close_cursor indices:admin/aliases/exists*
          indices:admin/aliases/get* indices:data/read/scroll* indices:data/read/async_search/*
          cluster:monitor/async_search/status indices:data/read/close_point_in_time indices:data/read/sql/async/get
        `,
        SGS_CLUSTER_SQL_READ: `
          indices:data/read/sql indices:data/read/sql/close_cursor indices:data/read/close_point_in_time
          indices:data/read/sql/async/get indices:data/read/async_search/delete cluster:monitor/xpack/sql/async/status
        `,
        SGS_PERSONAL_SESSIONS: `
          cluster:admin:searchguard:login/session cluster:admin:searchguard:session/_own/get/extended
          cluster:admin:searchguard:session/_own/delete cluster:admin:searchguard:session/create
        `,
      },
      index: {
        ...before.groups.index,
        SGS_CREATE_DATA_STREAM: "SGS_CREATE_INDEX indices:admin/data_stream/create",
        SGS_FAILURE_STORE_ACCESS: "special:failure_store",
        SGS_INDICES_MONITOR: "indices:monitor/* indices:admin/data_stream/get",
        SGS_MANAGE_DATA_STREAMS: "indices:admin/data_stream/* indices:monitor/data_stream/*",
        SGS_MONITOR_DATA_STREAMS: "indices:admin/data_stream/get indices:monitor/data_stream/*",
        SGS_READ: `
          indices:data/read* indices:admin/mappings/fields/get* indices:admin/resolve/index indices:admin/analyze
        `,
        SGS_SQL_READ: "indices:data/read/field_caps indices:data/read/open_point_in_time indices:data/read/search",
      },
      signals: {
        ...before.groups.signals,
        SGS_SIGNALS_PROXY_CONFIG_READ: `
          cluster:admin:searchguard:signals:proxies/findone cluster:admin:searchguard:signals:proxies/findall
        `,
        SGS_SIGNALS_PROXY_CONFIG_WRITE: `
          SGS_SIGNALS_PROXY_CONFIG_READ cluster:admin:searchguard:signals:proxies/delete
          cluster:admin:searchguard:signals:proxies/createorreplace
        `,
        SGS_SIGNALS_TENANT_ACCOUNT_MANAGE: `
          SGS_SIGNALS_TENANT_ACCOUNT_READ cluster:admin:searchguard:tenant:signals:account/put
          cluster:admin:searchguard:tenant:signals:account/delete
        `,
        SGS_SIGNALS_TENANT_ACCOUNT_READ: `
          cluster:admin:searchguard:tenant:signals:account/get cluster:admin:searchguard:tenant:signals:account/search
        `,
        SGS_SIGNALS_TRUSTSTORE_CONFIG_READ: `
          cluster:admin:searchguard:signals:truststores/findone cluster:admin:searchguard:signals:truststores/findall
        `,
        SGS_SIGNALS_TRUSTSTORE_CONFIG_WRITE: `
          SGS_SIGNALS_TRUSTSTORE_CONFIG_READ cluster:admin:searchguard:signals:truststores/delete
          cluster:admin:searchguard:signals:truststores/createorreplace
        `,
      },
    },
    roles: {
      ...before.roles,
      SGS_ALL_ACCESS: {
        cluster: "*",
        indices: [["*", "*"]],
        aliases: [["*", "*"]],
        streams: [["*", "*"]],
        tenants: [["*", "*"]],
      },
      SGS_KIBANA_SERVER: {
        cluster: `
          SGS_CLUSTER_MONITOR SGS_CLUSTER_COMPOSITE_OPS cluster:admin/xpack/monitoring* indices:admin/template*
          cluster:admin/component_template* indices:admin/index_template* indices:data/read/scroll*
          SGS_CLUSTER_MANAGE_ILM cluster:admin:searchguard:authtoken/info
          cluster:admin:searchguard:auth/frontend/config/get indices:searchguard:async_search/_all_owners
          cluster:admin/ingest/pipeline/put cluster:admin/transform/put cluster:admin/transform/start
          cluster:admin/ingest/pipeline/get cluster:admin/script* cluster:admin/streams/logs/toggle
        `,
        indices: [
          [
            `
              .kibana .kibana-6 .kibana_* .reporting* *:.reporting* .monitoring* *:.monitoring* .tasks
              .management-beats* *:.tasks *:.management-beats* .apm-* *:.apm-* .kibana-event-log-*
              .ds-.kibana-event-log-* .kibana-reporting* .ds-.kibana-reporting* *:.kibana-event-log-* .fleet-agents
              logs-cloud_security_posture* .kibana-observability-ai-assistant-conversations*
              .kibana-observability-ai-assistant-kb* .internal.alerts* .slo-observability.sli-v*
              .slo-observability.summary-v* logs-cloud_defend.* .elastic-connectors .kibana-siem-rule-migrations*
              .elastic-connectors* .internal.cases* .workflows-*
            `,
            "SGS_INDICES_ALL",
          ],
          ["security_solution-cloud_security_posture.*", "SGS_READ indices:admin/get"],
          [
            "*",
            `
              indices:admin/aliases* indices:data/read/close_point_in_time indices:data/read/open_point_in_time
              indices:admin/mappings/get indices:monitor/settings/get indices:monitor/stats
              indices:data/read/field_caps* indices:data/read/esql*
            `,
          ],
          [".internal.alerts*", "indices:admin/create"],
        ],
        aliases: [
          [".kibana* .alerts* .internal.alerts* .cases*", "SGS_READ SGS_DELETE SGS_MANAGE SGS_INDEX"],
          ["*", "indices:admin/mappings/get"],
        ],
        streams: [
          [
            `
              .kibana-event-log-ds* .kibana-reporting* .edr-workflow-insights* .workflows-execution-data-stream-logs
              logs* .slo-observability.* .workflows-events
            `,
            "*",
          ],
        ],
      },
      SGS_KIBANA_USER: {
        cluster: `
          SGS_CLUSTER_COMPOSITE_OPS SGS_PERSONAL_SESSIONS cluster:admin:searchguard:femt:user/available_tenants/get
        `,
        indices: [
          [".tasks .management-beats *:.tasks *:.management-beats", "SGS_INDICES_ALL"],
          [dashboardIndices, "indices:data/read/open_point_in_time"],
        ],
        aliases: [[".kibana*", "indices:data/read/open_point_in_time"]],
        tenants: [["SGS_GLOBAL_TENANT", "kibana:saved_objects/_/write"]],
      },
      SGS_KIBANA_USER_NO_DEFAULT_TENANT: {
        cluster: "SGS_CLUSTER_COMPOSITE_OPS SGS_PERSONAL_SESSIONS",
        indices: [
          [".tasks .management-beats *:.tasks *:.management-beats", "SGS_READ SGS_DELETE SGS_MANAGE SGS_INDEX"],
        ],
      },
      SGS_KIBANA_USER_NO_GLOBAL_TENANT: {
        cluster: `
          SGS_CLUSTER_COMPOSITE_OPS SGS_PERSONAL_SESSIONS cluster:admin:searchguard:femt:user/available_tenants/get
        `,
        indices: [
          [".tasks .management-beats *:.tasks *:.management-beats", "SGS_INDICES_ALL"],
          [dashboardIndices, "indices:data/read/open_point_in_time"],
        ],
      },
      SGS_KIBANA_USER_NO_MT: {
        cluster: "SGS_CLUSTER_COMPOSITE_OPS SGS_PERSONAL_SESSIONS",
        indices: [
          [dashboardIndices, "SGS_READ SGS_DELETE SGS_MANAGE SGS_INDEX"],
          [".tasks .management-beats *:.tasks *:.management-beats", "SGS_INDICES_ALL"],
        ],
        aliases: [[".kibana*", "SGS_READ SGS_DELETE SGS_MANAGE SGS_INDEX"]],
      },
      SGS_XP_MONITORING: {
        cluster: `
          SGS_CLUSTER_MONITOR cluster:monitor/xpack/info cluster:monitor/main cluster:admin/xpack/monitoring/bulk
          cluster:admin/desired_balance/get
        `,
        indices: [[".monitor* *:.monitor*", "SGS_INDICES_ALL"]],
      },
    },
    mappings: {},
    tenants: before.tenants,
  };
}
