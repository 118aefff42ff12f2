import type { HttpAnswer } from "../../model/ports.ts";

/** One HTTP request as it leaves. */
export interface OutgoingRequest {
  readonly method: string;
  /** From the server's root, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds for the whole answer, from sending. */
  readonly timeout: number;
  /** On a connection that no earlier request has used. */
  readonly fresh?: boolean;
}

/** One HTTP answer as it came, its body unpacked. */
export interface ServerResponse {
  readonly status: number;
  readonly text: string;
  /** What its headers say that an answer carries. */
  readonly explained: Pick<HttpAnswer, "location" | "challenge" | "flx">;
  readonly retryAfter?: string;
}

/** No answer came. */
export interface Silence {
  readonly error: unknown;
  /** The URL that was asked, and the proxy on the way to it, without its login. */
  readonly url: string;
  readonly proxy?: string;
  /** True when nothing can have reached the server. */
  readonly unsent: boolean;
  /** The other URLs that were asked to no better effect. */
  readonly also?: readonly Silence[];
}

/** The connections to one URL. */
export interface HttpConnection {
  /** Without a slash at its end. */
  readonly url: string;
  send(outgoing: OutgoingRequest): Promise<ServerResponse | Silence>;
  close(): Promise<void>;
}

export function isSilence(result: ServerResponse | Silence): result is Silence {
  return "error" in result;
}

/** Whether a server took a request and did not answer in the time that it was given. */
export function isLate(result: ServerResponse | Silence): boolean {
  return isSilence(result) && !result.unsent && getErrorCode(result.error) === "UND_ERR_HEADERS_TIMEOUT";
}

/** `ECONNREFUSED` and the like; empty where the error has none. That a socket was closed says less than why. */
export function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own === "" || own === "UND_ERR_SOCKET" ? getErrorCode(error.cause) || own : own;
}

/** Whether an error of this code ended a connection that there was. */
export function isBroken(code: string): boolean {
  return ["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"].includes(code);
}
