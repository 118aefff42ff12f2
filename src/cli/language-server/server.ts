import { createSourceFile, type SourceFile } from "../../diagnostics/source.ts";
import { createOpenFiles, findConfigFolder } from "../../load/open-files.ts";
import { locatePackageFile } from "../../load/package-files.ts";
import { version } from "../../model/version.ts";
import { addAnswers, answerCapabilities } from "./answers.ts";
import type { Connection } from "./connection.ts";
import { createFileUri, readFileUri } from "./places.ts";
import { createProject, type Project } from "./project.ts";

/** What the editor says at first. */
interface Initialization {
  readonly workspaceFolders?: readonly { readonly uri: string }[] | null;
  readonly rootUri?: string | null;
  readonly capabilities?: {
    readonly workspace?: { readonly didChangeWatchedFiles?: { readonly dynamicRegistration?: boolean } };
  };
}

interface OpenDocument {
  readonly textDocument: { readonly uri: string; readonly text?: string };
  readonly contentChanges?: readonly { readonly text: string }[];
}

/** The whole text comes with each change: of a state file that is a matter of a millisecond. */
const capabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: 1, save: true },
  ...answerCapabilities,
} as const;

/** Serves an editor until it goes; whether it said so before. */
export async function runLanguageServer(connection: Connection): Promise<boolean> {
  const open = createOpenFiles();
  const projects = new Map<string, Project>();
  /** The documents that are open, by path, with their URIs as the editor writes them. */
  const documents = new Map<string, { readonly uri: string; readonly file: SourceFile }>();
  let folders: readonly string[] = [];
  let watchesFiles = false;
  let isOrderly = false;
  // Changes of a document are taken in the order in which they came.
  let taken: Promise<unknown> = Promise.resolve();

  const uriOf = (path: string): string => documents.get(path)?.uri ?? createFileUri(path);
  const publish = (path: string, diagnostics: readonly unknown[]) =>
    connection.notify("textDocument/publishDiagnostics", { uri: uriOf(path), diagnostics });
  const lintGuide = locatePackageFile("examples/lint/README.md");
  const findProject = (path: string): Project | undefined => {
    const folder = findConfigFolder(path, folders);
    if (folder === undefined) return undefined;
    const known = projects.get(folder) ?? createProject({ folder, open, publish, log, lintGuide });
    projects.set(folder, known);
    return known;
  };
  function log(message: string): void {
    connection.notify("window/logMessage", { type: 1, message });
  }
  const take = (uri: string, text: string | undefined): void => {
    const path = readFileUri(uri);
    if (path === undefined) return;
    if (text === undefined) documents.delete(path);
    else documents.set(path, { uri, file: createSourceFile(path, text) });
    taken = taken.then(() => open.setText(path, text)).then(() => findProject(path)?.check());
  };
  const checkAll = (): void => {
    taken = taken.then(() => {
      for (const project of projects.values()) project.check();
    });
  };

  addAnswers(connection, {
    find: async (uri) => {
      await taken;
      const path = readFileUri(uri) ?? "";
      const [document, project] = [documents.get(path), findProject(path)];
      return document && project && { path, file: document.file, project };
    },
    uriOf,
  });
  connection.answer("initialize", (parameters) => {
    const { workspaceFolders, rootUri, capabilities: editors } = parameters as Initialization;
    const roots = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    folders = roots.flatMap((uri) => readFileUri(uri) ?? []);
    watchesFiles = editors?.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return { capabilities, serverInfo: { name: "gate-sync", version } };
  });
  connection.receive("initialized", () => {
    if (!watchesFiles) return;
    const watchers = [{ globPattern: "**/*.{yml,yaml,json,csv}" }];
    const method = "workspace/didChangeWatchedFiles";
    const registrations = [{ id: "files", method, registerOptions: { watchers } }];
    connection.request("client/registerCapability", { registrations }).catch(() => {});
  });
  connection.receive("textDocument/didOpen", (parameters) => {
    const { textDocument } = parameters as OpenDocument;
    take(textDocument.uri, textDocument.text ?? "");
  });
  connection.receive("textDocument/didChange", (parameters) => {
    const { textDocument, contentChanges = [] } = parameters as OpenDocument;
    const last = contentChanges.at(-1);
    if (last) take(textDocument.uri, last.text);
  });
  connection.receive("textDocument/didClose", (parameters) => {
    take((parameters as OpenDocument).textDocument.uri, undefined);
  });
  connection.receive("textDocument/didSave", checkAll);
  connection.receive("workspace/didChangeWatchedFiles", checkAll);
  connection.answer("shutdown", () => {
    isOrderly = true;
    return null;
  });
  connection.receive("exit", connection.close);
  await connection.listen();
  return isOrderly;
}
