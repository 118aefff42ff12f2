import { isObject, type Value } from "../json/value.ts";
import type { HttpAnswer, LostAnswer } from "../model/ports.ts";

/** What an answer shows about its write. */
export type ResponseVerdict =
  | "taken" // success is said
  | "unsent" // it never left, for want of a connection
  | "refused" // understood and declined: nothing was written
  | "outdated" // a patch that does not fit what is there: nothing was written
  | "conflict" // another client wrote at the same time, or the server is busy: nothing was written, and later it may be
  | "rejected" // the body could not be understood: whatever the status, sending it again is of no use
  | "failed" // the server has finished and failed; whether it stored anything is open
  | "open"; // unknown, and the server may still be at work on it

export function classifyResponse(answer: HttpAnswer | LostAnswer): ResponseVerdict {
  if ("lost" in answer) return answer.unsent ? "unsent" : "open";
  const { status, text } = answer;
  if (status >= 200 && status < 300) return isForeign(answer) ? "failed" : "taken";
  if (status === 409 || status === 412 || status === 429) return "conflict";
  if (status === 400 && patchMisses.test(text)) return "outdated";
  if (status === 408) return "open";
  if (status < 500 || status === 501 || status === 505) return "refused";
  // Before 7.x-53 and OpenSearch 1.1 a conflict is an internal error, recognisable by its message alone.
  if (/version conflict/.test(text)) return "conflict";
  if (/not initiali[sz]ed/i.test(text)) return "refused";
  if (status === 500 && cannotBind.test(text)) return "rejected";
  return status === 500 && isOwnEnvelope(answer) ? "failed" : "open";
}

/** A node did not load what was stored. */
export function isNodeFailure(answer: HttpAnswer | LostAnswer): boolean {
  return "status" in answer && answer.status === 500 && /Failed node/.test(answer.text);
}

/** A success that is not JSON does not come from the API: it is a login page, or a page of a proxy. */
function isForeign({ body, text }: HttpAnswer): boolean {
  return body === undefined && text.trim() !== "";
}

/** What the patch libraries of the servers say of a place that is not there, or holds another value. */
const patchMisses =
  /noSuchPath|Missing field|value mismatch|but found value|ut of bound|\btest failed|Unsupported patch operation: test/;

/** A field or a value that the server's classes cannot take: an uncaught 500 on most servers. */
const cannotBind =
  /unrecognized_property|mismatched_input|json_mapping|invalid_format|Unrecognized field|Cannot deserialize/;

/**
 * `{"status": "INTERNAL_SERVER_ERROR", "message": …}`, `{"error": …, "status": 500}`: what the API itself says when it
 * has come to its end. A proxy says 502, 503 or 504, or HTML, or nothing, while the server behind it is still at work.
 */
function isOwnEnvelope({ body }: HttpAnswer): boolean {
  if (!isObject(body as Value)) return false;
  const { status, message, error } = body as Record<string, unknown>;
  return (status === "INTERNAL_SERVER_ERROR" && typeof message === "string") || (status === 500 && error !== undefined);
}
