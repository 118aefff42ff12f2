/** Each of these changes the content of the index or removes it; the products reserve them. */
export const securityIndexWrites: readonly string[] = [
  "indices:data/write/index",
  "indices:data/write/bulk[s]",
  "indices:data/write/update",
  "indices:data/write/delete",
  "indices:data/write/update/byquery",
  "indices:data/write/delete/byquery",
  "indices:admin/delete",
  "indices:admin/close",
  "indices:admin/aliases",
  "indices:admin/settings/update",
  "indices:admin/mapping/put",
];
