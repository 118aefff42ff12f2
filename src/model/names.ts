/** The families whose resources have names, each after those that it refers to: in this order they are usually written. */
export const resourceFamilies = [
  "action_groups",
  "tenants",
  "roles",
  "role_mappings",
  "internal_users",
  "blocks",
  "nodes_dn",
  "audit",
  "whitelist",
  "allowlist",
] as const;
export type ResourceFamily = (typeof resourceFamilies)[number];

/** Families whose one entry, called config, is a document of the server: it is changed, and never made or deleted alone. */
export const singleEntryFamilies = ["audit", "whitelist", "allowlist"] as const;
export type SingleEntryFamily = (typeof singleEntryFamilies)[number];

export function isSingleEntryFamily(family: string): family is SingleEntryFamily {
  return (singleEntryFamilies as readonly string[]).includes(family);
}

/** The name of that entry, in the servers' files and answers. */
export const singleEntryName = "config";

/** The two single documents. */
export const documentFamilies = ["config", "license"] as const;
export type DocumentFamily = (typeof documentFamilies)[number];

export type Family = ResourceFamily | DocumentFamily;
export const families: readonly Family[] = [...resourceFamilies, ...documentFamilies];

export function isResourceFamily(family: string): family is ResourceFamily {
  return (resourceFamilies as readonly string[]).includes(family);
}

/** `roles/hr_reader`; the single documents are `config` and `license`. */
export type Address = string;

/** The entry that an address is in: `config/authc/NAME` is a place in the config. */
export function toEntryAddress(address: Address): Address {
  return address.startsWith("config/") ? "config" : address;
}

export function createAddress(family: Family, name: string): Address {
  return isResourceFamily(family) ? `${family}/${name}` : family;
}
