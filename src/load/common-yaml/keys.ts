// The keys of maps, in blocks and in flow collections.
import type { MapEntry } from "../../model/node.ts";
import {
  colon,
  doubleQuote,
  hash,
  isBlankOrEnd,
  isFlowIndicator,
  newline,
  singleQuote,
  space,
  startsPlain,
} from "./characters.ts";
import { internString, type Reader, skipSpaces, uncommon } from "./reader.ts";
import { readQuoted } from "./words.ts";

/** Longer keys are no implicit keys. */
const keyLimit = 1_000;
/** Comparing beats hashing in small maps. */
const smallMap = 12;

/** A key, and the reader at the colon behind it. */
export function readKey(reader: Reader, inFlow: boolean): Pick<MapEntry, "key" | "keyRange"> {
  const { text, at: start } = reader;
  const code = text.charCodeAt(start);
  if (code === doubleQuote || code === singleQuote) {
    const { value, file, end } = readQuoted(reader);
    if (inFlow) skipSpaces(reader);
    if (text.charCodeAt(reader.at) !== colon || reader.at - start > keyLimit) throw uncommon;
    return { key: internString(reader, String(value)), keyRange: { file, start, end } };
  }
  const end = plainKeyEnd(reader, inFlow);
  if (end === -1) throw uncommon;
  const key = internString(reader, text.slice(start, end));
  if (key === "<<") throw uncommon;
  reader.at = end;
  return { key, keyRange: { file: reader.file, start, end } };
}

/** Whether an entry of a map begins here. */
export function startsEntry(reader: Reader): boolean {
  const code = reader.text.charCodeAt(reader.at);
  if (code !== doubleQuote && code !== singleQuote) return plainKeyEnd(reader, false) !== -1;
  const { at } = reader;
  readQuoted(reader);
  const isKey = reader.text.charCodeAt(reader.at) === colon;
  reader.at = at;
  return isKey;
}

export function areDistinct(entries: readonly MapEntry[]): void {
  if (entries.length > smallMap) {
    if (new Set(entries.map(({ key }) => key)).size !== entries.length) throw uncommon;
    return;
  }
  for (let right = 1; right < entries.length; right++) {
    for (let left = 0; left < right; left++) if (entries[left]?.key === entries[right]?.key) throw uncommon;
  }
}

/** Offset of the colon behind a plain key in this line, or -1. */
function plainKeyEnd({ text, at: start }: Reader, inFlow: boolean): number {
  if (!startsPlain(text, start)) return -1;
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === colon && isBlankOrEnd(text.charCodeAt(at + 1))) {
      if (text.charCodeAt(at - 1) === space || at - start > keyLimit) throw uncommon;
      return at;
    }
    if (code === newline || Number.isNaN(code)) return -1;
    if (code === hash && text.charCodeAt(at - 1) === space) return -1;
    if (inFlow && isFlowIndicator(code)) return -1;
  }
}
