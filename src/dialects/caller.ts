import type { Dialect } from "./dialect.ts";

/** Where a server says who is calling and what the caller may do, as paths from its root. */
export interface CallerPaths {
  readonly identity: string;
  readonly permissions: string;
  /** Says whether the certificate is an administrator's; Search Guard 6 and 7 have no such path. */
  readonly certificate?: string;
  /** The license as everybody may read it. */
  readonly license?: string;
}

/** Undefined for `gate`: its documentation has no such paths. */
export function getCallerPaths({ product, prefix }: Dialect): CallerPaths | undefined {
  if (product === "gate") return undefined;
  const plugin = prefix.replace(/\/api$/, "");
  const own = { identity: `${plugin}/authinfo`, permissions: `${prefix}/permissionsinfo` };
  if (product === "search-guard") return { ...own, license: `${plugin}/license` };
  return { ...own, certificate: `${plugin}/whoami` };
}

/**
 * The roles that may use the API by default: `restapi.roles_enabled` of the nodes, as the
 * products ship it. No request shows it.
 */
export function listUsualAdminRoles({ product, documentTypes }: Dialect): readonly string[] {
  if (product === "gate") return [];
  if (product === "opensearch") return ["all_access", "security_rest_api_access"];
  return documentTypes ? ["sg_all_access"] : ["SGS_ALL_ACCESS"];
}

/** As above; `gate` says nothing of it, and is taken for the Search Guard of its line. */
export function listLikelyAdminRoles(dialect: Dialect): readonly string[] {
  if (dialect.product !== "gate") return listUsualAdminRoles(dialect);
  return listUsualAdminRoles({ ...dialect, product: "search-guard", documentTypes: dialect.release.startsWith("6") });
}
