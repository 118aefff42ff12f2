import { resourceFamilies } from "../model/names.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOfSix } from "./fields.ts";
import { withoutQuotesAndControls } from "./pointer-names.ts";
import { isBefore } from "./version.ts";

/** Search Guard 6: every value is a setting of its engine, which takes names apart at their dots and knows texts only. */
export function createSearchGuard6Dialect(prefix: string, engine: string | undefined): Dialect {
  return {
    product: "search-guard",
    release: "6",
    prefix,
    // Tenants are no resources yet: a role grants them by name. There are no blocks.
    collections: {
      action_groups: "actiongroups",
      roles: "roles",
      role_mappings: "rolesmapping",
      internal_users: "internalusers",
    },
    // Its roles are backend roles; it has none of the other sort.
    internalUsers: { document: "/searchguard/sg/internalusers" },
    config: {
      path: "sgconfig",
      putPath: "sgconfig",
      putRouteReports: false,
      key: "searchguard",
      wrapped: false,
      dashboard: "kibana",
      texts: true,
      patch: false,
      readOnly: "The API of Search Guard 6 only shows its config. Change it with sgadmin",
      // Never asked for: a node with it in its settings does not start.
      setting: "searchguard.unsupported.restapi.allow_sgconfig_modification",
    },
    aliases: "/_alias",
    license: { path: "license", key: "sg_license" },
    // A group that was stored as a bare list cannot be patched by itself: 404, whatever the patch.
    actionGroup: { list: "permissions", bare: false, whole: true, needsType: false },
    blockValue: "list",
    words: {
      roles: { cluster_permissions: "cluster", index_permissions: "indices", tenant_permissions: "tenants" },
      role_mappings: { backend_roles: "backendroles" },
      internal_users: { backend_roles: "roles" },
    },
    documentTypes: true,
    // Not named there: what 7 calls the two, so that a role reads the same on both.
    tenantAccess: { RW: "SGS_KIBANA_ALL_WRITE", RO: "SGS_KIBANA_ALL_READ" },
    // The engine has no method PATCH before.
    patch: new Set(engine !== undefined && isBefore(engine, "6.4.0") ? [] : resourceFamilies),
    honoursTest: true,
    // No sequence numbers are compared: of eight concurrent writes five or six are lost, and all report "created".
    losesWrites: true,
    // The stored entry is patched as it is.
    omitsEmpty: false,
    fields: fieldsOfSix,
    // `a.b` is stored as `a` with `b` in it, and no request finds it again.
    dottedNames: false,
    refusesSpaces: false,
    // 400, "Could not parse content of request", for a PUT and for a PATCH of any family.
    refusesAstral: true,
    checksRoles: false,
    cyclesHarm: true,
    mappingLists: ["backend_roles", "hosts", "users"],
    pointerReaches: withoutQuotesAndControls,
  };
}
