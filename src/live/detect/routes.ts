import { isObject, type JsonObject, type Value } from "../../json/value.ts";
import type { HttpAnswer } from "../../model/ports.ts";

/**
 * True where the search engine answers for itself, because no plugin knows the path: with a slash at its end it would be
 * no other. Engines up to 7 take a path of three segments for a document of an index, and an index cannot have that name.
 */
export function isNoRoute({ status, body }: HttpAnswer): boolean {
  const error = getObjectFields(body).error;
  if (typeof error === "string") return status === 400 && error.startsWith("no handler found");
  const { type, reason } = getObjectFields(error);
  if (status === 404) return type === "index_not_found_exception";
  const isRead = typeof reason === "string" && reason.includes("indices:data/read/get");
  return (status === 500 || status === 403) && type === "security_exception" && isRead;
}

/** True where the same path may be there with a slash at its end: the documentation of `gate` has both. */
export function mayWantSlash(answer: HttpAnswer): boolean {
  return [400, 404, 405].includes(answer.status) && !isNoRoute(answer);
}

/** True for a refusal by the API itself: whatever else it says, it is there. */
export function isRefusal({ status, body }: HttpAnswer): boolean {
  const reported = getObjectFields(body);
  return status === 403 && reported.status === "FORBIDDEN" && typeof reported.message === "string";
}

/** A JSON object as such; whatever else it is, no fields. */
export function getObjectFields(body: unknown): JsonObject {
  return isObject(body as Value) ? (body as JsonObject) : {};
}
