import { isOpenSearchBefore } from "../release.ts";
import type { BuiltinRoles } from "./source.ts";

/**
 * What OpenSearch 3 has otherwise than 2.19, as a new cluster of the release comes with it: one that was upgraded keeps the
 * roles of its first release. 3.8 as it was seen, the others by the sources.
 */
export function buildReservedRolesOfThree(release: string): BuiltinRoles {
  return Object.assign(
    {},
    ...changes.filter(([since]) => !isOpenSearchBefore(release, since)).map(([, roles]) => roles),
  );
}

/** Oldest first: a later one takes the place of an earlier one. */
const changes: readonly (readonly [since: string, roles: BuiltinRoles])[] = [
  [
    "3.0.0",
    {
      index_management_full_access: {
        cluster: `
          cluster:admin/opendistro/ism/* cluster:admin/opendistro/rollup/* cluster:admin/opendistro/transform/*
          cluster:admin/opensearch/controlcenter/lron/* cluster:admin/opensearch/notifications/channels/get
          cluster:admin/opensearch/notifications/feature/publish
        `,
        indices: [["*", "indices:admin/opensearch/ism/* indices:internal/plugins/replication/index/stop"]],
      },
    },
  ],
  [
    "3.1.0",
    {
      forecast_full_access: {
        cluster: "cluster:admin/plugin/forecast/* cluster:admin/settings/update cluster_monitor",
        indices: [
          [
            "*",
            `
              indices:admin/aliases/get indices:admin/mapping/get indices:admin/mapping/put
              indices:admin/mappings/fields/get* indices:admin/mappings/get indices:admin/resolve/index
              indices:data/read* indices:data/read/field_caps* indices:data/read/search indices:data/write*
              indices_monitor
            `,
          ],
        ],
      },
      forecast_read_access: {
        cluster: `
          cluster:admin/plugin/forecast/forecaster/info cluster:admin/plugin/forecast/forecaster/stats
          cluster:admin/plugin/forecast/forecaster/suggest cluster:admin/plugin/forecast/forecaster/validate
          cluster:admin/plugin/forecast/forecasters/get cluster:admin/plugin/forecast/forecasters/info
          cluster:admin/plugin/forecast/forecasters/search cluster:admin/plugin/forecast/result/topForecasts
          cluster:admin/plugin/forecast/tasks/search
        `,
        indices: [
          [
            "opensearch-forecast-result*",
            "indices:admin/mappings/fields/get* indices:admin/resolve/index indices:data/read*",
          ],
        ],
      },
      search_relevance_full_access: {
        cluster: "cluster:admin/opensearch/search_relevance/*",
        indices: [["*", "indices:admin/mappings/get indices:data/read/search*"]],
      },
      search_relevance_read_access: { cluster: readsSearchRelevance() },
    },
  ],
  [
    "3.2.0",
    {
      query_insights_full_access: {
        cluster: "cluster:admin/opensearch/insights/live_queries/* cluster:admin/opensearch/insights/top_queries/*",
        indices: [["top_queries-*", "indices_all"]],
      },
    },
  ],
  [
    "3.3.0",
    {
      query_insights_full_access: {
        cluster: "cluster:admin/opensearch/insights/*",
        indices: [["top_queries-*", "indices_all"]],
      },
    },
  ],
  [
    "3.4.0",
    {
      alerting_read_access: {
        cluster: `
          cluster:admin/opendistro/alerting/alerts/get cluster:admin/opendistro/alerting/destination/get
          cluster:admin/opendistro/alerting/monitor/get cluster:admin/opendistro/alerting/monitor/search
          cluster:admin/opensearch/alerting/comments/search cluster:admin/opensearch/alerting/findings/get
          cluster:admin/opensearch/alerting/remote/indexes/get cluster:admin/opensearch/alerting/v2/alerts/get
          cluster:admin/opensearch/alerting/v2/monitor/get cluster:admin/opensearch/alerting/v2/monitor/search
          cluster:admin/opensearch/alerting/workflow/get cluster:admin/opensearch/alerting/workflow_alerts/get
        `,
      },
      anomaly_read_access: {
        cluster: `
          cluster:admin/opendistro/ad/detector/info cluster:admin/opendistro/ad/detector/search
          cluster:admin/opendistro/ad/detector/suggest cluster:admin/opendistro/ad/detector/validate
          cluster:admin/opendistro/ad/detectors/get cluster:admin/opendistro/ad/result/search
          cluster:admin/opendistro/ad/result/topAnomalies cluster:admin/opendistro/ad/tasks/search
        `,
      },
      search_relevance_full_access: {
        cluster: "cluster:admin/opensearch/search_relevance/*",
        indices: [["*", "indices:admin/mappings/get indices:data/read/*"]],
      },
      search_relevance_read_access: {
        cluster: readsSearchRelevance(),
        indices: [["search-relevance-*", "indices:admin/mappings/get indices:data/read/*"]],
      },
      security_rest_api_full_access: {
        cluster: `
          restapi:admin/actiongroups restapi:admin/allowlist restapi:admin/config/update restapi:admin/internalusers
          restapi:admin/nodesdn restapi:admin/resource_sharing/migrate restapi:admin/roles restapi:admin/rolesmapping
          restapi:admin/ssl/certs/info restapi:admin/ssl/certs/reload restapi:admin/tenants
        `,
      },
    },
  ],
  [
    "3.9.0",
    {
      ppl_full_access: {
        cluster: "cluster:admin/opensearch/ppl",
        indices: [
          [
            "*",
            `
              indices:admin/mappings/get indices:admin/resolve/index indices:data/read/field_caps*
              indices:data/read/point_in_time/create indices:data/read/point_in_time/delete indices:data/read/search*
              indices:monitor/settings/get
            `,
          ],
        ],
      },
    },
  ],
];

function readsSearchRelevance(): string {
  return `
    cluster:admin/opensearch/search_relevance/experiment/get cluster:admin/opensearch/search_relevance/judgment/get
    cluster:admin/opensearch/search_relevance/queryset/get
    cluster:admin/opensearch/search_relevance/search_configuration/get
  `;
}
