// The body of a request: a text in its file, or a file beside it.
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { createDiagnostic } from "../diagnostics/diagnostic.ts";
import { createSourceFile, getPosition, type SourceFile, type SourceRange } from "../diagnostics/source.ts";
import { createFolderBoundary } from "../load/boundary.ts";
import { formatErrno } from "../load/errno.ts";
import { readSmallWithin } from "../load/read.ts";
import { parseDocuments } from "../load/yaml.ts";
import type { Node } from "../model/node.ts";
import { hideValues, recordParsedFile } from "../secrets/masked-line.ts";
import { addLeftOut, type ImportFindings } from "./findings.ts";
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

/**
 * The value of a file that a request names: never one outside of the folder of that request's file.
 *
 * @param path as it is written
 */
export function readBody(path: string, place: SourceRange, cwd: string, findings: ImportFindings): Node | undefined {
  const folder = resolve(cwd, dirname(place.file.path));
  const absolute = resolve(folder, path);
  const leave = (why: string) => addLeftOut(findings, `the file ${path}`, why, place);
  if (isAbsolute(path) || relative(folder, absolute).startsWith("..")) {
    leave("it is outside of the folder of the script; import it with --family and --name");
    return undefined;
  }
  let text: string;
  try {
    text = readSmallWithin(createFolderBoundary(folder))(absolute);
  } catch (error) {
    leave(`it cannot be read: ${formatErrno(error)}`);
    return undefined;
  }
  const file = createSourceFile(relative(cwd, absolute), text.replace(/^\ufeff/, ""));
  const problem = refusePlaceholders(file);
  if (problem) findings.diagnostics.push(problem);
  return problem ? undefined : parseSource(fillTemplate(file), findings);
}

/** An error at a place of a script. Its text is not shown: the same line may have a login. */
export function refuseScript(file: SourceFile, start: number, what: string) {
  const at = getPosition(file, Math.min(start, file.text.length));
  const place = { file: { ...createSourceFile(file.path, ""), text: "", at }, start: 0, end: 0 };
  return createDiagnostic(place, "syntax", {
    what,
    why: "Where the next command begins is unknown, so nothing of the file is used.",
    fix: "Correct the script, or import its payloads with --family and --name.",
  });
}
