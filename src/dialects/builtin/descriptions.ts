// Descriptions of built-in entries. OpenSearch kept most of them from Search Guard, whose names are in upper case after SGS_.
import type { ResourceFamily } from "../../model/names.ts";
import type { Dialect } from "../dialect.ts";

/** The description that a server shows; undefined where it has none, or where none was seen. */
export function getBuiltinDescription({ product }: Dialect, family: ResourceFamily, name: string): string | undefined {
  const explained = descriptions[family] ?? {};
  if (product === "opensearch") return inOpenSearch[name] ?? explained[name];
  return name.startsWith("SGS_") ? explained[name.slice("SGS_".length).toLowerCase()] : undefined;
}

/** Where it speaks of itself. */
const inOpenSearch: Readonly<Record<string, string>> = {
  kibana_all_read: "Allow reading in all OpenSearch Dashboards apps",
  kibana_all_write: "Allow writing in all OpenSearch Dashboards apps",
};

const descriptions: Partial<Readonly<Record<ResourceFamily, Readonly<Record<string, string>>>>> = {
  action_groups: {
    cluster_all: "Allow everything on cluster level",
    cluster_composite_ops: "Allow read/write bulk and m* operations",
    cluster_composite_ops_ro: "Allow readonly bulk and m* operations",
    cluster_manage_ilm: "Manage index lifecycles (cluster)",
    cluster_manage_index_templates: "Manage index templates",
    cluster_manage_pipelines: "Manage pipelines",
    cluster_monitor: "Allow monitoring the cluster",
    cluster_read_ilm: "Read index lifecycles (cluster)",
    create_index: "Allow creating new indices",
    crud: "Allow all read/write operations on data",
    data_access: "Allow all read/write operations on data",
    delete: "Allow deleting documents",
    get: "Allow get",
    index: "Allow indexing",
    indices_all: "Allow readonly everything with indices and data",
    indices_manage_ilm: "Manage index lifecycles (index)",
    indices_monitor: "Allow monitoring indices",
    kibana_all_read: "Allow reading in all kibana apps",
    kibana_all_write: "Allow writing in all kibana apps",
    manage: "Allow indices management",
    manage_aliases: "Allow managing index aliases",
    manage_data_streams: "Manage data streams",
    manage_point_in_time: "Manage point in time actions",
    manage_snapshots: "Allow snapshots",
    read: "Allow all read operations",
    search: "Allow searching",
    suggest: "Allow suggestions",
    unlimited: "Allow all",
    write: "Allow writing data",
  },
  roles: {
    all_access: "Allow full access to all indices and all cluster APIs",
    kibana_server: "Provide the minimum permissions for the Kibana server",
    kibana_user: "Provide the minimum permissions for a kibana user",
    logstash: "Provide the minimum permissions for logstash and beats",
    manage_snapshots: "Provide the minimum permissions for managing snapshots",
    own_index: "Allow all for indices named like the current user",
    readall: "Provide the minimum permissions for to readall indices",
    readall_and_monitor: "Provide the minimum permissions for to readall indices and monitor the cluster",
    xp_alerting: "Provide the minimum permissions for x-pack alerting",
    xp_machine_learning: "Provide the minimum permissions for x-pack machine learning",
    xp_monitoring: "Provide the minimum permissions for x-pack monitoring",
  },
  tenants: {
    global_tenant: "Global tenant",
  },
};
