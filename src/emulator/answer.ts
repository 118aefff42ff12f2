import { challengeCaller, type EmulatorCaller, explainRefusedAccess, findCaller } from "./caller.ts";
import { answerConfig } from "./config.ts";
import {
  answerDocument,
  describeHealth,
  describePlugins,
  describeRoot,
  refuseTooLong,
  refuseUnknownContent,
  refuseUnknownParameters,
} from "./engine.ts";
import {
  describeAccount,
  describeAuthInfo,
  describePermissionsInfo,
  describeWhoAmI,
  formatUser,
  identifyCaller,
} from "./identity.ts";
import { answerLicense, describeOpenLicense } from "./license.ts";
import type { ProductModel } from "./product.ts";
import { createEngineFailure, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import { patchFamily, patchResource } from "./resource-patch.ts";
import { type HandledRequest, put, type ResourceRequest, readAll, readOne, removeEntry } from "./resources.ts";
import { type ApiRoute, explainMisrouted, findRoute } from "./routes.ts";
import type { NodeSettings } from "./settings.ts";
import type { ServerState } from "./state.ts";

/** A server as one function: nothing is remembered but the state it returns. */
export function answerRequest(
  request: RawRequest,
  state: ServerState,
  product: ProductModel,
  settings: NodeSettings,
): HandledRequest {
  const { reply, state: after } = answered(request, state, product, settings);
  const { status, headers, spoils = false } = reply;
  const detail = { headers: { ...product.engine.headers, ...headers } };
  return {
    reply: request.method === "HEAD" ? { status, text: "", spoils, ...detail } : { ...reply, ...detail },
    state: after,
  };
}

/** The checks of the search engine come first: the line, the path, the method, the kind of content. */
function answered(
  request: RawRequest,
  state: ServerState,
  product: ProductModel,
  settings: NodeSettings,
): HandledRequest {
  const refused = (reply: Reply): HandledRequest => ({ reply, state });
  const { engine } = product;
  const route = findRoute(request.path, product, settings.allowConfigModification);
  const caller = findCaller(request, settings);
  const lost = explainMisrouted(request, route);
  const early =
    refuseTooLong(request, engine) ??
    (lost && spoiling(lost, request, caller, product)) ??
    refuseUnknownContent(request);
  if (early !== undefined || route === undefined) {
    return refused(early ?? createEngineFailure(500, "exception", "no route"));
  }
  if (route.kind === "malformed") return refused(engine.badEscape(route.detail, route.methods));
  if (request.stale === true) return refused(challengeCaller(product));
  const open = openReply(request, route, caller, state, product, settings);
  if (open !== undefined) return refused(open);
  if (caller === undefined) return refused(challengeCaller(product));
  if (route.kind === "document") return refused(answerDocument(request.method, route.index, caller, engine));
  const refusal = explainRefusedAccess(caller, request, route, product) ?? refuseUnknownParameters(request);
  if (refusal !== undefined) return refused(refusal);
  return handled(request, route, caller, state, product, settings);
}

/** A connection stays corrupt until a request on it reaches a handler. */
function spoiling(
  reply: Reply,
  { stale }: RawRequest,
  caller: EmulatorCaller | undefined,
  product: ProductModel,
): Reply {
  const isRefusal = reply.status >= 400 && product.staleConnections;
  return isRefusal && (stale === true || caller === undefined) ? { ...reply, spoils: true } : reply;
}

/** What every caller gets, known or not. */
function openReply(
  request: RawRequest,
  route: ApiRoute,
  caller: EmulatorCaller | undefined,
  state: ServerState,
  product: ProductModel,
  settings: NodeSettings,
): Reply | undefined {
  switch (route.kind) {
    case "health":
      return describeHealth(request.path);
    case "whoami":
      return describeWhoAmI(caller, identifyCaller(caller, request, state, settings), product.identity);
    case "open-license":
      return describeOpenLicense({ state, product, now: settings.now() }, settings.clusterName);
    default:
      return undefined;
  }
}

function handled(
  request: RawRequest,
  route: ApiRoute,
  caller: EmulatorCaller,
  state: ServerState,
  product: ProductModel,
  settings: NodeSettings,
): HandledRequest {
  const { method, body, headers } = request;
  const contentType = headers["content-type"] ?? "";
  const who = identifyCaller(caller, request, state, settings);
  const asker = { text: formatUser(who, product.identity), monitors: who.monitors };
  switch (route.kind) {
    case "collection":
    case "item": {
      const name = route.kind === "item" ? route.name : "";
      const admin = caller === "administrator" && product.adminOverrides;
      return resourceReply(method, route.kind, {
        family: route.family,
        name,
        body,
        contentType,
        admin,
        state,
        product,
      });
    }
    case "config": {
      const writable = settings.allowConfigModification;
      return answerConfig({ method, name: route.name, body, contentType, state, product, writable });
    }
    case "license":
      return answerLicense({ method, body, state, product, now: settings.now() });
    case "authinfo":
      return { reply: describeAuthInfo(who, state, product.identity, settings), state };
    case "account":
      return { reply: describeAccount(who, state, product.identity), state };
    case "permissions":
      return { reply: describePermissionsInfo(caller, who, product.identity), state };
    case "plugins":
      return { reply: describePlugins(product.engine, request, settings, asker), state };
    default:
      return { reply: describeRoot(product.engine, settings, asker), state };
  }
}

function resourceReply(method: string, kind: "collection" | "item", ask: ResourceRequest): HandledRequest {
  if (kind === "collection") return method === "GET" ? readAll(ask) : patchFamily(ask);
  switch (method) {
    case "GET":
      return readOne(ask);
    case "PUT":
      return put(ask);
    case "DELETE":
      return removeEntry(ask);
    default:
      return patchResource(ask);
  }
}
