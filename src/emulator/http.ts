// The only file that listens: it turns bytes into requests and deliveries into bytes, and decides nothing.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gunzipSync, gzipSync, inflateSync } from "node:zlib";
import type { Delivery } from "./fault.ts";
import type { RawRequest } from "./request.ts";

export interface ListeningServer {
  readonly url: string;
  /** Ends every connection, those that hang too. */
  readonly close: () => Promise<void>;
}

type Serve = (request: RawRequest) => Delivery;

/** In bytes, the default of search engines; longer ones get 413 without a body. */
const longestBody = 100 * 1024 * 1024;

/** Connections whose next request will be taken for a stranger's. */
const corrupt = new WeakSet<Socket>();

/**
 * Listens on loopback only; port 0 takes a free one. Rejects where the port is taken.
 *
 * @param longest bytes of a body
 */
export async function listen(port: number, serve: Serve, longest = longestBody): Promise<ListeningServer> {
  // Longer request lines than the search engine takes must reach it, so that it can refuse them in its own words.
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (incoming, response) => {
    exchange(incoming, response, serve, longest).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${taken}`, close: () => closed(server) };
}

async function exchange(
  incoming: IncomingMessage,
  response: ServerResponse,
  serve: Serve,
  longest: number,
): Promise<void> {
  const body = await bodyOf(incoming, longest);
  if (body === undefined) {
    response.writeHead(413, { connection: "close", "content-length": 0 }).end();
    return;
  }
  const { socket, method = "GET", url: path = "/" } = incoming;
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const stale = corrupt.delete(socket);
  const delivery = serve({ method, path, headers, body, stale });
  if (delivery.spoils) corrupt.add(socket);
  deliver(delivery, response, /\bgzip\b/.test(headers["accept-encoding"] ?? ""));
}

/** Undefined where it is too long, or says so before it begins. */
async function bodyOf(incoming: IncomingMessage, longest: number): Promise<string | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > longest) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > longest) return undefined;
  }
  const body = unpacked(Buffer.concat(chunks), incoming.headers["content-encoding"]);
  return body.length > longest ? undefined : body.toString("utf8");
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(body);
  return encoding === "deflate" ? inflateSync(body) : body;
}

function deliver({ status, headers, body, ending }: Delivery, response: ServerResponse, packs: boolean): void {
  if (ending === "hang") return;
  if (ending === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const plain = Buffer.from(body, "utf8");
  const bytes = packs && body !== "" ? gzipSync(plain, { level: 1 }) : plain;
  const encoding: Readonly<Record<string, string>> = bytes === plain ? {} : { "content-encoding": "gzip" };
  response.writeHead(status, { ...headers, ...encoding, "content-length": bytes.length });
  if (ending === "whole") {
    response.end(bytes);
    return;
  }
  // Half of what was announced, and the connection ends.
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((problem) => (problem === undefined ? resolve() : reject(problem)));
    server.closeAllConnections();
  });
}
