// Where in the file we are, and from line to line.
import type { SourceFile } from "../../diagnostics/source.ts";
import { dash, hash, isBlankOrEnd, newline, openBrace, openBracket, space } from "./characters.ts";

/** Thrown to leave from any depth: `yaml` reads the file. */
export const uncommon = new Error("not of the common part of YAML");

export interface Reader {
  readonly file: SourceFile;
  readonly text: string;
  /** Offset of the next character. */
  at: number;
  /** Offset at which its line begins. */
  lineStart: number;
  /** Each word once, however often it is written. */
  readonly words: Map<string, string>;
}

/**
 * Moves from the end of a line to the next character that is neither space nor comment; returns its column, or -1 at
 * the end of the file.
 */
export function skipToContent(reader: Reader): number {
  const { text } = reader;
  let at = reader.at;
  while (at < text.length) {
    const start = at + 1;
    at = start;
    while (text.charCodeAt(at) === space) at++;
    const code = text.charCodeAt(at);
    if (code === newline) continue;
    if (code === hash) {
      at = findLineEnd(text, at);
      continue;
    }
    if (at >= text.length) break;
    if (isDocumentMark(text, start)) throw uncommon;
    reader.at = at;
    reader.lineStart = start;
    return at - start;
  }
  reader.at = text.length;
  return -1;
}

/** Back to the end of the line before, where every reader of a block ends. */
export function rewindLine(reader: Reader): void {
  if (reader.at < reader.text.length) reader.at = reader.lineStart - 1;
}

/** Reads the rest of a line after a value: spaces and a comment. */
export function readLineEnd(reader: Reader): void {
  const { at: start, text } = reader;
  skipSpaces(reader);
  const code = text.charCodeAt(reader.at);
  if (code === hash && reader.at > start - 1 && text.charCodeAt(reader.at - 1) === space) {
    reader.at = findLineEnd(text, reader.at);
  } else if (code !== newline && reader.at < text.length) throw uncommon;
}

export function skipSpaces(reader: Reader, from = reader.at): void {
  let at = from;
  while (reader.text.charCodeAt(at) === space) at++;
  reader.at = at;
}

export function isLineEnd({ text, at }: Reader): boolean {
  const code = text.charCodeAt(at);
  return code === newline || code === hash || at >= text.length;
}

export function findLineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

export function isDash({ text, at }: Reader): boolean {
  return text.charCodeAt(at) === dash && isBlankOrEnd(text.charCodeAt(at + 1));
}

export function isDocumentMark(text: string, lineStart: number): boolean {
  return text.startsWith("---", lineStart) || text.startsWith("...", lineStart);
}

export function isFlowStart({ text }: Reader, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === openBracket || code === openBrace;
}

/** The same string, stored once for all places that have it. */
export function internString({ words }: Reader, word: string): string {
  if (word.length > longestShared) return word;
  const known = words.get(word);
  if (known !== undefined) return known;
  words.set(word, word);
  return word;
}

/** A longer string is hardly repeated. */
const longestShared = 100;
