import { createRequire } from "node:module";
import { RunError } from "../../diagnostics/failure.ts";
import { escapeInvisible } from "../../render/escape.ts";
import { maskRunError } from "../../secrets/masked-message.ts";
import { formatCrash } from "../crash.ts";
import type { Io } from "../io.ts";

/** `RequestFailed` of the protocol. */
const failed = -32803;

const require = createRequire(import.meta.url);

/** Messages of JSON-RPC with an editor, over standard input and output. */
export interface Connection {
  /** A `RunError` that it throws is the answer that it cannot be done. */
  readonly answer: (method: string, by: (parameters: unknown) => unknown) => void;
  readonly receive: (method: string, by: (parameters: unknown) => void) => void;
  readonly notify: (method: string, parameters: unknown) => void;
  readonly request: (method: string, parameters: unknown) => Promise<unknown>;
  /** Until the editor goes, or `close`. */
  readonly listen: () => Promise<void>;
  readonly close: () => void;
}

/** @throws RunError `usage` where the library of the protocol is not installed */
export function openConnection(io: Io): Connection {
  const { AbstractMessageWriter, createMessageConnection, ReadableStreamMessageReader, ResponseError } = loadLibrary();
  const input = io.input();
  const [data, ends] = [new Set<(data: Uint8Array) => void>(), new Set<() => void>()];
  const listenerOf = <T>(all: Set<T>, one: T) => {
    all.add(one);
    return { dispose: () => void all.delete(one) };
  };
  const reader = new ReadableStreamMessageReader({
    onData: (one) => listenerOf(data, one),
    onEnd: (one) => listenerOf(ends, one),
    onClose: (one) => listenerOf(ends, one),
    onError: () => ({ dispose() {} }),
  });
  class Writer extends AbstractMessageWriter {
    async write(message: unknown): Promise<void> {
      const text = JSON.stringify(message);
      io.command(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    }
    end(): void {}
  }
  const connection = createMessageConnection(reader, new Writer());
  let isOpen = true;
  return {
    answer: (method, by) => {
      connection.onRequest(method, async (parameters) => {
        try {
          return await by(parameters);
        } catch (error) {
          if (!(error instanceof RunError)) return new ResponseError(failed, formatCrash(error));
          const { what, fix } = maskRunError(error).userMessage;
          return new ResponseError(failed, escapeInvisible(fix === undefined ? what : `${what} ${fix}`));
        }
      });
    },
    receive: (method, by) => void connection.onNotification(method, by),
    notify: (method, parameters) => {
      if (isOpen) connection.sendNotification(method, parameters).catch(() => {});
    },
    request: (method, parameters) => connection.sendRequest(method, parameters),
    listen: async () => {
      connection.listen();
      try {
        for await (const chunk of input) for (const one of data) one(chunk);
      } catch {
        // Closed, by the editor or by us.
      }
      isOpen = false;
      for (const one of ends) one();
    },
    close: () => {
      isOpen = false;
      input.destroy?.();
    },
  };
}

function loadLibrary(): typeof import("vscode-jsonrpc/node") {
  try {
    return require("vscode-jsonrpc/node");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new RunError("usage", {
      what: "gate-sync lsp needs the package vscode-jsonrpc, which is not installed.",
      why: "Only editors need it, so that installing gate-sync does not bring it.",
      fix: "Run npm install --save-dev vscode-jsonrpc@10; where gate-sync is installed with -g, npm install -g vscode-jsonrpc@10.",
    });
  }
}
