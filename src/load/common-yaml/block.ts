// Maps and lists by indentation.
import type { MapEntry, Node } from "../../model/node.ts";
import { colon, doubleQuote, hash, isBlankOrEnd, pipe, singleQuote, space, startsPlain } from "./characters.ts";
import { depthLimit, readFlow } from "./flow.ts";
import { areDistinct, readKey, startsEntry } from "./keys.ts";
import { readLiteral } from "./literal.ts";
import {
  findLineEnd,
  isDash,
  isFlowStart,
  isLineEnd,
  type Reader,
  readLineEnd,
  rewindLine,
  skipSpaces,
  skipToContent,
  uncommon,
} from "./reader.ts";
import { readPlain, readQuoted } from "./words.ts";

/** What begins at a column of its own: a list or a map. */
export function readBlock(reader: Reader, column: number, depth: number): Node {
  if (depth > depthLimit) throw uncommon;
  return isDash(reader) ? blockList(reader, column, depth) : blockMap(reader, column, depth);
}

function blockList(reader: Reader, column: number, depth: number): Node {
  const { file, at: start } = reader;
  const items: Node[] = [];
  for (;;) {
    reader.at++;
    items.push(listItem(reader, column, depth));
    const next = skipToContent(reader);
    if (next < column || (next === column && !isDash(reader))) {
      // A key at the same column continues the map around the list.
      rewindLine(reader);
      return { kind: "list", file, start, end: endOf(items.at(-1)), items: items.slice() };
    }
    if (next > column) throw uncommon;
  }
}

function listItem(reader: Reader, column: number, depth: number): Node {
  skipSpaces(reader);
  if (isLineEnd(reader)) {
    readLineEnd(reader);
    const next = skipToContent(reader);
    if (next <= column) throw uncommon;
    return readBlock(reader, next, depth + 1);
  }
  if (isDash(reader)) throw uncommon;
  if (startsEntry(reader)) return blockMap(reader, reader.at - reader.lineStart, depth + 1);
  return inLine(reader, column, depth + 1);
}

function blockMap(reader: Reader, column: number, depth: number): Node {
  if (depth > depthLimit) throw uncommon;
  const { file, at: start } = reader;
  const entries: MapEntry[] = [];
  for (;;) {
    const { key, keyRange } = readKey(reader, false);
    if (!isBlankOrEnd(reader.text.charCodeAt(reader.at + 1))) throw uncommon;
    reader.at++;
    entries.push({ key, keyRange, value: entryValue(reader, column, depth) });
    const next = skipToContent(reader);
    if (next < column) {
      rewindLine(reader);
      areDistinct(entries);
      return { kind: "map", file, start, end: endOf(entries.at(-1)?.value), entries: entries.slice() };
    }
    if (next > column || isDash(reader)) throw uncommon;
  }
}

function entryValue(reader: Reader, column: number, depth: number): Node {
  const afterColon = reader.at;
  skipSpaces(reader);
  if (!isLineEnd(reader)) return inLine(reader, column, depth + 1);
  const valueAt = reader.at;
  readLineEnd(reader);
  const next = skipToContent(reader);
  if (next > column) return readBlock(reader, next, depth + 1);
  if (next === column && isDash(reader)) return blockList(reader, next, depth + 1);
  // Where a value may be missing between spaces, the whole parser decides.
  if (valueAt !== afterColon) throw uncommon;
  rewindLine(reader);
  return { kind: "scalar", file: reader.file, start: afterColon, end: afterColon, value: null };
}

/** A value that begins in a line that holds its key or dash, to the end of that or a later line. */
function inLine(reader: Reader, column: number, depth: number): Node {
  const code = reader.text.charCodeAt(reader.at);
  if (code === pipe) return readLiteral(reader, column);
  if (code === doubleQuote || code === singleQuote) return ended(reader, readQuoted(reader));
  if (isFlowStart(reader, reader.at)) return ended(reader, readFlow(reader, column, depth));
  return plainLine(reader);
}

function ended(reader: Reader, node: Node): Node {
  readLineEnd(reader);
  return node;
}

function plainLine(reader: Reader): Node {
  const { text, at: start } = reader;
  if (!startsPlain(text, start)) throw uncommon;
  const lineEnd = findLineEnd(text, start);
  reader.at = lineEnd;
  let end = lineEnd;
  for (let at = start + 1; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === colon && isBlankOrEnd(text.charCodeAt(at + 1))) throw uncommon;
    if (code === hash && text.charCodeAt(at - 1) === space) {
      end = at;
      break;
    }
  }
  while (text.charCodeAt(end - 1) === space) end--;
  return readPlain(reader, start, end);
}

function endOf(node: Node | undefined): number {
  if (node === undefined) throw uncommon;
  return node.end;
}
