import type { Reply } from "./reply.ts";

/** A fault to inject, as data. */
export type Fault =
  /** Another answer; `after` the request took effect, and only the answer goes wrong. */
  | { readonly at: "before" | "after"; readonly answer: FaultAnswer }
  /** Answered like any other and not kept: what Search Guard 6 does with the earlier one of two writes at once. */
  | { readonly at: "lost" };

/**
 * A made-up answer, or: `reset` the connection breaks · `hang` no answer ever comes · `truncate` the answer breaks
 * off half-way · `empty` no body · `not-json` a page of HTML in its place.
 */
export type FaultAnswer =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | "reset"
  | "hang"
  | "truncate"
  | "empty"
  | "not-json";

/** What the hook gets for a request; `count` is 1 for the first one since the start. */
export interface FaultCase {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly count: number;
}

export type FaultHook = (request: FaultCase) => Fault | undefined;

/** What goes onto the wire. */
export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ending: "whole" | "truncate" | "reset" | "hang";
  /** The connection is not to be trusted with the next request: see `RawRequest.stale`. */
  readonly spoils: boolean;
}

/** The answer as bytes to send, corrupt where a fault says so. */
export function createDelivery(reply: Reply, pretty: boolean, fault?: FaultAnswer): Delivery {
  const good = written(reply, pretty);
  if (fault === undefined) return good;
  if (typeof fault === "object") {
    const { status, body = "", headers = {} } = fault;
    return { ...good, status, body, headers: { "content-type": json, ...headers } };
  }
  switch (fault) {
    case "empty":
      return { ...good, body: "" };
    case "not-json":
      return { ...good, headers: { "content-type": "text/html" }, body: "<html><body>It works!</body></html>" };
    default:
      return { ...good, ending: fault };
  }
}

const json = "application/json; charset=UTF-8";

function written(reply: Reply, pretty: boolean): Delivery {
  const type = reply.json === undefined ? "text/plain; charset=UTF-8" : json;
  const body = reply.json === undefined ? (reply.text ?? "") : JSON.stringify(reply.json, null, pretty ? 2 : 0);
  const headers = { "content-type": type, ...reply.headers };
  return { status: reply.status, headers, body, ending: "whole", spoils: reply.spoils ?? false };
}
