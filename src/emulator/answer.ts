import { challengeCaller, explainRefusedAccess } from "./caller.ts";
import { answerConfig } from "./config.ts";
import {
  answerDocument,
  describeAliases,
  describeHealth,
  describePlugins,
  describeRoot,
  refuseTooLong,
  refuseUnknownContent,
  refuseUnknownParameters,
} from "./engine.ts";
import type { HandledRequest, ResourceRequest, ServedRequest } from "./handler.ts";
import { describeAccount, describeAuthInfo, describePermissionsInfo, describeWhoAmI } from "./identity.ts";
import { answerLicense, describeOpenLicense } from "./license.ts";
import type { Reply } from "./reply.ts";
import { patchFamily, patchResource } from "./resource-patch.ts";
import { findSegment, put, readAll, readOne, removeEntry } from "./resources.ts";
import { type ApiRoute, answerMisrouted, findRoute } from "./routes.ts";
import { answerUsersDocument } from "./users-document.ts";

/** A server as one function: nothing is remembered but the state it returns. */
export function answerRequest(asked: ServedRequest): HandledRequest {
  const { reply, state } = answerChecked(asked);
  const { status, headers, spoils = false } = reply;
  const detail = { headers: { ...asked.product.engine.headers, ...headers } };
  return {
    reply: asked.method === "HEAD" ? { status, text: "", spoils, ...detail } : { ...reply, ...detail },
    state,
  };
}

/** The checks of the search engine come first: the line, the path, the method, the kind of content. */
function answerChecked(asked: ServedRequest): HandledRequest {
  const { caller, state, product, settings } = asked;
  const refused = (reply: Reply): HandledRequest => ({ reply, state });
  const route = findRoute(asked.path, product, settings.allowConfigModification);
  const early = refuseTooLong(asked);
  if (early !== undefined) return refused(early);
  const isRegistered = route?.methods.includes(asked.method);
  if (route === undefined || !isRegistered) return refused(spoil(answerMisrouted(asked, route), asked));
  const unknown = refuseUnknownContent(asked);
  if (unknown !== undefined) return refused(unknown);
  if (route.kind === "malformed") return refused(product.engine.badEscape(route.detail, route.methods));
  if (asked.stale === true) return refused(challengeCaller(product));
  const open = answerOpen(asked, route);
  if (open !== undefined) return refused(open);
  if (caller === undefined) return refused(challengeCaller(product));
  const unlisted = typeof caller === "string" ? undefined : product.refusesUnlisted?.(asked, state);
  if (unlisted !== undefined) return refused(unlisted);
  if (route.kind === "document") return refused(answerDocument(asked, route.index));
  const refusal = explainRefusedAccess(caller, asked, route, product) ?? refuseUnknownParameters(asked);
  return refusal === undefined ? handle(asked, route) : refused(refusal);
}

/** A connection stays corrupt until a request on it reaches a handler. */
function spoil(reply: Reply, { stale, caller, product }: ServedRequest): Reply {
  const isRefusal = reply.status >= 400 && product.staleConnections;
  return isRefusal && (stale === true || caller === undefined) ? { ...reply, spoils: true } : reply;
}

/** What every caller gets, known or not. */
function answerOpen(asked: ServedRequest, route: ApiRoute): Reply | undefined {
  switch (route.kind) {
    case "health":
      return describeHealth(asked);
    case "whoami":
      return describeWhoAmI(asked);
    case "open-license":
      return describeOpenLicense(asked);
    default:
      return undefined;
  }
}

function handle(asked: ServedRequest, route: ApiRoute): HandledRequest {
  const { caller, state, product } = asked;
  switch (route.kind) {
    case "collection":
    case "item": {
      const name = route.kind === "item" ? route.name : "";
      const admin = caller === "administrator" && product.adminOverrides;
      const resource = { ...asked, family: route.family, name, admin };
      return route.kind === "item" ? handleItem(resource) : handleCollection(resource);
    }
    case "config":
      return answerConfig(asked, route.name);
    case "license":
      return answerLicense(asked);
    case "authinfo":
      return { reply: describeAuthInfo(asked), state };
    case "account":
      return { reply: describeAccount(asked), state };
    case "api-keys":
      return { reply: { status: 200, json: [...(asked.settings.apiKeys ?? [])] }, state };
    case "users-document":
      return { reply: answerUsersDocument(asked), state };
    case "permissions":
      return { reply: describePermissionsInfo(asked), state };
    case "aliases":
      return { reply: describeAliases(asked), state };
    case "plugins":
      return { reply: describePlugins(asked), state };
    default:
      return { reply: describeRoot(asked), state };
  }
}

function handleCollection(asked: ResourceRequest): HandledRequest {
  if (asked.method === "GET") return readAll(asked);
  if (asked.method === "PATCH") return patchFamily(asked);
  return put({ ...asked, name: findSegment(asked)?.writes ?? "" });
}

function handleItem(asked: ResourceRequest): HandledRequest {
  switch (asked.method) {
    case "GET":
      return readOne(asked);
    case "PUT":
      return put(asked);
    case "DELETE":
      return removeEntry(asked);
    default:
      return patchResource(asked);
  }
}
