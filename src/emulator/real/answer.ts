import { type Caller, callerOf, challenge } from "../auth.ts";
import { engineFailure, type Reply } from "../reply.ts";
import type { RawRequest } from "../request.ts";
import type { NodeSettings } from "../settings.ts";
import { refusedAccess } from "./access.ts";
import { patchConfig, putConfig, readConfig } from "./config.ts";
import { documentReply, healthOf, pluginsOf, rootOf, tooLong, unknownContent, unknownParameters } from "./engine.ts";
import { account, authInfo, permissionsInfo, userText, whoAmI, whoIs } from "./identity.ts";
import { internalUsersReply } from "./internal-users.ts";
import type { RealState } from "./kept.ts";
import { licenseReply, openLicense } from "./license.ts";
import type { RealProduct } from "./product.ts";
import { patchAll, patchOne } from "./resource-patch.ts";
import { type Ask, put, type RealOutcome, readAll, readOne, remove } from "./resources.ts";
import { misrouted, type RealRoute, realRouteOf } from "./routes.ts";

/** A real server as one function: nothing is remembered but the state it returns. */
export function realAnswer(
  request: RawRequest,
  state: RealState,
  product: RealProduct,
  settings: NodeSettings,
): RealOutcome {
  const { reply, state: after } = answered(request, state, product, settings);
  const { status, headers, spoils = false } = reply;
  const told = { headers: { ...product.engine.headers, ...headers } };
  return {
    reply: request.method === "HEAD" ? { status, text: "", spoils, ...told } : { ...reply, ...told },
    state: after,
  };
}

/** The checks of the search engine come first: the line, the path, the method, the kind of content. */
function answered(request: RawRequest, state: RealState, product: RealProduct, settings: NodeSettings): RealOutcome {
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  const { engine } = product;
  const route = realRouteOf(request.path, product, settings.allowConfigModification);
  const caller = callerOf(request, settings);
  const lost = misrouted(request.method, request.path, route);
  const early =
    tooLong(request, engine) ?? (lost && spoiling(lost, request, caller, product)) ?? unknownContent(request);
  if (early !== undefined || route === undefined) return refused(early ?? engineFailure(500, "exception", "no route"));
  if (route.kind === "malformed") return refused(engine.badEscape(route.told, route.methods));
  if (request.stale === true) return refused(challenge(product));
  const open = openReply(request, route, caller, state, product, settings);
  if (open !== undefined) return refused(open);
  if (caller === undefined) return refused(challenge(product));
  if (route.kind === "document") return refused(documentReply(request.method, route.index, caller, engine));
  const refusal = refusedAccess(caller, request, route, product) ?? unknownParameters(request);
  if (refusal !== undefined) return refused(refusal);
  return handled(request, route, caller, state, product, settings);
}

/** A connection stays spoilt until a request on it reaches a handler. */
function spoiling(reply: Reply, { stale }: RawRequest, caller: Caller | undefined, product: RealProduct): Reply {
  const isRefusal = reply.status >= 400 && product.staleConnections;
  return isRefusal && (stale === true || caller === undefined) ? { ...reply, spoils: true } : reply;
}

/** What anybody is told, known or not. */
function openReply(
  request: RawRequest,
  route: RealRoute,
  caller: Caller | undefined,
  state: RealState,
  product: RealProduct,
  settings: NodeSettings,
): Reply | undefined {
  switch (route.kind) {
    case "health":
      return healthOf(request.path);
    case "whoami":
      return whoAmI(caller, whoIs(caller, request, state, settings), product.identity);
    case "open-license":
      return openLicense({ state, product, now: settings.now() }, settings.clusterName);
    default:
      return undefined;
  }
}

function handled(
  request: RawRequest,
  route: RealRoute,
  caller: Caller,
  state: RealState,
  product: RealProduct,
  settings: NodeSettings,
): RealOutcome {
  const { method, body, headers } = request;
  const contentType = headers["content-type"] ?? "";
  const who = whoIs(caller, request, state, settings);
  const asker = { text: userText(who, product.identity), monitors: who.monitors };
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
      const ask = { name: route.name, body, contentType, state, product, writable };
      return method === "GET" ? readConfig(ask) : method === "PUT" ? putConfig(ask) : patchConfig(ask);
    }
    case "internal-users":
      return { reply: internalUsersReply(route.name, state, product), state };
    case "license":
      return licenseReply({ method, body, state, product, now: settings.now() });
    case "authinfo":
      return { reply: authInfo(who, state, product.identity, settings), state };
    case "account":
      return { reply: account(who, state, product.identity), state };
    case "permissions":
      return { reply: permissionsInfo(caller, who, product.identity), state };
    case "plugins":
      return { reply: pluginsOf(product.engine, request, settings, asker), state };
    default:
      return { reply: rootOf(product.engine, settings, asker), state };
  }
}

function resourceReply(method: string, kind: "collection" | "item", ask: Ask): RealOutcome {
  if (kind === "collection") return method === "GET" ? readAll(ask) : patchAll(ask);
  switch (method) {
    case "GET":
      return readOne(ask);
    case "PUT":
      return put(ask);
    case "DELETE":
      return remove(ask);
    default:
      return patchOne(ask);
  }
}
