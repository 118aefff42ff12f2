// The only file that listens: it turns bytes into requests and deliveries into bytes, and decides nothing.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, inflateSync } from "node:zlib";
import type { Delivery } from "./fault.ts";
import type { RawRequest } from "./request.ts";

export interface Listening {
  readonly url: string;
  /** Ends every connection, those that hang too. */
  readonly close: () => Promise<void>;
}

/** Listens on loopback only; port 0 takes a free one. Rejects where the port is taken. */
export async function listen(port: number, serve: (request: RawRequest) => Delivery): Promise<Listening> {
  // Longer request lines than the search engine takes must reach it, so that it can refuse them in its own words.
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (incoming, response) => {
    exchange(incoming, response, serve).catch(() => response.destroy());
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
  serve: (request: RawRequest) => Delivery,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = unpacked(Buffer.concat(chunks), incoming.headers["content-encoding"]);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  deliver(
    serve({
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: Object.fromEntries(headers),
      body: body.toString("utf8"),
    }),
    response,
  );
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(body);
  return encoding === "deflate" ? inflateSync(body) : body;
}

function deliver({ status, headers, body, ending }: Delivery, response: ServerResponse): void {
  if (ending === "hang") return;
  if (ending === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(body, "utf8");
  response.writeHead(status, { ...headers, "content-length": bytes.length });
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
