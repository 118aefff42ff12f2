// The body of a request: a text in its file, or a file beside it.
import { dirname, isAbsolute, posix, relative, resolve } from "node:path";
import { createDiagnostic } from "../diagnostics/diagnostic.ts";
import { createSourceFile, getPosition, type SourceFile, type SourceRange } from "../diagnostics/source.ts";
import { createFolderBoundary } from "../load/boundary.ts";
import { formatErrno, getErrno } from "../load/errno.ts";
import { readConfined } from "../load/read.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { Node } from "../model/node.ts";
import { hideValues, recordParsedFile } from "../secrets/masked-line.ts";
import type { ImportFindings } from "./findings.ts";
import { fillTemplate, refusePlaceholders } from "./templates.ts";

/** The value of a text that is JSON, or YAML; what is wrong with it goes to the findings. */
export function parseBody(text: string, place: SourceRange, findings: ImportFindings): Node | undefined {
  const { line } = getPosition(place.file, place.start);
  return parseSource(
    createSourceFile(place.file.path, "\n".repeat(Math.min(line - 1, longestPadding)) + text),
    findings,
  );
}

/** A script with many bodies would be padded again and again. */
const longestPadding = 5000;

function parseSource(file: SourceFile, findings: ImportFindings): Node | undefined {
  hideValues(file);
  const { documents, diagnostics } = parseDocuments(file);
  if (diagnostics.length === 0) recordParsedFile(file, documents);
  for (const one of diagnostics) findings.diagnostics.push(one);
  return documents[0];
}

/** A request's body, or why its file is not read. */
export interface BodyFile {
  readonly body?: Node;
  readonly doubt?: string;
}

/**
 * The value of a file that a request names: an input, or one in the folder of that request's file.
 *
 * @param path as it is written
 */
export function readBody(path: string, place: SourceRange, cwd: string, findings: ImportFindings): BodyFile {
  const found = findBodyFile(path, place, cwd, findings);
  if (typeof found === "string") return { doubt: found };
  findings.bodies.add(resolve(cwd, found.path));
  const problem = refusePlaceholders(found);
  if (problem) findings.diagnostics.push(problem);
  const body = problem ? undefined : parseSource(fillTemplate(found), findings);
  return body ? { body } : {};
}

function findBodyFile(path: string, place: SourceRange, cwd: string, { inputs }: ImportFindings): SourceFile | string {
  const folder = resolve(cwd, dirname(place.file.path));
  const absolute = resolve(folder, path);
  const found = inputs.get(absolute) ?? readInFolder(path, absolute, folder, cwd);
  return typeof found === "string" ? (findAlike(path, inputs) ?? found) : found;
}

function readInFolder(path: string, absolute: string, folder: string, cwd: string): SourceFile | string {
  if (isAbsolute(path) || relative(folder, absolute).startsWith(".."))
    return "its payload is outside of the folder of the script: add the file to the command";
  try {
    const text = readConfined(absolute, { within: createFolderBoundary(folder), secretFiles: [], directory: folder });
    return createSourceFile(relative(cwd, absolute), text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (getErrno(error) !== "ENOENT") return `its payload cannot be read: ${formatErrno(error)}`;
    return "its payload is not in the folder of the script: add the file to the command";
  }
}

/** The only input whose path ends as the one in the script, which may be run in another folder. */
function findAlike(path: string, inputs: ImportFindings["inputs"]): SourceFile | undefined {
  const end = `/${posix.normalize(path).replace(/^(?:\.*\/)+/, "")}`;
  const [alike, ...others] = [...inputs].filter(([absolute]) => absolute.endsWith(end));
  return others.length === 0 ? alike?.[1] : undefined;
}

/** An error at a place of a script. Its text is not shown: the same line may have a login. */
export function refuseScript(file: SourceFile, start: number, what: string) {
  return createDiagnostic(hideText({ file, start, end: start }), "syntax", {
    what,
    why: "Where the next command begins is unknown, so nothing of the file is used.",
    fix: "Correct the script, or import its payloads with --family and --name.",
  });
}

/** A place whose text is not shown, nor hidden where a message repeats it. */
export function hideText({ file, start }: SourceRange): SourceRange {
  const at = getPosition(file, Math.min(start, file.text.length));
  return { file: { ...createSourceFile(file.path, ""), text: "", at }, start: 0, end: 0 };
}
