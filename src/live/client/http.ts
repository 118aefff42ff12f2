// The adapter of undici, and so of the network as a client.
import type { Socket } from "node:net";
import { buildConnector, type Dispatcher, errors, Pool, ProxyAgent } from "undici";
import type { ReadPort, WritePort } from "../../model/ports.ts";
import type { Target } from "../../model/target.ts";
import type { EchoedText } from "./confidential.ts";
import type { HttpConnection, ServerResponse } from "./connection.ts";
import { decompressBody } from "./encoding.ts";
import { getConnectTimeout } from "./patience.ts";
import { createReader, sendOnce } from "./ports.ts";
import { chooseProxy, formatProxy, wantsLogin } from "./proxy.ts";
import { readTlsSettings, type TlsSettings } from "./tls.ts";
import { isRefusedInHandshake } from "./tls-messages.ts";
import { createWire, type Wire } from "./wire.ts";

/** How much of an answer is waited for and held. */
export interface Bounds {
  /** Bytes of one answer, as it comes and unpacked. */
  readonly largest: number;
  /** Milliseconds in which nothing more comes of an answer that has begun. */
  readonly stall: number;
}

/** Four times what 100 000 roles of a kilobyte take, and what still fits into one string; servers answer in one go. */
const usual: Bounds = { largest: 400 * 1024 * 1024, stall: 60_000 };

/** Connections to one URL. */
const connections = 8;

/**
 * A connection that can read the target and cannot write.
 *
 * @param bounds others in tests, which neither wait nor send that much
 * @param echoed called where an answer holds the login of this run, which must not be shown then
 */
export function connectToRead(target: Target, bounds: Bounds = usual, echoed?: EchoedText): ReadPort {
  const wire = wireOf(target, bounds, echoed);
  return { get: createReader(wire, target), close: wire.close };
}

/** A connection that can read and write the target. */
export function connectToWrite(target: Target, echoed?: EchoedText): WritePort {
  const wire = wireOf(target, usual, echoed);
  return {
    get: createReader(wire, target),
    send: (operation, options) => sendOnce(wire, target, operation, options?.timeout),
    close: wire.close,
  };
}

function wireOf(target: Target, bounds: Bounds, echoed: EchoedText | undefined): Wire {
  const tls = { ...readTlsSettings(target.tls), timeout: getConnectTimeout(target) };
  return createWire(target, (url) => connectTo(url, target, { ...tls, bounds }), echoed);
}

type Connecting = TlsSettings & { readonly timeout: number };

function connectTo(
  given: string,
  target: Target,
  { bounds, ...connecting }: Connecting & { readonly bounds: Bounds },
): HttpConnection {
  const { origin, pathname, protocol } = new URL(given);
  const base = pathname.replace(/\/+$/, "");
  const url = `${origin}${base}`;
  const through = chooseProxy(new URL(given), target.proxy);
  const via = through && { proxy: formatProxy(through) };
  /** What went wrong before there was a connection. */
  const undialled = new WeakSet<object>();
  const dial = (): Dispatcher =>
    through
      ? throughProxy(through.reveal(), protocol === "https:", connecting, undialled, bounds)
      : poolTo(origin, noting(buildConnector(connecting), undialled), bounds);
  let dispatcher = dial();
  return {
    url,
    async send({ method, path, headers, body = null, timeout, fresh = false }) {
      if (fresh) {
        // Requests that are already sent end on the old connections.
        dispatcher.close().catch(() => {});
        dispatcher = dial();
      }
      const signal = AbortSignal.timeout(timeout);
      try {
        const request = { origin, path: `${base}${path}`, method: method as Dispatcher.HttpMethod, headers, body };
        const answer = await dispatcher.request({ ...request, ...timed(bounds), signal });
        return await heardOf(answer, bounds, method === "GET");
      } catch (caught) {
        const error = signal.aborted ? late(timeout) : caught;
        const unsent =
          (error instanceof Error && undialled.has(error)) || isRefusedInHandshake(error) || wantsLogin(error);
        return { error, url, unsent, ...via };
      }
    },
    // Requests in progress are dropped: a connection that never opens would never end.
    close: () => dispatcher.destroy(),
  };
}

/** The signal measures the whole answer: one that trickles would otherwise never be late. */
function timed({ stall }: Bounds) {
  return { headersTimeout: 0, bodyTimeout: stall } as const;
}

function late(timeout: number): Error {
  return new errors.HeadersTimeoutError(`no whole answer within ${timeout / 1000} s`);
}

function poolTo(origin: string | URL, connect: buildConnector.connector, { largest }: Bounds): Pool {
  return new Pool(origin, { connections, maxResponseSize: largest, connect });
}

/** Requests to http:// go to a proxy whole: most proxies allow CONNECT to the ports of TLS only. */
function throughProxy(
  uri: string,
  proxyTunnel: boolean,
  requestTls: Connecting,
  undialled: WeakSet<object>,
  bounds: Bounds,
) {
  return new ProxyAgent({
    uri,
    proxyTunnel,
    requestTls,
    proxyTls: { timeout: requestTls.timeout },
    // A proxy that takes connections and says nothing is as good as none.
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: requestTls.timeout }),
    factory: (origin, options: Pool.Options) =>
      poolTo(
        origin,
        noting(typeof options.connect === "function" ? options.connect : buildConnector(options.connect), undialled),
        bounds,
      ),
  });
}

function noting(connect: buildConnector.connector, undialled: WeakSet<object>): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) {
        reportingCauses(socket);
        return callback(null, socket);
      }
      undialled.add(error);
      callback(error, null);
    });
}

/**
 * A server that refuses the client certificate under TLS 1.3 says so, and closes; undici reports only that it closed.
 */
function reportingCauses(socket: Socket): void {
  let first: Error | undefined;
  socket.on("error", (error) => {
    if (first) error.cause ??= first;
    first ??= error;
  });
}

/**
 * @param isRead for a read, every character must be the server's own: a replaced one would change names, and delete
 * entries
 */
async function heardOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { largest }: Bounds,
  isRead: boolean,
): Promise<ServerResponse> {
  if (Number(headers["content-length"]) > largest) {
    body.on("error", () => {}).destroy();
    throw new errors.ResponseExceededMaxSizeError();
  }
  const isExact = isRead && statusCode === 200;
  const text = await decompressBody(await body.bytes(), one(headers["content-encoding"]), largest, isExact);
  const retryAfter = one(headers["retry-after"]);
  return { status: statusCode, text, explained: explainedBy(headers), ...(retryAfter !== undefined && { retryAfter }) };
}

function explainedBy(headers: Dispatcher.ResponseData["headers"]): ServerResponse["explained"] {
  const [location, challenge] = [one(headers.location), one(headers["www-authenticate"])];
  const flx = one(headers["x-search-guard-version"]);
  return {
    ...(location !== undefined && { location }),
    ...(challenge !== undefined && { challenge }),
    ...(flx !== undefined && { flx }),
  };
}

function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.join(", ");
}
