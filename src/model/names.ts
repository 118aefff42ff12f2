/** The families whose resources have names, each after those that it refers to: in this order they are usually written. */
export const resourceFamilies = [
  "action_groups",
  "tenants",
  "roles",
  "role_mappings",
  "internal_users",
  "blocks",
] as const;
export type ResourceFamily = (typeof resourceFamilies)[number];

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

export function createAddress(family: Family, name: string): Address {
  return isResourceFamily(family) ? `${family}/${name}` : family;
}
