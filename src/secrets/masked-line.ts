import { getLine, getLineStart, type SourceFile } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";
import { findMasks, type Mask } from "./masked-nodes.ts";
import { combineMasks, maskByText } from "./masked-text.ts";

/** What a file was parsed to, where there was nothing to complain of. */
const parsedFiles = new WeakMap<SourceFile, readonly Node[]>();

/** From now on the nodes of the file say what of its lines is secret. Only of a file that parses as a whole. */
export function recordParsedFile(file: SourceFile, documents: readonly Node[]): void {
  parsedFiles.set(file, documents);
}

/** By line. A file of one line is shown in part by thousands of messages. */
const maskedLines = new WeakMap<SourceFile, Map<number, string>>();

/**
 * A line of a file as it may be shown: asterisks where a secret is, or may be. A password written in clear must
 * not be repeated just because something else is wrong with its line. As long as the line itself, so that places in it
 * stay where they are.
 *
 * @param line from 1
 */
export function maskLine(file: SourceFile, line: number): string {
  const known = maskedLines.get(file) ?? new Map<number, string>();
  maskedLines.set(file, known);
  const documents = parsedFiles.get(file);
  const masked = known.get(line) ?? (documents ? maskByBoth(file, line, documents) : maskByText(file, line));
  known.set(line, masked);
  return masked;
}

/** A character is shown only if the nodes and the text both show it: secrets stay hidden in keys and slips, too. */
function maskByBoth(file: SourceFile, line: number, documents: readonly Node[]): string {
  const text = getLine(file, line);
  return combineMasks(text, maskByNodes(file, line, documents), maskByText(file, line));
}

function maskByNodes(file: SourceFile, line: number, documents: readonly Node[]): string {
  const start = getLineStart(file, line);
  const text = getLine(file, line);
  const end = start + text.length;
  let shown = text;
  for (const mask of getMasks(documents)) {
    if (mask.start >= end || mask.start + mask.shown.length <= start) continue;
    const from = Math.max(mask.start, start);
    const part = mask.shown.slice(from - mask.start, end - mask.start);
    shown = shown.slice(0, from - start) + part + shown.slice(from - start + part.length);
  }
  return shown;
}

const masksOf = new WeakMap<readonly Node[], readonly Mask[]>();

function getMasks(documents: readonly Node[]): readonly Mask[] {
  const known = masksOf.get(documents) ?? documents.flatMap(findMasks);
  masksOf.set(documents, known);
  return known;
}
