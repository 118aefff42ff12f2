import { resourceFamilies } from "../model/names.ts";
import type { Dialect } from "./dialect.ts";
import { withoutQuotesAndControls } from "./pointer-names.ts";

export const searchGuardReleases = ["7"] as const;

export const searchGuardPrefix = "/_searchguard/api";

/** Search Guard 7. What real servers accept, not what their documentation says. */
export function searchGuard(release: string): Dialect {
  return {
    product: "search-guard",
    release,
    prefix: searchGuardPrefix,
    collections: {
      action_groups: "actiongroups",
      tenants: "tenants",
      roles: "roles",
      role_mappings: "rolesmapping",
      blocks: "blocks",
    },
    config: {
      path: "sg_config",
      // Without the name at the end only from 7.x-51 on.
      putPath: "sg_config/sg_config",
      putRouteTells: true,
      key: "sg_config",
      wrapped: false,
      dashboard: "kibana",
      setting: "searchguard.unsupported.restapi.allow_sgconfig_modification",
    },
    license: { path: "license", key: "sg_license" },
    actionGroup: { list: "allowed_actions", bare: false },
    blockValue: "list",
    documentTypes: false,
    tenantAccess: { RW: "SGS_KIBANA_ALL_WRITE", RO: "SGS_KIBANA_ALL_READ" },
    patch: new Set(resourceFamilies),
    honoursTest: true,
    losesWrites: false,
    lacks: {},
    // A role that uses a ring makes every later write of any family answer 500.
    ringsHarm: true,
    mappingLists: ["backend_roles", "and_backend_roles", "hosts", "users"],
    pointerReaches: withoutQuotesAndControls,
  };
}
