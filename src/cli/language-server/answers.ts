import { resolve } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import type { SourceFile, SourceRange } from "../../diagnostics/source.ts";
import { listCompletions } from "../../engine/editor/completion.ts";
import { explainPlace } from "../../engine/editor/explain-place.ts";
import {
  describeAt,
  type EditorPlace,
  editNameAt,
  findNamesAt,
  locateDefinitions,
  locateReferences,
  type ProjectNames,
} from "../../engine/editor/names.ts";
import { findQuickFixes, listDiagnosticsIn } from "../../engine/editor/quick-fixes.ts";
import { renderEntryDescription, renderReferenceMarkdown } from "../../render/markdown/entry-description.ts";
import type { Connection } from "./connection.ts";
import { convertToOffset, convertToRange } from "./places.ts";
import type { Project } from "./project.ts";
import type { ProtocolEdit, ProtocolPosition, ProtocolRange } from "./protocol.ts";
import { showCompletions } from "./shown-completions.ts";
import { showQuickFix } from "./shown-fixes.ts";

export const answerCapabilities = {
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  completionProvider: { triggerCharacters: [":", "[", ",", "{", '"', "'", "-"] },
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: ["quickfix"] },
} as const;

interface Parameters {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
  readonly range: ProtocolRange;
  readonly context?: { readonly includeDeclaration?: boolean };
  readonly newName?: string;
}

interface OpenDocuments {
  /** By all that the editor has sent before; undefined for what is not open, or in no folder with a gate-sync.yaml. */
  readonly find: (uri: string) => Promise<AskedDocument | undefined>;
  /** Of a file by its path. */
  readonly uriOf: (path: string) => string;
}

interface AskedDocument {
  readonly path: string;
  readonly file: SourceFile;
  readonly project: Project;
}

interface Question {
  readonly place: EditorPlace;
  readonly file: SourceFile;
  readonly project: Project;
  readonly parameters: Parameters;
}

/** @throws RunError for what no editor sends */
function readParameters(asked: unknown): Parameters {
  const { textDocument, position, range } = (asked ?? {}) as Partial<Parameters>;
  const { line, character } = position ?? range?.start ?? {};
  if (typeof textDocument?.uri === "string" && Number.isInteger(line) && Number.isInteger(character))
    return asked as Parameters;
  throw new RunError("usage", { what: "The editor asked about no place of a document." });
}

/** Answers what editors ask about a place. */
export function addAnswers(connection: Connection, { find, uriOf }: OpenDocuments): void {
  const answerAt = (method: string, by: (question: Question) => unknown): void =>
    connection.answer(`textDocument/${method}`, async (asked) => {
      const parameters = readParameters(asked);
      const document = await find(parameters.textDocument.uri);
      if (!document) return null;
      const { path: absolute, file, project } = document;
      const position = parameters.position ?? parameters.range.start;
      return await by({
        place: { absolute, text: file.text, offset: convertToOffset(file, position) },
        file,
        project,
        parameters,
      });
    });
  const locate = ({ folder }: ProjectNames, places: readonly SourceRange[]) =>
    places.map((place) => ({ uri: uriOf(resolve(folder, place.file.path)), range: convertToRange(place) }));

  answerAt("hover", async ({ place, file, project }) => {
    const names = await project.getNames();
    const found = describeAt(names, place);
    const explained = explainPlace(names, await project.getDiagnostics(), place);
    const [first = found?.place] = explained;
    if (!first) return null;
    const entries = new Map(explained.map(({ entry }) => [entry.name, renderReferenceMarkdown(entry)]));
    const parts = [...(found ? [renderEntryDescription(found.description)] : []), ...entries.values()];
    const range = convertToRange({ file, ...(found?.place ?? first) });
    return { contents: { kind: "markdown", value: parts.join("\n\n---\n\n") }, range };
  });
  answerAt("definition", async ({ place, project }) => {
    const names = await project.getNames();
    return locate(names, locateDefinitions(names, place));
  });
  answerAt("references", async ({ place, project, parameters }) => {
    const names = await project.getNames();
    return locate(names, locateReferences(names, place, parameters.context?.includeDeclaration === true));
  });
  answerAt("completion", async ({ place, file, project }) =>
    showCompletions(listCompletions(await project.getNames(), place), file, place.offset),
  );
  answerAt("prepareRename", async ({ place, project }) => {
    const [one] = findNamesAt(await project.getNames(), place);
    return one ? { range: convertToRange(one.place), placeholder: one.name } : null;
  });
  answerAt("rename", async ({ place, project, parameters: { newName = "" } }) => {
    const changes: Record<string, ProtocolEdit[]> = {};
    for (const { place: at, text } of editNameAt(await project.getAllNames(), place, newName)) {
      const uri = uriOf(resolve(project.folder, at.file.path));
      changes[uri] = [...(changes[uri] ?? []), { range: convertToRange(at), newText: text }];
    }
    return { changes };
  });
  answerAt("codeAction", async ({ place, file, project, parameters: { textDocument, range } }) => {
    const checks = await project.getAllChecks();
    const here = listDiagnosticsIn(project.folder, checks, place, convertToOffset(file, range.end));
    return findQuickFixes(here, checks).map((fix) => showQuickFix(fix, textDocument.uri, project.show));
  });
}
