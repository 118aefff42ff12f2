import {
  createDiagnostic,
  type Diagnostic,
  getFileStart,
  isError,
  sortDiagnostics,
} from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";
import { findUnfinishedMerge, findUnrenderedTemplate } from "./templates.ts";
import { parseDocuments } from "./yaml.ts";

export interface FoundConfigFile {
  readonly file: SourceFile;
  /** References in it are not replaced yet; an empty file is an empty map. */
  readonly root: Node;
}

/** Parses the text of gate-sync.yaml, a file of variables or an inventory. */
export function parseConfigFile(file: SourceFile): {
  readonly found?: FoundConfigFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const template = findUnfinishedMerge(file) ?? findUnrenderedTemplate(file);
  if (template) return { diagnostics: [template] };
  const { documents, diagnostics } = parseDocuments(file);
  if (diagnostics.length === 0) recordParsedFile(file, documents);
  const [first, second] = documents;
  const problems = second ? [...diagnostics, severalDocuments(second)] : diagnostics;
  if (problems.some(isError)) return { diagnostics: sortDiagnostics(problems) };
  const root: Node = first ?? { ...getFileStart(file), kind: "map", entries: [] };
  return { found: { file, root }, diagnostics: sortDiagnostics(problems) };
}

function severalDocuments(second: Node): Diagnostic {
  return createDiagnostic({ ...second, end: second.start }, "syntax", {
    what: "This file holds a second document.",
    why: "It would be read by nothing.",
    fix: "Keep one document; in gate-sync.yaml several clusters are several entries under targets.",
  });
}
