// A server at the other end of the wire, and what it was sent.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { onTestFinished } from "vitest";
import { RunError } from "../../../../src/diagnostics/failure.ts";
import { type Bounds, connectToRead, connectToWrite } from "../../../../src/live/client/http.ts";
import type { Operation } from "../../../../src/model/operation.ts";
import type { ReadPort, WritePort } from "../../../../src/model/ports.ts";
import type { Target } from "../../../../src/model/target.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** 1 for the first connection. */
  readonly connection: number;
}

export interface Served {
  readonly port: number;
  readonly url: string;
  readonly seen: readonly Seen[];
  readonly server: Server;
}

/** What the server answers; with the requests before and this one. */
export type Answering = (request: Seen, response: ServerResponse, seen: readonly Seen[]) => void;

export async function serve(answering: Answering, secure?: ServerOptions): Promise<Served> {
  const seen: Seen[] = [];
  const connections = new WeakMap<object, number>();
  let count = 0;
  const listener: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers, socket } = incoming;
    const connection = connections.get(socket) ?? ++count;
    connections.set(socket, connection);
    const request = { method, path, headers, body: Buffer.concat(chunks), connection };
    seen.push(request);
    answering(request, response, seen);
  };
  const server = secure ? createSecureServer(secure, listener) : createServer(listener);
  const port = await listening(server);
  onTestFinished(() => server.closeAllConnections());
  return { port, url: `${secure ? "https" : "http"}://127.0.0.1:${port}`, seen, server };
}

/** Listens until the test is finished. */
export async function listening(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

export function targetAt(url: string, more: Partial<Target> = {}): Target {
  return { name: "t", url, state: [], vars: new Map(), families: {}, acceptFields: [], ...more };
}

export function readerOf(target: Target, bounds?: Bounds): ReadPort {
  const reader = connectToRead(target, bounds);
  onTestFinished(() => reader.close());
  return reader;
}

export function writerOf(target: Target): WritePort {
  const writer = connectToWrite(target);
  onTestFinished(() => writer.close());
  return writer;
}

export function putOf(body: Operation["body"] = {}): Operation {
  return { family: "roles", method: "PUT", path: "/api/roles/r", names: ["r"], bulk: false, ...(body && { body }) };
}

/** The message of a read that fails, in one line. */
export async function userMessageOf(target: Target, path = "/", bounds?: Bounds): Promise<string> {
  try {
    const { status } = await readerOf(target, bounds).get(path);
    return `no message, but ${status}`;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { what, why = "", fix = "" } = error.userMessage;
    return [what, why, fix].join(" ");
  }
}
