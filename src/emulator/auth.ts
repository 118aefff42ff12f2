import { createReply, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { ApiRoute } from "./route.ts";
import { findRouteFamily } from "./route-family.ts";
import type { AdmittedUser, NodeSettings, Settings } from "./settings.ts";

/** Who asks: anybody on a server without users, an administrator by certificate, or a user by password. */
export type EmulatorCaller = "anybody" | "administrator" | AdmittedUser;

/** Undefined: the caller is not known, and must be challenged. */
export function findCaller(request: RawRequest, settings: NodeSettings): EmulatorCaller | undefined {
  if (settings.adminHeader !== undefined && (request.headers[settings.adminHeader] ?? "") !== "") {
    return "administrator";
  }
  if (settings.users === undefined) return "anybody";
  const [, encoded = ""] = /^basic\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const credentials = Buffer.from(encoded, "base64").toString("utf8");
  return settings.users.find(({ name, password }) => `${name}:${password}` === credentials);
}

export function challengeCaller({ title }: { readonly title: string }): Reply {
  return { status: 401, text: "Unauthorized", headers: { "www-authenticate": `Basic realm="${title}"` } };
}

/** Why the caller may not use the API so, or undefined. */
export function explainForbidden(
  caller: EmulatorCaller,
  request: RawRequest,
  route: ApiRoute,
  { behaviour }: Settings,
): Reply | undefined {
  if (typeof caller === "string" || caller.rights === "all" || findRouteFamily(route) === undefined) return undefined;
  if (caller.rights === "read" && request.method === "GET") return undefined;
  const who = `User ${caller.name} with ${behaviour.title} Roles []`;
  const why =
    caller.rights === "none"
      ? "does not have any role privileged for admin access"
      : `does not have any access to endpoint ${endpointOf(route, behaviour.dialect)} and method ${request.method}`;
  return createReply(
    403,
    `No permission to access REST API: ${who} ${why}. No client TLS certificate found in request`,
  );
}

function endpointOf(route: ApiRoute, dialect: Settings["behaviour"]["dialect"]): string {
  switch (route.kind) {
    case "collection":
    case "item":
      return (dialect.collections[route.family] ?? route.family).toUpperCase();
    case "config":
      return dialect.config.key.replaceAll("_", "").toUpperCase();
    default:
      return route.kind.toUpperCase();
  }
}
