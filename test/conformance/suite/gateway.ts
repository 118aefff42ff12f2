import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Wire } from "./wire.ts";

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** A plain address on loopback that passes everything on, and remembers what passed. */
export interface Gateway {
  readonly url: string;
  readonly passed: readonly Passed[];
  /** `METHOD path` of all but GET. */
  writes(): readonly string[];
  /** Done once, before the next request that is no GET is passed on. */
  meddle(deed: () => Promise<unknown>): void;
  forget(): void;
  close(): Promise<void>;
}

/** @param login header of those who bring none of their own */
export async function openGateway(
  wire: Wire,
  certificate: boolean,
  login: Readonly<Record<string, string>>,
): Promise<Gateway> {
  const passed: Passed[] = [];
  const deeds: (() => Promise<unknown>)[] = [];
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = incoming;
    const body = await bytesOf(incoming);
    if (method !== "GET") await deeds.pop()?.();
    const sent = {
      method,
      path,
      headers: { ...login, ...without(headers, ["host", "content-length", ...ofOneConnection]) },
      body: body.length === 0 ? undefined : body,
      certificate,
    };
    const answer = await wire.send(sent);
    passed.push({ method, path, status: answer.status });
    const shown = { ...without(answer.headers, ofOneConnection), "content-length": answer.body.length };
    response.writeHead(answer.status, shown).end(answer.body);
  };
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    writes: () => passed.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`),
    meddle: (deed) => {
      deeds.push(deed);
    },
    forget: () => {
      passed.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const ofOneConnection = ["connection", "keep-alive", "transfer-encoding"];

function without<T>(headers: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
