import { fileURLToPath, pathToFileURL } from "node:url";
import type { SourceFile } from "../../diagnostics/source.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { ProtocolPosition, ProtocolRange } from "./protocol.ts";

/** Undefined where it is no file of this machine. */
export function readFileUri(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

export function createFileUri(absolute: string): string {
  return pathToFileURL(absolute).href;
}

/** Editors end lines at `\r` alone, too. */
const findLineStarts = memoiseByObject(({ text }: SourceFile): readonly number[] => [
  0,
  ...[...text.matchAll(/\r\n?|\n/g)].map(({ index, 0: lineBreak }) => index + lineBreak.length),
]);

/** From 0, in UTF-16 code units. */
export function convertToPosition(file: SourceFile, offset: number): ProtocolPosition {
  if (file.at) return { line: file.at.line - 1, character: file.at.column - 1 };
  const starts = findLineStarts(file);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (starts[low] as number) };
}

export function convertToRange(place: {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}): ProtocolRange {
  return { start: convertToPosition(place.file, place.start), end: convertToPosition(place.file, place.end) };
}

/** A place after the end of a line is its end. */
export function convertToOffset(file: SourceFile, { line, character }: ProtocolPosition): number {
  const starts = findLineStarts(file);
  const start = starts[line] ?? file.text.length;
  const next = starts[line + 1] ?? file.text.length;
  return Math.min(start + character, next);
}
