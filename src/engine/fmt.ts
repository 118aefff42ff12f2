import {
  createDiagnostic,
  type Diagnostic,
  getFileStart,
  isError,
  sortDiagnostics,
} from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { formatYaml } from "../edit/format.ts";
import { createBoundary } from "../load/boundary.ts";
import { listTargets } from "../load/chosen-target.ts";
import { findConfigFile, locateConfigFile } from "../load/config-file.ts";
import { createConfigReader } from "../load/configured-file.ts";
import { loadFile } from "../load/file.ts";
import { isOwnFile } from "../load/file-names.ts";
import { type FoundFile, findStateFiles, inputPath } from "../load/files.ts";
import { takeGenerator } from "../load/generator.ts";
import { unreadFiles } from "../load/named-files.ts";
import { locateRealFile, readSource } from "../load/read.ts";
import { listStatePaths, readSettings } from "../load/target.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { FileEdit } from "../model/file-edit.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";
import { ofConfigFile, openSettings, stopAtErrors } from "./open.ts";
import type { RunRequest } from "./request.ts";

export interface FormattedFiles {
  /** Those that are laid out otherwise. */
  readonly edits: readonly FileEdit[];
  readonly fileCount: number;
  /** Files that cannot be read or laid out, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The state files and gate-sync.yaml in the one layout. Nothing is written, no server is asked, and no program is run.
 *
 * @throws RunError `usage` where nothing says which files are meant, `invalid` where gate-sync.yaml has errors
 */
export async function formatFiles(request: RunRequest): Promise<FormattedFiles> {
  const { cwd, configPath } = request;
  const named = request.flags.statePaths;
  if (named.includes(inputPath)) throw refuseInput();
  const paths = named.length > 0 ? named : await listConfiguredPaths(request);
  const found = await findStateFiles(paths, cwd, { within: createBoundary(cwd, configPath, named) });
  const own = named.length > 0 ? undefined : locateConfigFile(cwd, configPath);
  const edits: FileEdit[] = [];
  const diagnostics: Diagnostic[] = found.diagnostics.filter(isError);
  let fileCount = 0;
  for (const place of [...(own ? [own] : []), ...found.files]) {
    const { file, problem } = await readSource(place);
    if (problem) {
      diagnostics.push(problem);
      continue;
    }
    const formatted = formatFile(place, file, place === own || isOwnFile(place.path));
    if (!formatted) continue;
    fileCount++;
    for (const one of formatted.diagnostics) diagnostics.push(one);
    if (formatted.text === undefined || formatted.text === file.text) continue;
    const after = createSourceFile(file.path, formatted.text);
    recordParsedFile(after, parseDocuments(after).documents);
    edits.push({ path: place.path, absolute: await locateRealFile(place.absolute), before: file, after });
  }
  return { edits, fileCount, diagnostics: sortDiagnostics(diagnostics) };
}

/** Undefined for a file that is not laid out: of another program, or JSON. */
function formatFile(
  place: FoundFile,
  file: SourceFile,
  isConfig: boolean,
): { readonly text?: string | undefined; readonly diagnostics: readonly Diagnostic[] } | undefined {
  if (/\.json$/i.test(place.path)) return undefined;
  const parsed = parseDocuments(file);
  if (!isConfig && !isState(place, file, parsed.documents.length > 0)) return undefined;
  const errors = parsed.diagnostics.filter(isError);
  if (errors.length > 0) return { diagnostics: errors };
  recordParsedFile(file, parsed.documents);
  const { text, problem } = formatYaml(file.text);
  return problem === undefined ? { text, diagnostics: [] } : { diagnostics: [createLeftMessage(file, problem)] };
}

/** Also one with errors: that is reported, as it stays as it is. */
function isState(place: FoundFile, file: SourceFile, isParsed: boolean): boolean {
  const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;
  const loaded = loadFile(file, place.absolute, lookups, place.isNamed);
  if (loaded.documents.length > 0) return true;
  if (!isParsed) return loaded.diagnostics.some(isError);
  return parseDocuments(file).documents.some((root) => takeGenerator(root).generator !== undefined);
}

/** What all targets read. */
async function listConfiguredPaths(request: RunRequest): Promise<readonly string[]> {
  const { cwd, configPath, env, flags } = request;
  const { found, diagnostics } = await findConfigFile(cwd, configPath);
  stopAtErrors(diagnostics, ofConfigFile);
  if (!found) throw noFiles();
  const read = createConfigReader(found.root, cwd);
  const paths = new Set<string>();
  for (const name of listTargets(found.root)) {
    const { root, settings } = await openSettings(found.root, name, read);
    const { own, directory } = readSettings({ config: { root, settings }, flags, env, cwd, secrets: "leave" });
    for (const path of listStatePaths({ statePaths: [] }, own.state ?? [], cwd, directory))
      if (path !== inputPath) paths.add(path);
  }
  return [...paths];
}

function noFiles(): RunError {
  return new RunError("usage", {
    what: "There is no gate-sync.yaml in this folder, and no file is named.",
    fix: "Name files or folders, as in gate-sync fmt access/.",
  });
}

function refuseInput(): RunError {
  return new RunError("usage", {
    what: "gate-sync fmt does not read standard input.",
    fix: "Name files or folders, as in gate-sync fmt access/.",
  });
}

function createLeftMessage(file: SourceFile, problem: string): Diagnostic {
  return createDiagnostic(getFileStart(file), "unknown-layout", {
    what: `${file.path} stays as it is: ${problem}.`,
    why: "gate-sync fmt changes nothing but space.",
    fix: "Nothing has to be done. Written otherwise, it can be laid out.",
  });
}
