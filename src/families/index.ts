import type { Family, ResourceFamily } from "../model/names.ts";
import { actionGroups } from "./action-groups.ts";
import { createAllowlistFacts } from "./allowlist.ts";
import { audit } from "./audit.ts";
import { blocks } from "./blocks.ts";
import type { FamilyFacts } from "./facts.ts";
import { internalUsers } from "./internal-users.ts";
import { nodesDn } from "./nodes-dn.ts";
import { roleMappings } from "./role-mappings.ts";
import { roles } from "./roles.ts";
import { tenants } from "./tenants.ts";

export const factsOf: Readonly<Record<ResourceFamily, FamilyFacts>> = {
  action_groups: actionGroups,
  tenants,
  roles,
  role_mappings: roleMappings,
  internal_users: internalUsers,
  blocks,
  nodes_dn: nodesDn,
  audit,
  whitelist: createAllowlistFacts("whitelist"),
  allowlist: createAllowlistFacts("allowlist"),
};

const documentNouns = { config: ["config", "config"], license: ["license", "license"] } as const;

/** `1 role mapping`, `3 role mappings`. */
export function formatCount(count: number, family: Family): string {
  return `${count} ${getNoun(family, count)}`;
}

export function getNoun(family: Family, count = 1): string {
  const noun = family === "config" || family === "license" ? documentNouns[family] : factsOf[family].noun;
  return count === 1 ? noun[0] : noun[1];
}
