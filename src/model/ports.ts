import type { Operation } from "./operation.ts";

/** What a server answered. `body` is parsed JSON where it was JSON, else undefined. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly milliseconds: number;
  /** Where it sends us instead: followed nowhere, as a password would travel with us. */
  readonly location?: string;
  /** `WWW-Authenticate`: who asks for credentials. */
  readonly challenge?: string;
  /** What we logged in with, in words that may be read by anybody; with a 401 only, and absent where it was nothing. */
  readonly login?: string;
  /** `Retry-After`, in milliseconds: how long the server, or a proxy before it, wants to be left alone. */
  readonly retryAfter?: number;
  /** `X-Search-Guard-Version`, which Search Guard FLX alone sends. */
  readonly flx?: string;
}

/** The only access of a plan to a server. It cannot write. */
export interface ReadPort {
  /** GET of a path from the server's root. Throws a RunError where no answer comes. */
  get(path: string): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** What apply gets besides. */
export interface WritePort extends ReadPort {
  /**
   * Sends the operation once. A `lost` answer: whether it took effect is unknown.
   *
   * @param options `timeout` in milliseconds, where this one may take longer than others
   */
  send(operation: Operation, options?: { readonly timeout?: number }): Promise<HttpAnswer | LostAnswer>;
}

export interface LostAnswer {
  readonly lost: string;
  /** True when nothing can have reached the server (refused connection, unknown host). */
  readonly unsent: boolean;
  readonly milliseconds: number;
}
