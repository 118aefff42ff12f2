import { resolve } from "node:path";
import { createSourceFile, type SourceFile, type SourceRange } from "../../diagnostics/source.ts";
import {
  describeAt,
  type EditorPlace,
  editNameAt,
  findNamesAt,
  locateDefinitions,
  locateReferences,
  type ProjectNames,
} from "../../engine/editor/names.ts";
import { findQuickFixes } from "../../engine/editor/quick-fixes.ts";
import { createOpenFiles, findConfigFolder } from "../../load/open-files.ts";
import { locatePackageFile } from "../../load/package-files.ts";
import { version } from "../../model/version.ts";
import { renderEntryDescription } from "../../render/markdown/entry-description.ts";
import type { Connection } from "./connection.ts";
import { convertToOffset, convertToRange, createFileUri, readFileUri } from "./places.ts";
import { createProject, type Project } from "./project.ts";
import type { ProtocolEdit, ProtocolPosition, ProtocolRange } from "./protocol.ts";
import { showQuickFix } from "./shown-fixes.ts";

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

interface PlaceParameters {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  readonly context?: { readonly includeDeclaration?: boolean };
  readonly newName?: string;
}

interface ActionParameters {
  readonly textDocument: { readonly uri: string };
  readonly range: ProtocolRange;
}

interface PlaceQuestion {
  readonly names: ProjectNames;
  readonly place: EditorPlace;
  readonly parameters: Omit<PlaceParameters, "textDocument" | "position">;
}

/** The whole text comes with each change: of a state file that is a matter of a millisecond. */
const capabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: 1, save: true },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: ["quickfix"] },
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

  /** Answers what is asked of a place, by all that the editor has sent before; null where the place is in no file of a target. */
  const answerAt = (method: string, by: (question: PlaceQuestion) => unknown): void =>
    connection.answer(method, async (parameters) => {
      const { textDocument, position, ...others } = parameters as PlaceParameters;
      await taken;
      const path = readFileUri(textDocument.uri) ?? "";
      const document = documents.get(path);
      const names = document && (await findProject(path)?.getNames());
      if (!names) return null;
      const { file } = document;
      const place = { absolute: path, text: file.text, offset: convertToOffset(file, position) };
      return by({ names, place, parameters: others });
    });
  const locate = (names: ProjectNames, places: readonly SourceRange[]) =>
    places.map((place) => ({ uri: uriOf(resolve(names.folder, place.file.path)), range: convertToRange(place) }));

  answerAt("textDocument/hover", ({ names, place }) => {
    const found = describeAt(names, place);
    if (!found) return null;
    const value = renderEntryDescription(found.description);
    return { contents: { kind: "markdown", value }, range: convertToRange(found.place) };
  });
  answerAt("textDocument/definition", ({ names, place }) => locate(names, locateDefinitions(names, place)));
  answerAt("textDocument/references", ({ names, place, parameters }) =>
    locate(names, locateReferences(names, place, parameters.context?.includeDeclaration === true)),
  );
  answerAt("textDocument/prepareRename", ({ names, place }) => {
    const [one] = findNamesAt(names, place);
    return one ? { range: convertToRange(one.place), placeholder: one.name } : null;
  });
  answerAt("textDocument/rename", ({ names, place, parameters: { newName = "" } }) => {
    const changes: Record<string, ProtocolEdit[]> = {};
    for (const { place: at, text } of editNameAt(names, place, newName)) {
      const uri = uriOf(resolve(names.folder, at.file.path));
      changes[uri] = [...(changes[uri] ?? []), { range: convertToRange(at), newText: text }];
    }
    return { changes };
  });
  connection.answer("textDocument/codeAction", async (parameters) => {
    const { textDocument, range } = parameters as ActionParameters;
    await taken;
    const path = readFileUri(textDocument.uri) ?? "";
    const project = findProject(path);
    const file = documents.get(path)?.file;
    if (!project || !file) return [];
    const all = await project.getDiagnostics();
    const [start, end] = [convertToOffset(file, range.start), convertToOffset(file, range.end)];
    const here = all.filter(
      (one) =>
        one.range?.file.text === file.text &&
        resolve(project.folder, one.range.file.path) === path &&
        one.range.start <= end &&
        start <= one.range.end,
    );
    return findQuickFixes(here).map((fix) => showQuickFix(fix, textDocument.uri, project.show));
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
