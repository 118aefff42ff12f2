import { type Caller, callerOf } from "../auth.ts";
import { engineFailure, type Reply } from "../reply.ts";
import type { RawRequest } from "../request.ts";
import type { NodeSettings } from "../settings.ts";
import { challenge, refusedAccess } from "./access.ts";
import { patchConfig, putConfig, readConfig } from "./config.ts";
import { documentReply, healthOf, pluginsOf, rootOf, tooLong, unknownContent, unknownParameters } from "./engine.ts";
import type { RealState } from "./kept.ts";
import { licenseReply } from "./license.ts";
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
  if (request.method !== "HEAD") return { reply, state: after };
  const { status, headers } = reply;
  return { reply: headers === undefined ? { status, text: "" } : { status, text: "", headers }, state: after };
}

/** The checks of the search engine come first: the line, the path, the method, the kind of content. */
function answered(request: RawRequest, state: RealState, product: RealProduct, settings: NodeSettings): RealOutcome {
  const refused = (reply: Reply): RealOutcome => ({ reply, state });
  const { engine } = product;
  const route = realRouteOf(request.path, product, settings.allowConfigModification);
  const early = tooLong(request, engine) ?? misrouted(request.method, request.path, route) ?? unknownContent(request);
  if (early !== undefined || route === undefined) return refused(early ?? engineFailure(500, "exception", "no route"));
  if (route.kind === "malformed") return refused(engine.badEscape(route.told, route.methods));
  if (route.kind === "health") return refused(healthOf(request.path));
  const caller = callerOf(request, settings);
  if (caller === undefined) return refused(challenge(product));
  if (route.kind === "document") return refused(documentReply(request.method, route.index, caller, engine));
  const refusal = refusedAccess(caller, request, route, product) ?? unknownParameters(request);
  if (refusal !== undefined) return refused(refusal);
  return handled(request, route, caller, state, product, settings);
}

function handled(
  { method, body, headers }: RawRequest,
  route: RealRoute,
  caller: Caller,
  state: RealState,
  product: RealProduct,
  settings: NodeSettings,
): RealOutcome {
  const contentType = headers["content-type"] ?? "";
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
    case "license":
      return licenseReply({ method, body, state, product, now: settings.now() });
    case "plugins":
      return { reply: pluginsOf(product.engine), state };
    default:
      return { reply: rootOf(product.engine, settings), state };
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
