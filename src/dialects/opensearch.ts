import { resourceFamilies } from "../model/names.ts";
import type { Dialect } from "./dialect.ts";
import { withoutEscapes } from "./pointer-names.ts";

export const openSearchReleases = ["2", "3"] as const;

export const openSearchPrefix = "/_plugins/_security/api";

/** OpenSearch from 2.10 on. */
export function openSearch(release: string): Dialect {
  return {
    product: "opensearch",
    release,
    prefix: openSearchPrefix,
    collections: {
      action_groups: "actiongroups",
      tenants: "tenants",
      roles: "roles",
      role_mappings: "rolesmapping",
    },
    config: {
      path: "securityconfig",
      putPath: "securityconfig/config",
      putRouteTells: false,
      key: "config",
      wrapped: false,
      dashboard: "kibana",
      setting: "plugins.security.unsupported.restapi.allow_securityconfig_modification",
    },
    actionGroup: { list: "allowed_actions", bare: false },
    blockValue: "list",
    documentTypes: false,
    tenantAccess: { RW: "kibana_all_write", RO: "kibana_all_read" },
    patch: new Set(resourceFamilies),
    honoursTest: false,
    losesWrites: false,
    lacks: {},
    ringsHarm: false,
    mappingLists: ["backend_roles", "and_backend_roles", "hosts", "users"],
    pointerReaches: withoutEscapes,
  };
}
