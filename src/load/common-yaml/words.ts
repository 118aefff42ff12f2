// Words on one line: plain, or in quotes.
import type { ScalarNode } from "../../model/node.ts";
import { backslash, doubleQuote, singleQuote } from "./characters.ts";
import { internString, type Reader, uncommon } from "./reader.ts";

export function readQuoted(reader: Reader): ScalarNode {
  const { text, at: start } = reader;
  const isDouble = text.charCodeAt(start) === doubleQuote;
  const mark = isDouble ? '"' : "'";
  let end = text.indexOf(mark, start + 1);
  let plainly = true;
  for (; end !== -1; end = text.indexOf(mark, end)) {
    if (isDouble && isEscaped(text, start, end)) end++;
    else if (!isDouble && text.charCodeAt(end + 1) === singleQuote) end += 2;
    else break;
    plainly = false;
  }
  if (end === -1) throw uncommon;
  const inner = text.slice(start + 1, end);
  if (inner.includes("\n")) throw uncommon;
  reader.at = end + 1;
  if (isDouble && inner.includes("\\")) return readScalar(reader, start, end + 1, unescaped(`"${inner}"`));
  return readScalar(reader, start, end + 1, plainly ? internString(reader, inner) : inner.replaceAll("''", "'"));
}

export function readPlain(reader: Reader, start: number, end: number): ScalarNode {
  const source = internString(reader, reader.text.slice(start, end));
  return { kind: "scalar", file: reader.file, start, end, value: plainValue(source) };
}

export function readScalar(reader: Reader, start: number, end: number, value: string): ScalarNode {
  return { kind: "scalar", file: reader.file, start, end, value };
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let at = quote - 1;
  while (at > start && text.charCodeAt(at) === backslash) at--;
  return (quote - 1 - at) % 2 === 1;
}

/** The escapes of JSON are also YAML's. */
function unescaped(source: string): string {
  try {
    return JSON.parse(source) as string;
  } catch {
    throw uncommon;
  }
}

/** By the core schema of YAML 1.2. */
function plainValue(source: string): string | number | boolean | null {
  const first = source.charCodeAt(0);
  // `+`, `-`, `.` and digits
  if (first < 0x3a) {
    if (integer.test(source)) return Number(source);
    if (numeric.test(source)) throw uncommon;
    return source;
  }
  if (source.length > 5) return source;
  const known = words.get(source);
  return known === undefined ? source : known;
}

/** No more digits than a number holds exactly. */
const integer = /^[-+]?[0-9]{1,15}$/;
const numeric = /^(?:[-+]?(?:\.?[0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|0o.*|0x.*|[-+]?\.[iInN].*)$/;
export const words: ReadonlyMap<string, boolean | null> = new Map([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
