import { listLikelyAdminRoles } from "../dialects/caller.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Rights } from "./caller.ts";

/** The right whose lack a refusal of the administration API speaks of, as nodes and roles are set; undefined for any other. */
export function explainMissingRight(words: string, dialect: Dialect): string | undefined {
  if (/role privileged for admin access/.test(words)) return nameEnabledRole(dialect);
  const [, endpoint, method] = /access to endpoint (\w+) and method (\w+)/.exec(words) ?? [];
  if (endpoint !== undefined) return nameDisabledEndpoint(dialect, endpoint, `has ${method} for it`);
  const [, permission] = /no permissions for \[([^\]]+)\]/.exec(words) ?? [];
  return permission === undefined
    ? undefined
    : `It lacks the permission ${permission}, which a role of its user may grant.`;
}

/** By what the server says of the caller: what it needs to write. */
export function explainNoWrites({ byRole }: Rights, dialect: Dialect): string {
  return byRole ? nameDisabledEndpoint(dialect, "ENDPOINT", "has PUT, PATCH and DELETE") : nameEnabledRole(dialect);
}

function nameEnabledRole(dialect: Dialect): string {
  const roles = listLikelyAdminRoles(dialect);
  const asIs = roles.length === 0 ? "" : ` (${roles.join(", ")} unless they are set otherwise)`;
  const permission = dialect.restPermissionsLetIn
    ? ", or a permission restapi:admin/… where the nodes have restapi.admin.enabled"
    : "";
  return `It lacks a role that ${getPrefix(dialect)}.restapi.roles_enabled of the nodes names${asIs}${permission}; the admin certificate needs none.`;
}

function nameDisabledEndpoint(dialect: Dialect, endpoint: string, has: string): string {
  return `${getPrefix(dialect)}.restapi.endpoints_disabled.ROLE.${endpoint} of the nodes ${has}, ROLE a role of its user; the admin certificate is shut out by no such line.`;
}

function getPrefix({ config: { setting } }: Dialect): string {
  const [prefix] = setting.split(".unsupported.");
  return `${prefix}`;
}
