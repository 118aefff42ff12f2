import type { ProductModel, SegmentFacts } from "./product.ts";
import { createReply, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { ApiRoute } from "./routes.ts";
import type { AdmittedUser, EmulatorUser, NodeSettings } from "./settings.ts";

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

export function challengeCaller({ title }: Pick<ProductModel, "title">): Reply {
  return { status: 401, text: "Unauthorized", headers: { "www-authenticate": `Basic realm="${title}"` } };
}

/** Why the caller may not use the API so, or undefined. The certificate of an administrator is asked nothing. */
export function explainRefusedAccess(
  caller: EmulatorCaller,
  { method }: RawRequest,
  route: ApiRoute,
  product: ProductModel,
): Reply | undefined {
  const segment = segmentOf(route, product);
  const endpoint = endpointOf(route, product);
  if (typeof caller === "string" || endpoint === undefined) return undefined;
  const roles = (caller.roles ?? []).join(", ");
  const who = `User ${caller.name} with ${product.rolesWord} [${roles}]`;
  const tail = "No client TLS certificate found in request";
  if (caller.rights === "none") {
    return refusal(`${who} does not have any role privileged for admin access. ${tail}`);
  }
  if (segment?.certificateOnly) return createReply(403, "Access denied");
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

function segmentOf(route: ApiRoute, { routes }: ProductModel): SegmentFacts | undefined {
  if (route.kind !== "collection" && route.kind !== "item") return undefined;
  return [...routes.segments.values()].find(({ family }) => family === route.family);
}

/** The name of an endpoint in the node settings that disable it. */
function endpointOf(route: ApiRoute, { routes }: ProductModel): string | undefined {
  switch (route.kind) {
    case "collection":
    case "item":
      return [...routes.segments].find(([, { family }]) => family === route.family)?.[0].toUpperCase();
    case "config":
      return routes.configEndpoint;
    case "license":
      return "LICENSE";
    case "api-keys":
      return "APITOKENS";
    default:
      return undefined;
  }
}
