import { createServer, type IncomingMessage, request as openRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** What came in: a proxy, a login module or a debug page can say all of it back. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An answer in place of the server's; undefined lets the request through. `held`: the config that the server has. */
export type Weather = (
  request: Incoming,
  held: () => unknown,
) => { readonly status: number; readonly body: string } | undefined;

/** In front of a server, and a proxy as well; it hears what is sent. */
export interface Mirror {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  weather: Weather;
  /** Which requests are never answered. */
  hold: (request: Incoming) => boolean;
  close(): Promise<void>;
}

export async function openMirror(origin: () => string, held: () => unknown): Promise<Mirror> {
  const server = createServer((incoming, response) => {
    const pass = async (): Promise<void> => {
      const { method = "GET", headers } = incoming;
      // A proxy is asked for the whole URL.
      const path = (incoming.url ?? "/").replace(/^http:\/\/[^/]+/, "");
      const body = (await bytesOf(incoming)).toString("utf8");
      const request = { method, path, headers, body };
      if (mirror.hold(request)) return;
      const answer = mirror.weather(request, held);
      if (answer)
        return void response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
      const onward = openRequest(origin() + path, { method, headers });
      onward.end(body);
      const heard = await new Promise<IncomingMessage>((resolve, reject) =>
        onward.on("response", resolve).on("error", reject),
      );
      response.writeHead(heard.statusCode ?? 502, heard.headers).end(await bytesOf(heard));
    };
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const mirror: Mirror = {
    url: `http://127.0.0.1:${port}`,
    port,
    weather: () => undefined,
    hold: () => false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return mirror;
}

/** All that the program has said of itself and of the change, with the login as it was before it was packed. */
export function echoOf({ headers, body }: Incoming): string {
  const { authorization = "", ...others } = headers;
  const [, packed = ""] = /^Basic (.*)$/.exec(authorization) ?? [];
  return [authorization, Buffer.from(packed, "base64").toString("utf8"), ...Object.values(others), body].join(" ");
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
