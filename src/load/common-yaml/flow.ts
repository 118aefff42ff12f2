// Collections in brackets, on one line or more: JSON too.
import type { MapEntry, Node, ScalarNode } from "../../model/node.ts";
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  doubleQuote,
  hash,
  isBlankOrEnd,
  newline,
  openBrace,
  openBracket,
  singleQuote,
  space,
  startsPlain,
} from "./characters.ts";
import { areDistinct, readKey } from "./keys.ts";
import { isDocumentMark, type Reader, skipSpaces, uncommon } from "./reader.ts";
import { readPlain, readQuoted } from "./words.ts";

/** Below the depth at which `yaml.ts` complains. */
export const depthLimit = 64;

/** A flow collection or, within one, a word; further lines have to be indented more than `column`. */
export function readFlow(reader: Reader, column: number, depth: number): Node {
  if (depth > depthLimit) throw uncommon;
  const code = reader.text.charCodeAt(reader.at);
  if (code === openBracket) return flowList(reader, column, depth);
  if (code === openBrace) return flowMap(reader, column, depth);
  return code === doubleQuote || code === singleQuote ? readQuoted(reader) : flowPlain(reader);
}

function flowList(reader: Reader, column: number, depth: number): Node {
  const start = reader.at++;
  const items: Node[] = [];
  if (flowContent(reader, column) !== closeBracket) {
    for (;;) {
      items.push(readFlow(reader, column, depth + 1));
      if (flowNext(reader, column, closeBracket)) break;
    }
  }
  reader.at++;
  return { kind: "list", file: reader.file, start, end: reader.at, items: items.slice() };
}

function flowMap(reader: Reader, column: number, depth: number): Node {
  const start = reader.at++;
  const entries: MapEntry[] = [];
  if (flowContent(reader, column) !== closeBrace) {
    for (;;) {
      const { key, keyRange } = readKey(reader, true);
      reader.at++;
      flowContent(reader, column);
      entries.push({ key, keyRange, value: readFlow(reader, column, depth + 1) });
      if (flowNext(reader, column, closeBrace)) break;
    }
  }
  reader.at++;
  areDistinct(entries);
  return { kind: "map", file: reader.file, start, end: reader.at, entries: entries.slice() };
}

/** After an item: at the closing bracket, or at the next item. */
function flowNext(reader: Reader, column: number, close: number): boolean {
  const code = flowContent(reader, column);
  if (code === close) return true;
  if (code !== comma) throw uncommon;
  reader.at++;
  if (flowContent(reader, column) === close) throw uncommon;
  return false;
}

/** Moves to the next character within a flow collection, and returns its code. */
function flowContent(reader: Reader, column: number): number {
  const { text } = reader;
  for (;;) {
    const code = text.charCodeAt(reader.at);
    if (code === space) reader.at++;
    else if (code === newline) {
      reader.lineStart = reader.at + 1;
      skipSpaces(reader, reader.lineStart);
      const next = text.charCodeAt(reader.at);
      if (next !== newline && reader.at - reader.lineStart <= column) throw uncommon;
      if (isDocumentMark(text, reader.lineStart)) throw uncommon;
    } else if (code === hash) throw uncommon;
    else return code;
  }
}

function flowPlain(reader: Reader): ScalarNode {
  const { text, at: start } = reader;
  if (!startsPlain(text, start)) throw uncommon;
  let at = start;
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closeBracket || code === closeBrace) break;
    if (code === colon && isBlankOrEnd(text.charCodeAt(at + 1))) throw uncommon;
    // Neither a word over several lines nor an unclosed collection is read here.
    if (code === newline || code === hash || code === openBracket || code === openBrace || Number.isNaN(code)) break;
  }
  let end = at;
  while (text.charCodeAt(end - 1) === space) end--;
  reader.at = at;
  const last = text.charCodeAt(at);
  if (last !== comma && last !== closeBracket && last !== closeBrace) throw uncommon;
  if (text.charCodeAt(end - 1) === colon) throw uncommon;
  return readPlain(reader, start, end);
}
