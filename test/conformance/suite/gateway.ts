import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FaultAnswer } from "../../../src/emulator/index.ts";
import type { Incoming, Wire } from "./wire.ts";

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** What becomes of a request in the place of what should: `before` it is passed on, or `after` it was. */
export type InjectedFault = { readonly at: "before" | "after"; readonly answer: FaultAnswer };

/** A plain address on loopback that passes everything on, and remembers what passed. */
export interface Gateway {
  readonly url: string;
  readonly passed: readonly Passed[];
  /** `METHOD path` of all but GET. */
  writes(): readonly string[];
  /** Done once, before the next request that is no GET is passed on; of several deeds the last is done first. */
  meddle(deed: () => Promise<unknown>): void;
  /** Hits the next request that is no GET, and, `onward`, whatever comes after it. */
  inject(injectedFault: InjectedFault, onward?: InjectedFault): void;
  /** Nothing goes wrong any more. */
  recover(): void;
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
  let coming: { readonly injectedFault: InjectedFault; readonly onward: InjectedFault | undefined } | undefined;
  let lasting: InjectedFault | undefined;
  const injectedFaultFor = (method: string): InjectedFault | undefined => {
    if (method === "GET" || !coming) return lasting;
    const { injectedFault, onward } = coming;
    coming = undefined;
    lasting = onward;
    return injectedFault;
  };
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
    const injectedFault = injectedFaultFor(method);
    const answer = injectedFault?.at === "before" ? nothing : await wire.send(sent);
    passed.push({ method, path, status: answer.status });
    deliver(response, answer, injectedFault?.answer);
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
    inject: (injectedFault, onward) => {
      coming = { injectedFault, onward };
    },
    recover: () => {
      coming = undefined;
      lasting = undefined;
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

/** In place of an answer that no server gave. */
const nothing: Incoming = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"status":"OK"}'),
};

function deliver(response: ServerResponse, { status, headers, body }: Incoming, fault?: FaultAnswer): void {
  if (fault === "hang") return;
  if (fault === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (typeof fault === "object") {
    response.writeHead(fault.status, { ...fault.headers }).end(fault.body);
    return;
  }
  const page = fault === "not-json" ? Buffer.from("<html><body>It works!</body></html>") : undefined;
  const bytes = page ?? (fault === "empty" ? Buffer.alloc(0) : body);
  const type = page ? { "content-type": "text/html" } : {};
  response.writeHead(status, { ...without(headers, ofOneConnection), ...type, "content-length": bytes.length });
  if (fault === "truncate") response.write(body.subarray(0, body.length / 2), () => response.destroy());
  else response.end(bytes);
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
