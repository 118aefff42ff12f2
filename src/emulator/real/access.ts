import type { EmulatorCaller } from "../auth.ts";
import { createReply, type Reply } from "../reply.ts";
import type { RawRequest } from "../request.ts";
import type { EmulatorUser } from "../settings.ts";
import type { RealProduct } from "./product.ts";
import type { RealRoute } from "./routes.ts";

/** Why the caller may not use the API so, or undefined. The certificate of an administrator is asked nothing. */
export function explainRefusedAccess(
  caller: EmulatorCaller,
  { method }: RawRequest,
  route: RealRoute,
  product: RealProduct,
): Reply | undefined {
  const endpoint = endpointOf(route, product);
  if (typeof caller === "string" || endpoint === undefined) return undefined;
  const roles = (caller.roles ?? []).join(", ");
  const who = `User ${caller.name} with ${product.rolesWord} [${roles}]`;
  const tail = "No client TLS certificate found in request";
  if (caller.rights === "none") {
    return refusal(`${who} does not have any role privileged for admin access. ${tail}`);
  }
  if (!isDisabled(caller, endpoint, method)) return undefined;
  return refusal(`${who} does not have any access to endpoint ${endpoint} and method ${method}. ${tail}`);
}

function refusal(why: string): Reply {
  return createReply(403, `No permission to access REST API: ${why}`);
}

/** Whether the settings of the node forbid the user this method there. */
export function isDisabled({ rights, disabled = {} }: EmulatorUser, endpoint: string, method: string): boolean {
  const methods = Object.hasOwn(disabled, endpoint) ? (disabled[endpoint] ?? []) : [];
  return (rights === "read" && writing.has(method)) || methods.includes("*") || methods.includes(method);
}

const writing: ReadonlySet<string> = new Set(["POST", "PUT", "DELETE", "PATCH"]);

/** The name of an endpoint in the node settings that disable it. */
function endpointOf(route: RealRoute, { routes, config }: RealProduct): string | undefined {
  switch (route.kind) {
    case "collection":
    case "item":
      return [...routes.segments].find(([, { family }]) => family === route.family)?.[0].toUpperCase();
    case "config":
      return config.key === "config" ? "CONFIG" : "SGCONFIG";
    case "license":
      return "LICENSE";
    case "internal-users":
      return "INTERNALUSERS";
    default:
      return undefined;
  }
}
