import { resourceFamilies } from "../model/names.ts";
import { getAuditDefaults, listLackedSettings } from "./audit.ts";
import type { ActionGroupDialect, Dialect } from "./dialect.ts";
import { fieldsOfOpenSearch } from "./fields.ts";
import { withoutEscapesAndNumbers, withoutQuotesAndControls } from "./pointer-names.ts";
import { isOpenSearchBefore } from "./release.ts";

export const openSearchPrefix = "/_plugins/_security/api";

/** What the classes that hold the entries of a family are asked for besides. Tried on 3.8.0; by the sources since 3.7. */
export const namesLost: ReadonlySet<string> = new Set([
  "empty",
  "fragment",
  "version",
  "seqNo",
  "primaryTerm",
  "CType",
  "implementingClass",
]);

/** OpenSearch, and its ancestor Open Distro. What real servers accept, not what their documentation says. */
export function createOpenSearchDialect(release: string): Dialect {
  const openDistro = release === "odfe-1.x";
  const settings = openDistro ? "opendistro_security" : "plugins.security";
  const auditDefaults = getAuditDefaults(release);
  const before = (version: string) => isOpenSearchBefore(release, version);
  return {
    product: "opensearch",
    release,
    prefix: openDistro ? "/_opendistro/_security/api" : openSearchPrefix,
    // No blocks, and no license: those came to Search Guard after they parted, or were never free.
    collections: {
      action_groups: "actiongroups",
      tenants: "tenants",
      roles: "roles",
      role_mappings: "rolesmapping",
      internal_users: "internalusers",
      nodes_dn: "nodesdn",
      audit: "audit",
      ...(before("3.0.0") && { whitelist: "whitelist" }),
      ...(!before("2.1.0") && { allowlist: "allowlist" }),
    },
    documents: { audit: "audit/config", whitelist: "whitelist", allowlist: "allowlist" },
    certificateOnly: new Map([
      ["nodes_dn", { setting: `${settings}.nodes_dn_dynamic_config_enabled` }],
      ["whitelist", {}],
      ["allowlist", {}],
    ]),
    writesMarked: new Set(["action_groups", "tenants", "roles", "role_mappings", "internal_users"]),
    internalUsers: {
      roles: "opendistro_security_roles",
      document: "/.opendistro_security/_doc/internalusers",
      dropsEmptyAttributes: true,
      ...(!before("2.8.0") && { passwordRules: "/_plugins/_security/dashboardsinfo" }),
    },
    aliases: "/_alias",
    ...(!before("3.7.0") && { apiKeys: `${openSearchPrefix}/apitokens` }),
    config: {
      path: "securityconfig",
      putPath: "securityconfig/config",
      putRouteReports: false,
      key: "config",
      wrapped: false,
      dashboard: "kibana",
      texts: false,
      // There are no transport clients any more, and from 2.12 on no field for them; its own files still speak of them.
      ...(!before("2.12.0") && { forgets: ["transport_enabled"] }),
      // Before 1.3 every PATCH turned some stored `false` into `true`.
      patch: !before("1.3.0"),
      setting: `${settings}.unsupported.restapi.allow_securityconfig_modification`,
    },
    actionGroup: { list: "allowed_actions", bare: false, whole: false, needsType: false, ...groupTypes(release) },
    blockValue: "list",
    words: {},
    documentTypes: false,
    tenantAccess: { RW: "kibana_all_write", RO: "kibana_all_read" },
    patch: new Set(resourceFamilies),
    // From 2.10 on a PATCH takes add, replace and remove, and refuses all else.
    honoursTest: before("2.10.0"),
    losesWrites: false,
    omitsEmpty: true,
    // What Search Guard has besides, it got after the two had parted.
    fields: fieldsOfOpenSearch,
    ...(auditDefaults && { defaults: { audit: auditDefaults } }),
    lackedAuditSettings: listLackedSettings(release),
    dottedNames: true,
    // `null` or blank values are not allowed as json array elements.
    refusesSpaces: !before("3.0.0"),
    // 403 to every caller, the administrator's certificate too. Permissions on indices may have such names.
    ...(!before("2.5.0") && { neverGranted: "restapi:admin/" }),
    ...(!before("3.9.0") && { restPermissionsLetIn: true }),
    ...(!before("3.5.0") && { mayBlockWrites: true }),
    // Queries, too. What comes after 3.8.0 has a setting for texts, in which 4096 is the default.
    ...(release === "3.8" && { longest: { name: 256, text: 256, laterText: 4096 } }),
    ...(!before("3.9.0") && release !== "3" && { longest: { name: 256, text: 4096 } }),
    ...(!before("3.7.0") && { namesLost }),
    checksRoles: true,
    cyclesHarm: false,
    // Each mapping is checked against a copy of all roles. OpenSearch 2.19.1 on 2 cores, 2026-11-21, one PATCH of 250 to
    // 1 000 mappings, 61 to 660 thousand characters of roles: 0.07–0.11 to add, 0.10–0.13 to change, 0.03–0.05 to remove.
    mappingCost: 0.13,
    mappingLists: ["backend_roles", "and_backend_roles", "hosts", "users"],
    // The patch library before 2.10 is the one of Search Guard.
    pointerReaches: before("2.10.0") ? withoutQuotesAndControls : withoutEscapesAndNumbers,
  };
}

/** Before 2.16 any text was taken. */
function groupTypes(release: string): Pick<ActionGroupDialect, "types"> {
  return isOpenSearchBefore(release, "2.16.0") ? {} : { types: ["cluster", "index"] };
}
