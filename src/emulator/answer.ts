import { challengeCaller, explainForbidden, findCaller } from "./auth.ts";
import { getConfig, patchGateConfig, putGateConfig } from "./config.ts";
import { answerEngine, answerRoot } from "./engine.ts";
import { getLicense, putLicense, refuseLicense } from "./license.ts";
import { createNoHandlerReply, createReply, createWrongMethodReply, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import { patchGateFamily, patchGateResource } from "./resource-patch.ts";
import { deleteResource, type FamilyOutcome, getAll, getOne, putOne } from "./resources.ts";
import { type ApiRoute, findRoute } from "./route.ts";
import type { Settings } from "./settings.ts";
import type { EmulatorState } from "./state.ts";

export interface AnsweredRequest {
  readonly reply: Reply;
  /** The very state that was handed in, where nothing was written. */
  readonly state: EmulatorState;
}

/**
 * The whole server as one function: nothing is remembered but the state it returns.
 *
 * The order of the checks is that of real servers: path, method, kind of content, who asks, what they may, the rest.
 */
export function answer(request: RawRequest, state: EmulatorState, settings: Settings): AnsweredRequest {
  const refused = (reply: Reply): AnsweredRequest => ({ reply, state });
  const early = tooLong(request);
  if (early !== undefined) return refused(early);
  const route = findRoute(request.path, settings);
  if (route === undefined) return refused(createNoHandlerReply(request.method, request.path));
  if (!route.methods.includes(request.method)) {
    return refused(createWrongMethodReply(request.method, request.path, route.methods));
  }
  const kind = unsupportedContent(request);
  if (kind !== undefined) return refused(kind);
  const caller = findCaller(request, settings);
  if (caller === undefined) return refused(challengeCaller(settings.behaviour));
  const refusal = explainForbidden(caller, request, route, settings);
  if (refusal !== undefined) return refused(refusal);
  if (route.kind === "document") return refused(answerEngine(request.method, route.index, caller));
  return handled(request, route, state, settings);
}

function handled(request: RawRequest, route: ApiRoute, state: EmulatorState, settings: Settings): AnsweredRequest {
  if (request.method === "PATCH" && !/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    return { reply: createReply(400, "PATCH accepts only application/json"), state };
  }
  switch (route.kind) {
    case "collection":
    case "item": {
      const { reply, entries } = familyAnswer(request, route, state, settings);
      return { reply, state: entries === state[route.family] ? state : { ...state, [route.family]: entries } };
    }
    case "config":
    case "license": {
      const { reply, config } = documentAnswer(request, route, state, settings);
      return { reply, state: config === state.config ? state : { ...state, config } };
    }
    default:
      return { reply: answerRoot(settings), state };
  }
}

type FamilyRoute = Extract<ApiRoute, { kind: "collection" | "item" }>;

function familyAnswer(
  { method, body }: RawRequest,
  route: FamilyRoute,
  state: EmulatorState,
  { behaviour }: Settings,
): FamilyOutcome {
  const entries = state[route.family];
  if (route.kind === "collection") {
    return method === "GET"
      ? getAll(route.family, entries, behaviour)
      : patchGateFamily(route.family, body, entries, behaviour);
  }
  switch (method) {
    case "GET":
      return getOne(route.family, route.name, entries, behaviour);
    case "PUT":
      return putOne(route.family, route.name, body, entries, behaviour);
    case "DELETE":
      return deleteResource(route.family, route.name, entries, behaviour);
    default:
      return patchGateResource(route.family, route.name, body, entries, behaviour);
  }
}

function documentAnswer(request: RawRequest, route: ApiRoute, { config }: EmulatorState, settings: Settings) {
  const { method, body } = request;
  const { dialect } = settings.behaviour;
  if (route.kind === "license") {
    const key = dialect.license?.key ?? "license";
    if (method === "GET") return getLicense(config, key, settings.now());
    if (method === "PUT") return putLicense(config, body, key, settings.now());
    return { reply: refuseLicense(method, request.path), config };
  }
  if (method === "GET") return getConfig(config, dialect.config.key);
  return method === "PUT"
    ? putGateConfig(config, body, dialect.config.key)
    : patchGateConfig(config, body, dialect.config.key);
}

/** The search engine reads no longer first line than this, in characters. */
const longestLine = 4096;

function tooLong({ method, path }: RawRequest): Reply | undefined {
  if (`${method} ${path} HTTP/1.1`.length <= longestLine) return undefined;
  const reason = `An HTTP line is larger than ${longestLine} bytes.`;
  const cause = { type: "too_long_frame_exception", reason };
  return { status: 400, json: { error: { root_cause: [cause], ...cause }, status: 400 } };
}

/** A body must say what it is, in words that the search engine knows. */
function unsupportedContent({ headers, body }: RawRequest): Reply | undefined {
  if (body === "") return undefined;
  const type = headers["content-type"] ?? "";
  if (/^application\/(json|yaml|x-ndjson)\s*(;|$)/i.test(type)) return undefined;
  return { status: 406, json: { error: `Content-Type header [${type}] is not supported`, status: 406 } };
}
