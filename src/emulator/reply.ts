import type { Json } from "../json/value.ts";

/** What the server answers: JSON, or plain text, or (neither) an empty body. */
export interface Reply {
  readonly status: number;
  readonly json?: Json;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What comes next on this connection will be taken for a stranger's. */
  readonly spoils?: boolean;
}

const statusNames: Readonly<Record<number, string>> = {
  200: "OK",
  201: "CREATED",
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  501: "NOT_IMPLEMENTED",
};

/** The envelope of every message but validation errors; `named` where the body's status differs from the answer's. */
export function createReply(status: number, message: string, named = statusNames[status] ?? "OK"): Reply {
  return { status, json: { status: named, message } };
}

/** The envelope of validation errors, which has other words for the same things. */
export function createInvalidReply(reason: string, details: Readonly<Record<string, Json>> = {}): Reply {
  return { status: 400, json: { status: "error", reason, ...details } };
}

export const bodyRequired: Reply = createInvalidReply("Request body required for this action.");

export const couldNotParse: Reply = createInvalidReply("Could not parse content of request.");

/** The parser's words come first, as on real servers. */
export function createUnparsableReply(details: string): Reply {
  return { status: 400, json: { details, status: "error", reason: "Could not parse content of request." } };
}

/** What the search engine below answers when it fails by itself. */
export function createEngineFailure(status: number, type: string, reason: string): Reply {
  const cause = { type, reason };
  return { status, json: { error: { root_cause: [cause], ...cause }, status } };
}

/** The path is known, the method is not. */
export function createWrongMethodReply(method: string, path: string, allowed: readonly string[]): Reply {
  const error = `Incorrect HTTP method for uri [${path}] and method [${method}], allowed: [${allowed.join(", ")}]`;
  return { status: 405, json: { error, status: 405 }, headers: { allow: allowed.join(",") } };
}

export function createNoHandlerReply(method: string, path: string): Reply {
  return { status: 400, json: { error: `no handler found for uri [${path}] and method [${method}]` } };
}
