import { resourceFamilies } from "../model/names.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOfFlx, fieldsOfSeven, fieldsWithExclusions } from "./fields.ts";
import { withoutQuotesAndControls } from "./pointer-names.ts";
import { getBuild } from "./release.ts";
import { createSearchGuard6Dialect } from "./search-guard-6.ts";

export const searchGuardPrefix = "/_searchguard/api";

/** What real servers accept, not what their documentation says. */
export function searchGuard(release: string, engine: string | undefined): Dialect {
  if (release === "6") return createSearchGuard6Dialect(searchGuardPrefix, engine);
  return release === "FLX" ? flx() : searchGuard7(release);
}

function searchGuard7(release: string): Dialect {
  // Where only the line is known, whatever 7.x has may be there: the server itself says what it lacks.
  const build = getBuild(release) ?? Number.POSITIVE_INFINITY;
  return {
    product: "search-guard",
    release,
    prefix: searchGuardPrefix,
    collections: {
      action_groups: "actiongroups",
      tenants: "tenants",
      roles: "roles",
      role_mappings: "rolesmapping",
      internal_users: "internalusers",
      // No such route before.
      ...(build >= 41 && { blocks: "blocks" }),
    },
    internalUsers: { roles: "search_guard_roles", document: "/searchguard/_doc/internalusers" },
    config: {
      path: "sg_config",
      // Without the name at the end only from 7.x-51 on.
      putPath: "sg_config/sg_config",
      putRouteReports: true,
      key: "sg_config",
      wrapped: false,
      dashboard: "kibana",
      texts: false,
      // Any PATCH, even an empty one, changes stored `false` to `true` and may lock out all users.
      patch: false,
      setting: "searchguard.unsupported.restapi.allow_sgconfig_modification",
    },
    aliases: "/_alias",
    license: { path: "license", key: "sg_license" },
    actionGroup: { list: "allowed_actions", bare: false, whole: false, needsType: false },
    blockValue: "list",
    words: {},
    documentTypes: false,
    tenantAccess: { RW: "SGS_KIBANA_ALL_WRITE", RO: "SGS_KIBANA_ALL_READ" },
    patch: new Set(resourceFamilies),
    honoursTest: true,
    losesWrites: false,
    omitsEmpty: true,
    fields: build >= 47 ? fieldsWithExclusions : fieldsOfSeven,
    dottedNames: true,
    refusesSpaces: false,
    checksRoles: false,
    // A role that uses a cycle of groups makes every later write of any family answer 500.
    cyclesHarm: true,
    canBeUnloadable: true,
    mappingLists: ["backend_roles", "and_backend_roles", "hosts", "users"],
    pointerReaches: withoutQuotesAndControls,
  };
}

/** The families that FLX kept from 7.x. What it has besides, its own tools and APIs manage. */
function flx(): Dialect {
  const seven = searchGuard7("7");
  return {
    ...seven,
    release: "FLX",
    internalUsers: { roles: "search_guard_roles" },
    fields: fieldsOfFlx,
    config: {
      ...seven.config,
      putRouteReports: false,
      readOnly:
        "FLX keeps what the config of 7.x held in documents of its own (authc, authz, frontend_authc …). Change them with sgctl or by its /_searchguard/config API",
    },
    // Without one: 400, "Required attribute is missing".
    actionGroup: { ...seven.actionGroup, needsType: true },
    // What was written is stored and patched as it is.
    omitsEmpty: false,
    // From its sources, never tried on a server: flags and dotted names may be patched otherwise than they are shown.
    testsFields: true,
    // Groups are expanded until nothing more comes of it.
    cyclesHarm: false,
    canBeUnloadable: false,
  };
}
