// Families of OpenSearch that are not about access: the audit configuration, node certificates, and what the API lets through.
import { isOpenSearchBefore } from "../../dialects/release.ts";
import type { JsonObject } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { SegmentFacts } from "../product.ts";
import { couldNotParse, type Reply } from "../reply.ts";
import type { RawRequest } from "../request.ts";
import type { ServerState } from "../state.ts";
import type { BodyRules } from "../values/body-rules.ts";
import type { ClassProperty, ServerClass } from "../values/classes.ts";
import { getMember, type Tree } from "../values/tree.ts";
import type { EntryClasses } from "./instance-entries.ts";
import { createClass, flagProperty, textsProperty, trueFlagProperty } from "./properties.ts";

const whole = { collection: ["PUT", "PATCH", "GET"], item: [], writes: "config", certificateOnly: true } as const;

/** Node certificates as with the node setting that routes them. */
export function listDocumentSegments(has: {
  readonly whitelist: boolean;
  readonly allowlist: boolean;
}): readonly (readonly [string, SegmentFacts])[] {
  return [
    ["audit", { family: "audit", collection: ["PATCH", "GET"], item: ["PUT"], only: "config" }],
    ["nodesdn", { family: "nodes_dn", certificateOnly: true }],
    ...(has.whitelist ? ([["whitelist", { family: "whitelist", ...whole }]] as const) : []),
    ...(has.allowlist ? ([["allowlist", { family: "allowlist", ...whole }]] as const) : []),
  ];
}

/** By the source of each release; in the order of the class. */
function listCategories(release: string): readonly string[] {
  const since = (version: string, ...names: readonly string[]) => (isOpenSearchBefore(release, version) ? [] : names);
  return [
    ...["BAD_HEADERS", "FAILED_LOGIN", "MISSING_PRIVILEGES", "GRANTED_PRIVILEGES", "OPENDISTRO_SECURITY_INDEX_ATTEMPT"],
    ...["SSL_EXCEPTION", "AUTHENTICATED", "INDEX_EVENT", "COMPLIANCE_DOC_READ", "COMPLIANCE_DOC_WRITE"],
    ...["COMPLIANCE_EXTERNAL_CONFIG", "COMPLIANCE_INTERNAL_CONFIG_READ", "COMPLIANCE_INTERNAL_CONFIG_WRITE"],
    ...since("3.8", "CLUSTER_SETTINGS_CHANGED", "INDEX_SETTINGS_CHANGED"),
    ...since("3.7", "API_TOKEN_WRITE"),
    ...since("3.8", "REQUEST_AUDIT", "TRANSPORT_AUDIT"),
    ...since("3.9", "RESOURCE_ACCESS_GRANTED", "RESOURCE_ACCESS_DENIED", "RESOURCE_SHARING_CHANGED"),
  ];
}

/** Lists of categories, with what is in them where none is put. */
function createCategories(release: string): Readonly<Record<"rest" | "transport" | "all", ClassProperty>> {
  const of = listCategories(release);
  const list = (...initial: readonly string[]): ClassProperty => ({
    kind: "words",
    name: "org.opensearch.security.auditlog.impl.AuditCategory",
    of,
    initial: initial.filter((name) => of.includes(name)),
  });
  const common = ["AUTHENTICATED", "GRANTED_PRIVILEGES"];
  const settings = ["CLUSTER_SETTINGS_CHANGED", "INDEX_SETTINGS_CHANGED"];
  const resources = ["RESOURCE_ACCESS_GRANTED", "RESOURCE_ACCESS_DENIED", "RESOURCE_SHARING_CHANGED"];
  return { rest: list(...common, ...resources), transport: list(...common, ...settings, ...resources), all: list() };
}

const dashboardsUser: ClassProperty = { kind: "texts", initial: ["kibanaserver"] };

/** In the order in which 2.19.1 shows them; `home` is the package of the plugin. */
export function createDocumentClasses(home: string, release: string): EntryClasses {
  const categories = createCategories(release);
  const has = (version: string, properties: Readonly<Record<string, ClassProperty>>) =>
    isOpenSearchBefore(release, version) ? {} : properties;
  const compliance = createClass(`${home}.compliance.ComplianceConfig`, {
    enabled: trueFlagProperty,
    write_log_diffs: flagProperty,
    read_watched_fields: { kind: "lists", name: "java.lang.String" },
    read_ignore_users: dashboardsUser,
    write_watched_indices: textsProperty,
    write_ignore_users: dashboardsUser,
    read_metadata_only: flagProperty,
    write_metadata_only: flagProperty,
    external_config: flagProperty,
    internal_config: flagProperty,
  });
  const filter = createClass(`${home}.auditlog.config.AuditConfig$Filter`, {
    ignore_users: dashboardsUser,
    ignore_requests: textsProperty,
    ignore_headers: textsProperty,
    ignore_url_params: textsProperty,
    ...has("3.9", {
      action_groups: { kind: "lists", name: "java.lang.String", hidesEmpty: true },
      body_logging_exclusions: { kind: "texts", hidesEmpty: true },
    }),
    ...has("3.8", { disabled_categories: categories.all }),
    disabled_rest_categories: categories.rest,
    disabled_transport_categories: categories.transport,
    log_request_body: trueFlagProperty,
    resolve_indices: trueFlagProperty,
    resolve_bulk_requests: flagProperty,
    exclude_sensitive_headers: trueFlagProperty,
    enable_transport: trueFlagProperty,
    enable_rest: trueFlagProperty,
  });
  return {
    audit: createClass(`${home}.auditlog.config.AuditConfig`, {
      compliance: { kind: "object", of: compliance },
      enabled: trueFlagProperty,
      audit: { kind: "object", of: filter },
    }),
    nodes_dn: createClass(`${home}.securityconf.impl.NodesDn`, { nodes_dn: textsProperty }),
    whitelist: listed(`${home}.securityconf.impl`, "WhitelistingSettings"),
    allowlist: listed(`${home}.securityconf.impl`, "AllowlistingSettings"),
  };
}

function listed(home: string, name: string): ServerClass {
  const methods = ["HEAD", "TRACE", "GET", "PATCH", "CONNECT", "DELETE", "OPTIONS", "PUT", "POST"];
  const requests: ClassProperty = { kind: "lists", name: `${home}.HttpRequestMethods`, of: methods };
  return createClass(`${home}.${name}`, { enabled: flagProperty, requests });
}

/** What does not fit the audit configuration is refused before it is mapped, whatever it is. */
export function refuseDocument(family: ResourceFamily): Reply | undefined {
  return family === "audit" ? couldNotParse : undefined;
}

/** Types that are checked before the class is. */
export const documentBodyRules: Partial<Record<ResourceFamily, Partial<BodyRules>>> = {
  audit: { keys: { enabled: "Any", audit: "Object", compliance: "Object" } },
  whitelist: { keys: { enabled: "Any", requests: "Object" } },
  allowlist: { keys: { enabled: "Any", requests: "Object" } },
};

const allowed: JsonObject = { enabled: false, requests: { "/_cluster/settings": ["GET"], "/_cat/nodes": ["GET"] } };

/** As the files of 2.19.1 have them. */
export const firstDocuments: Partial<Readonly<Record<ResourceFamily, JsonObject>>> = {
  audit: {
    config: { compliance: { internal_config: true, read_metadata_only: true, write_metadata_only: true } },
  },
  whitelist: { config: allowed },
  allowlist: { config: allowed },
};

export const shownBesideDocuments: Readonly<Record<"audit", readonly [string, Tree][]>> = {
  audit: [["_readonly", []]],
};

/** With one of the lists enabled, what it does not have is refused whatever the roles of the caller; paths are whole. */
export function refuseUnlisted({ method, path }: RawRequest, { families }: ServerState): Reply | undefined {
  const [asked = ""] = path.split("?", 1);
  for (const family of ["allowlist", "whitelist"] as const) {
    const list = families[family].get("config") ?? null;
    if (getMember(list, "enabled") !== true) continue;
    const methods = getMember(getMember(list, "requests"), asked);
    if (Array.isArray(methods) && methods.includes(method)) continue;
    return { status: 403, json: { error: `${method} ${asked} API not ${family}ed`, status: "FORBIDDEN" } };
  }
  return undefined;
}
