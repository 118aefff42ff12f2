import { getLine, getLineStart, type SourceFile } from "../diagnostics/source.ts";
import { findPlacesInStrings, type Node } from "../model/node.ts";
import { findMasks, type Mask } from "./masked-nodes.ts";
import { maskByText } from "./masked-text.ts";

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
  const masked = known.get(line) ?? (documents ? maskByNodes(file, line, documents) : maskByText(file, line));
  known.set(line, masked);
  return masked;
}

function maskByNodes(file: SourceFile, line: number, documents: readonly Node[]): string {
  const { masks, comments } = getStretches(file, documents);
  const start = getLineStart(file, line);
  const text = getLine(file, line);
  const end = start + text.length;
  let shown = text;
  for (const mask of masks) {
    if (mask.start >= end || mask.start + mask.shown.length <= start) continue;
    const from = Math.max(mask.start, start);
    const part = mask.shown.slice(from - mask.start, end - mask.start);
    shown = shown.slice(0, from - start) + part + shown.slice(from - start + part.length);
  }
  const comment = comments.find((place) => place >= start && place < end);
  // No node says what is in a comment.
  return comment === undefined
    ? shown
    : shown.slice(0, comment - start) + maskByText(file, line).slice(comment - start);
}

interface Stretches {
  readonly masks: readonly Mask[];
  /** Where a comment begins, in the order of the file. */
  readonly comments: readonly number[];
}

const stretchesOf = new WeakMap<readonly Node[], Stretches>();

function getStretches(file: SourceFile, documents: readonly Node[]): Stretches {
  const known = stretchesOf.get(documents);
  if (known) return known;
  const hashes = [...file.text.matchAll(/(?<=^|[ \t])#/gm)].map(({ index }) => index);
  const inStrings = findPlacesInStrings(documents, hashes);
  const stretches = { masks: documents.flatMap(findMasks), comments: hashes.filter((place) => !inStrings.has(place)) };
  stretchesOf.set(documents, stretches);
  return stretches;
}
