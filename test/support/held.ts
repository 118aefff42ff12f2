import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** In front of a server, keeping one answer back: for what a user may do while a request is in flight. */
export interface HeldServer {
  readonly url: string;
  /** Settles when the server has answered the request and the answer is kept back. */
  readonly held: Promise<void>;
  /** Lets it through, and whatever comes after. */
  release(): void;
  close(): Promise<void>;
}

/** @param of which request's answer is kept back: `METHOD path`; the first such one only */
export async function holdAnswer(origin: string, of: string): Promise<HeldServer> {
  const gate = latch();
  const held = latch();
  let used = false;
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, headers, body } = await forwarded(origin, incoming);
    if (!used && of === `${incoming.method} ${incoming.url}`) {
      used = true;
      held.open();
      await gate.opened;
    }
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: held.opened,
    release: gate.open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function forwarded(origin: string, incoming: IncomingMessage) {
  const { method = "GET", url = "/", headers } = incoming;
  const onward = request(origin + url, { method, headers });
  incoming.pipe(onward);
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    onward.on("response", resolve).on("error", reject),
  );
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await bytesOf(answer) };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
