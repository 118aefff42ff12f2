import type { ResourceFamily } from "../model/names.ts";

/** Search Guard 7 marks its own so; releases add to them. */
const ownPrefix = "SGS_";

type Names = Partial<Readonly<Record<ResourceFamily, readonly string[]>>>;

/** What Search Guard 6 ships in its first configuration. */
const searchGuard6: Names = {
  action_groups: [
    "ALL",
    "CLUSTER_ALL",
    "CLUSTER_COMPOSITE_OPS",
    "CLUSTER_COMPOSITE_OPS_RO",
    "CLUSTER_MONITOR",
    "CREATE_INDEX",
    "CRUD",
    "DATA_ACCESS",
    "DELETE",
    "GET",
    "INDEX",
    "INDICES_ALL",
    "INDICES_MONITOR",
    "MANAGE",
    "MANAGE_ALIASES",
    "MANAGE_SNAPSHOTS",
    "MONITOR",
    "READ",
    "SEARCH",
    "SUGGEST",
    "UNLIMITED",
    "WRITE",
  ],
  roles: [
    "sg_alerting",
    "sg_all_access",
    "sg_kibana_server",
    "sg_kibana_user",
    "sg_logstash",
    "sg_manage_snapshots",
    "sg_monitor",
    "sg_own_index",
    "sg_readall",
    "sg_readall_and_monitor",
    "sg_readonly_and_monitor",
    "sg_xp_alerting",
    "sg_xp_machine_learning",
    "sg_xp_monitoring",
  ],
};

/** What OpenSearch ships, as static or reserved entries. */
const openSearch: Names = {
  action_groups: [
    "cluster_all",
    "cluster_composite_ops",
    "cluster_composite_ops_ro",
    "cluster_manage_index_templates",
    "cluster_manage_pipelines",
    "cluster_monitor",
    "create_index",
    "crud",
    "data_access",
    "delete",
    "get",
    "index",
    "indices_all",
    "indices_monitor",
    "kibana_all_read",
    "kibana_all_write",
    "manage",
    "manage_aliases",
    "manage_data_streams",
    "manage_point_in_time",
    "manage_snapshots",
    "read",
    "search",
    "suggest",
    "unlimited",
    "write",
  ],
  roles: [
    "all_access",
    "kibana_read_only",
    "kibana_server",
    "kibana_user",
    "logstash",
    "manage_snapshots",
    "own_index",
    "readall",
    "readall_and_monitor",
    "security_rest_api_access",
  ],
  tenants: ["admin_tenant", "global_tenant"],
};

/** What a server of this kind may hold without anybody having declared it: for when the server cannot be asked. */
export function shippedNames(family: ResourceFamily): readonly string[] {
  return [...(openSearch[family] ?? []), ...(searchGuard6[family] ?? [])];
}

export function looksShipped(name: string): boolean {
  return name.startsWith(ownPrefix);
}
