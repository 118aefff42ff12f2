import { assert } from "../../diagnostics/failure.ts";
import type { Target } from "../../model/target.ts";
import { createConfidential, type EchoedText, withoutConfidential } from "./confidential.ts";
import {
  getErrorCode,
  type HttpConnection,
  isLate,
  isSilence,
  type ServerResponse,
  type Silence,
} from "./connection.ts";
import { compressBody, worthPacking } from "./encoding.ts";
import { addLoginHeaders, createLogin, type LoginIdentity } from "./login.ts";
import { createMembership } from "./membership.ts";
import { isKnownOpenSearch, isOpenSearch, runHeaders } from "./opaque-id.ts";
import { getReadTimeout } from "./patience.ts";
import { isAboutCertificates } from "./tls-messages.ts";

export interface WireRequest {
  readonly method: string;
  /** From the server's root, encoded. */
  readonly path: string;
  /** JSON, secrets revealed. */
  readonly body?: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The connection to a cluster, whichever of its URLs answers: it logs in, and removes the login from answers. */
export interface Wire {
  /**
   * One request, answered or not; sent again only where the server is known to have done nothing with it.
   *
   * @throws RunError where the command that prints credentials fails: nothing was sent
   */
  request(request: WireRequest): Promise<ServerResponse | Silence>;
  close(): Promise<void>;
}

/** @param open makes the connection to a URL */
export function createWire(target: Target, open: (url: string) => HttpConnection, echoed?: EchoedText): Wire {
  assert(target.url !== undefined, "A target without a URL is being connected to.");
  const connections = [target.url, ...(target.otherUrls ?? [])].map(open);
  const ask = tryUrls(connections);
  const members = connections.length > 1 ? createMembership(target.cluster, getReadTimeout(target, "/")) : undefined;
  const login = createLogin(target.auth);
  const extra = extraHeaders(target);
  let takesOpaqueId = isKnownOpenSearch(target);
  /** Undefined until a server was seen to take or to refuse a compressed body. */
  let takesGzip: boolean | undefined;

  const exchange = async (request: WireRequest, identity: LoginIdentity, gzip: boolean, fresh = false) => {
    const { method, body } = request;
    const whole = body !== undefined && gzip ? await compressBody(body) : body;
    const heard = await ask((connection) => {
      const send = async (asked: Omit<WireRequest, "body">) => {
        const isRequest = asked === request;
        const headers = {
          ...runHeaders(takesOpaqueId),
          ...extra,
          ...headersFor(isRequest ? body : undefined, isRequest && gzip),
        };
        const bytes = isRequest ? whole : undefined;
        const unsigned = { method: asked.method, url: connection.url + asked.path, headers, body: bytes };
        const { path, timeout } = asked;
        const outgoing = {
          method: asked.method,
          path,
          headers: await addLoginHeaders(identity, unsigned),
          timeout,
          fresh,
        };
        return connection.send(bytes === undefined ? outgoing : { ...outgoing, body: bytes });
      };
      return members ? members.through(connection, request, send) : send(request);
    }, request.path);
    return isSilence(heard) ? heard : withoutConfidential(heard, method, createConfidential(target, identity), echoed);
  };

  /**
   * A 401 says that nothing was done, and may be an echo: OpenSearch answers the request that follows a malformed one on
   * the same connection with the 401 of that one. It may also be that a token of a command has expired.
   */
  const admitted = async (request: WireRequest, gzip: boolean) => {
    const identity = await login.current();
    const first = await exchange(request, identity, gzip);
    if (isSilence(first) || first.status !== 401) return first;
    return exchange(request, await login.instead(identity), gzip, true);
  };

  const understood = async (request: WireRequest) => {
    // A signed body must arrive unchanged, and proxies may unpack and pack it again.
    const gzip = takesGzip !== false && target.auth?.kind !== "aws" && isLong(request.body);
    const first = await admitted(request, gzip);
    if (!gzip || isSilence(first)) return first;
    if (first.status < 300) takesGzip = true;
    if (takesGzip || !isMisunderstood(first)) return first;
    const second = await admitted(request, false);
    if (!isSilence(second) && !isMisunderstood(second)) takesGzip = false;
    return second;
  };

  return {
    async request(request) {
      const heard = await understood(request);
      takesOpaqueId ||= !isSilence(heard) && isOpenSearch(request.path, heard);
      return heard;
    },
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

function isLong(body: string | undefined): boolean {
  return body !== undefined && Buffer.byteLength(body) >= worthPacking;
}

/** What a server says to a body that it cannot read; it did nothing with it. */
function isMisunderstood({ status }: ServerResponse): boolean {
  return status === 400 || status === 415;
}

function headersFor(body: string | undefined, gzip: boolean) {
  return {
    accept: "application/json",
    "accept-encoding": "gzip",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(gzip && { "content-encoding": "gzip" }),
  };
}

/** In lower case, so that none is sent twice. */
function extraHeaders({ headers = {} }: Target): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.reveal()]));
}

/** URLs that did not say in time who they are: whatever else this process asks of their clusters, others are asked first. */
const lateUrls = new Set<string>();

type Attempt = (connection: HttpConnection) => Promise<ServerResponse | Silence>;

/**
 * Tries the URLs of one cluster until one connects, beginning with the last that did. A URL that connected
 * and then did not answer may have processed the request: no other is tried then, but for `GET /`, which each is given its time for.
 */
function tryUrls(connections: readonly HttpConnection[]) {
  let current = Math.max(
    0,
    connections.findIndex(({ url }) => !lateUrls.has(url)),
  );
  return async (attempt: Attempt, path: string): Promise<ServerResponse | Silence> => {
    const silences: Silence[] = [];
    for (const connection of [...connections.slice(current), ...connections.slice(0, current)]) {
      const result = await attempt(connection);
      if (!isSilence(result) || !(isElsewhere(result) || (path === "/" && isLate(result)))) {
        current = connections.indexOf(connection);
        return result;
      }
      if (getErrorCode(result.error) === "UND_ERR_HEADERS_TIMEOUT") lateUrls.add(connection.url);
      silences.push(result);
    }
    const [first, ...also] = silences;
    return { ...(first as Silence), also };
  };
}

/** A problem with certificates is one of the settings: it is reported, and no other URL hides it. */
function isElsewhere({ unsent, error }: Silence): boolean {
  return unsent && !isAboutCertificates(error);
}
