import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  createDiagnostic,
  type Diagnostic,
  getFileStart,
  isError,
  sortDiagnostics,
} from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";
import { findRepositoryAround } from "./boundary.ts";
import { type FoundFile, formatPath } from "./files.ts";
import { readSource } from "./read.ts";
import { findUnfinishedMerge, findUnrenderedTemplate } from "./templates.ts";
import { parseDocuments } from "./yaml.ts";

export interface FoundConfigFile {
  readonly file: SourceFile;
  /** References in it are not replaced yet; an empty file is an empty map. */
  readonly root: Node;
}

export const configNames = ["gate-sync.yaml", "gate-sync.yml"];

/**
 * gate-sync.yaml of the folder, or the file that was named, parsed.
 *
 * @throws RunError `usage` where the named file does not exist, or the folder has two
 */
export async function findConfigFile(
  cwd: string,
  given?: string,
): Promise<{ readonly found?: FoundConfigFile; readonly diagnostics: readonly Diagnostic[] }> {
  const place = locateConfigFile(cwd, given);
  if (!place) return { diagnostics: [] };
  const { file, problem } = await readSource(place);
  return problem ? { diagnostics: [problem] } : parseConfigFile(file);
}

/** Parses the text of gate-sync.yaml, or of a file of variables. */
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

/** Where gate-sync.yaml is; undefined where the folder has none. Throws as `findConfigFile` does. */
export function locateConfigFile(cwd: string, given: string | undefined): FoundFile | undefined {
  if (given !== undefined) {
    const absolute = resolve(cwd, given);
    if (existsSync(absolute)) return { absolute, path: formatPath(cwd, absolute, given) };
    throw new RunError("usage", {
      what: `The configuration file ${given} does not exist.`,
      fix: "Correct --config, or leave it out to use gate-sync.yaml of this folder.",
    });
  }
  const [first, second] = configNames.filter((name) => existsSync(join(cwd, name)));
  if (second !== undefined) {
    throw new RunError("usage", {
      what: `Both ${first} and ${second} exist in this folder.`,
      why: "Which of them is meant is unknown.",
      fix: "Remove one, or choose one with --config.",
    });
  }
  return first === undefined
    ? undefined
    : { absolute: join(cwd, first), path: first, within: findRepositoryAround(cwd) };
}

function severalDocuments(second: Node): Diagnostic {
  return createDiagnostic({ ...second, end: second.start }, "syntax", {
    what: "This file holds a second document.",
    why: "It would be read by nothing.",
    fix: "Keep one document; in gate-sync.yaml several clusters are several entries under targets.",
  });
}
