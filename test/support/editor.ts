// A language client, as editors have one: it speaks to `gate-sync lsp` by the library that VS Code uses.
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import type { Diagnostic } from "vscode-languageserver-types";
import { runProgram } from "../../src/cli/program.ts";
import { ioOf } from "../unit/cli/io.ts";
import { type Files, inFolder } from "./command.ts";

export interface Editor {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly open: (path: string, text: string) => void;
  /** What is typed: the whole text. */
  readonly type: (path: string, text: string) => void;
  readonly close: (path: string) => void;
  readonly notify: (method: string, parameters: unknown) => void;
  readonly ask: (method: string, parameters: unknown) => Promise<unknown>;
  /** Of a file, as soon as they are as wanted. */
  readonly problems: (path: string, isWanted?: (problems: Shown) => boolean) => Promise<Shown>;
  /** Of all files, at this moment. */
  readonly shown: ReadonlyMap<string, Shown>;
  readonly logged: readonly string[];
  /** Ends the server; its exit code where it is known. */
  readonly quit: () => Promise<number | undefined>;
}

type Shown = readonly (Diagnostic & { readonly message: string })[];

interface Streams {
  readonly fromServer: NodeJS.ReadableStream;
  readonly toServer: NodeJS.WritableStream;
  readonly ended: Promise<number>;
}

export const uriOf = (path: string): string => pathToFileURL(path).href;

/** The server in this process. */
export function startServer(env: Readonly<Record<string, string>> = {}): Streams {
  const [fromServer, toServer] = [new PassThrough(), new PassThrough()];
  const stderr = { write: (text: string) => expectNothing(text), isTTY: false, columns: 80 };
  const stdout = { ...stderr };
  const io = { ...ioOf({ stdout, stderr, env }), input: () => toServer };
  const raw = { ...io, stdout: { ...stdout, write: (text: string) => void fromServer.write(text) } };
  return { fromServer, toServer, ended: runProgram(["lsp", "--stdio"], raw) };
}

function expectNothing(text: string): void {
  throw new Error(`The server wrote ${text}`);
}

export async function connectEditor({ fromServer, toServer, ended }: Streams, folder: string): Promise<Editor> {
  const client = createMessageConnection(new StreamMessageReader(fromServer), new StreamMessageWriter(toServer));
  const shown = new Map<string, Shown>();
  const logged: string[] = [];
  const waiting = new Set<() => void>();
  client.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
    shown.set(uri, diagnostics);
    for (const look of waiting) look();
  });
  client.onNotification("window/logMessage", ({ message }) => void logged.push(message));
  client.onRequest("client/registerCapability", () => null);
  client.listen();
  const { capabilities } = await client.sendRequest<{ capabilities: Editor["capabilities"] }>("initialize", {
    processId: null,
    workspaceFolders: [{ uri: uriOf(folder), name: "access" }],
    rootUri: null,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  const notify = (method: string, parameters: unknown) => void client.sendNotification(method, parameters);
  notify("initialized", {});
  let version = 0;
  return {
    capabilities,
    shown,
    logged,
    notify,
    ask: (method, parameters) => client.sendRequest(method, parameters),
    open: (path, text) =>
      notify("textDocument/didOpen", {
        textDocument: { uri: uriOf(path), languageId: "yaml", version: ++version, text },
      }),
    type: (path, text) =>
      notify("textDocument/didChange", {
        textDocument: { uri: uriOf(path), version: ++version },
        contentChanges: [{ text }],
      }),
    close: (path) => notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } }),
    problems: (path, isWanted = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = shown.get(uriOf(path));
          if (found === undefined || !isWanted(found)) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    quit: async () => {
      await client.sendRequest("shutdown");
      notify("exit", undefined);
      const code = await ended;
      client.dispose();
      return code;
    },
  };
}

/** A place as people write it: `roles.yml:2:5-9`, from 1. */
export function formatRange({ start, end }: Diagnostic["range"]): string {
  const last = end.line === start.line ? `${end.character + 1}` : `${end.line + 1}:${end.character + 1}`;
  return `${start.line + 1}:${start.character + 1}-${last}`;
}

/** An editor in which these files are the folder that is open; that nothing went wrong is checked in the end. */
export async function withEditor(files: Files, work: (editor: Editor, folder: string) => Promise<void>): Promise<void> {
  await inFolder(files, async (folder) => {
    const editor = await connectEditor(startServer(), folder);
    await work(editor, folder);
    expect(editor.logged).toEqual([]);
    expect(await editor.quit()).toBe(0);
  });
}

/** The places that `│` marks in a text, and the text without them. */
export function withMarks(text: string): {
  readonly text: string;
  readonly places: readonly { line: number; character: number }[];
} {
  const parts = text.split("│");
  const places = parts.slice(0, -1).map((_, at) => {
    const before = parts.slice(0, at + 1).join("");
    return { line: before.split("\n").length - 1, character: before.length - (before.lastIndexOf("\n") + 1) };
  });
  return { text: parts.join(""), places };
}
