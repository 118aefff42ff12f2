// Lists of actions that servers evaluate alike, where products differ in what they make of them.

export const reducedReads = [
  "indices:data/read/*",
  "indices:admin/mappings/fields/get*",
  "indices:admin/shards/search_shards",
] as const;
export const keptBySix = ["indices:data/write/*", "indices:admin/close", "indices:admin/delete"];
export const keptSinceSeven = [...keptBySix, "indices:admin/settings/update", "indices:admin/mapping/put"];

/** The elected master node does these. */
export const doneByMaster = [
  "cluster:admin/*",
  "cluster:monitor/health",
  "cluster:monitor/state",
  "cluster:monitor/task",
  "indices:admin/aliases*",
  "indices:admin/close",
  "indices:admin/create",
  "indices:admin/delete",
  "indices:admin/exists",
  "indices:admin/get",
  "indices:admin/mapping/put",
  "indices:admin/mappings/get",
  "indices:admin/open",
  "indices:admin/settings/update",
  "indices:admin/shards/search_shards",
  "indices:admin/template/*",
  "indices:monitor/settings/get",
];

export const update = "indices:data/write/update";
