import type { Tree } from "./tree.ts";

/** How one version of the servers' JSON parser words its complaints; data. */
export interface JsonParser {
  /** The place of a complaint, 1-based: `[Source: …; line: 1, column: 7]`. */
  readonly where: (text: string, column: number) => string;
  /** The column that it names at the end of a text of so many characters. */
  readonly endColumn: (length: number) => number;
  /** Whether anything but spaces after the value is an error. */
  readonly trailing: "refused" | "ignored";
}

/** What the parser throws; `type` is the name of its class. Caught by `readJson`. */
class JsonFault extends Error {
  readonly type: string;
  readonly place: string;

  constructor(type: string, complaint: string, place: string) {
    super(complaint);
    this.type = type;
    this.place = place;
  }

  /** As it appears in answers. */
  get text(): string {
    return `${this.message}\n at ${this.place}`;
  }
}

/** Search Guard's parser: it counts the text twice once it has reached its end. */
export const searchGuardParser: JsonParser = {
  where: (text, column) => `[Source: ${text}; line: 1, column: ${column}]`,
  endColumn: (length) => 2 * length + 1,
  trailing: "refused",
};

/** OpenSearch's: it quotes no source, and stops at the end of the value. */
export const openSearchParser: JsonParser = {
  where: (_, column) =>
    `[Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: 1, column: ${column}]`,
  endColumn: (length) => length + 1,
  trailing: "ignored",
};

const parseFault = "com.fasterxml.jackson.core.JsonParseException";
const endFault = "com.fasterxml.jackson.core.io.JsonEOFException";
const emptyFault = "com.fasterxml.jackson.databind.JsonMappingException";

/** The value in a text, or what is wrong with it. */
export function readJson(text: string, parser: JsonParser): { readonly tree: Tree } | { readonly fault: JsonFault } {
  try {
    return { tree: parseJson(text, parser) };
  } catch (problem) {
    if (problem instanceof JsonFault) return { fault: problem };
    throw problem;
  }
}

/** The value in a text, members in their order, as maps. Throws a JsonFault; keys must not repeat in an object. */
function parseJson(text: string, parser: JsonParser): Tree {
  const cursor = { at: 0 };
  skipSpaces(text, cursor);
  if (cursor.at === text.length) {
    throw new JsonFault(emptyFault, "No content to map due to end-of-input", parser.where(text, text.length));
  }
  const value = valueAt(text, cursor, parser);
  skipSpaces(text, cursor);
  if (parser.trailing === "refused" && cursor.at < text.length) valueAt(text, cursor, parser);
  return value;
}

interface Cursor {
  at: number;
}

function skipSpaces(text: string, cursor: Cursor): void {
  while (" \t\r\n".includes(text.charAt(cursor.at) || "x")) cursor.at++;
}

function valueAt(text: string, cursor: Cursor, parser: JsonParser): Tree {
  skipSpaces(text, cursor);
  const first = text.charAt(cursor.at);
  if (first === "{") return objectAt(text, cursor, parser);
  if (first === "[") return listAt(text, cursor, parser);
  if (first === '"') return stringAt(text, cursor, parser);
  const number = matchAt(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y, text, cursor);
  if (number !== undefined) return Number(number);
  const word = matchAt(/true\b|false\b|null\b/y, text, cursor);
  if (word !== undefined) return JSON.parse(word) as boolean | null;
  throw strangeToken(text, cursor, parser);
}

function objectAt(text: string, cursor: Cursor, parser: JsonParser): Tree {
  const start = cursor.at++;
  const members = new Map<string, Tree>();
  skipSpaces(text, cursor);
  if (taken("}", text, cursor)) return members;
  for (;;) {
    skipSpaces(text, cursor);
    endOf("Object", start, text, cursor, parser);
    if (text.charAt(cursor.at) !== '"') throw unexpected(text, cursor, "double-quote to start field name", parser);
    const key = stringAt(text, cursor, parser);
    if (members.has(key))
      throw new JsonFault(parseFault, `Duplicate field '${key}'`, parser.where(text, cursor.at + 1));
    skipSpaces(text, cursor);
    endOf("Object", start, text, cursor, parser);
    if (!taken(":", text, cursor)) throw unexpected(text, cursor, "a colon to separate field name and value", parser);
    members.set(key, valueAt(text, cursor, parser));
    skipSpaces(text, cursor);
    if (taken("}", text, cursor)) return members;
    endOf("Object", start, text, cursor, parser);
    if (!taken(",", text, cursor)) throw unexpected(text, cursor, "comma to separate OBJECT entries", parser);
  }
}

function listAt(text: string, cursor: Cursor, parser: JsonParser): Tree {
  const start = cursor.at++;
  const items: Tree[] = [];
  skipSpaces(text, cursor);
  if (taken("]", text, cursor)) return items;
  for (;;) {
    skipSpaces(text, cursor);
    endOf("Array", start, text, cursor, parser);
    items.push(valueAt(text, cursor, parser));
    skipSpaces(text, cursor);
    if (taken("]", text, cursor)) return items;
    endOf("Array", start, text, cursor, parser);
    if (!taken(",", text, cursor)) throw unexpected(text, cursor, "comma to separate ARRAY entries", parser);
  }
}

function stringAt(text: string, cursor: Cursor, parser: JsonParser): string {
  const quoted = matchAt(/"(?:[^"\\]+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y, text, cursor);
  if (quoted === undefined) throw unexpected(text, cursor, "a closing quote", parser);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw unexpected(text, cursor, "no control character in a string", parser);
  }
}

function matchAt(pattern: RegExp, text: string, cursor: Cursor): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

function taken(character: string, text: string, cursor: Cursor): boolean {
  if (text.charAt(cursor.at) !== character) return false;
  cursor.at++;
  return true;
}

function endOf(kind: string, start: number, text: string, cursor: Cursor, parser: JsonParser): void {
  if (cursor.at < text.length) return;
  const opened = `expected close marker for ${kind} (start marker at ${parser.where(text, start + 1)})`;
  const place = parser.where(text, parser.endColumn(text.length));
  throw new JsonFault(endFault, `Unexpected end-of-input: ${opened}`, place);
}

function strangeToken(text: string, cursor: Cursor, parser: JsonParser): JsonFault {
  const word = matchAt(/[\p{L}\p{N}_$]+/uy, text, cursor);
  if (word === undefined) return unexpected(text, cursor, "a valid value", parser);
  // Words that begin like one of the four that it knows are compared with them one by one.
  const known = /^[ntfN]/.test(word) ? "'null', 'true', 'false' or NaN" : "('true', 'false' or 'null')";
  const column = cursor.at === text.length ? parser.endColumn(text.length) : cursor.at + 1;
  return new JsonFault(parseFault, `Unrecognized token '${word}': was expecting ${known}`, parser.where(text, column));
}

function unexpected(text: string, { at }: Cursor, wanted: string, parser: JsonParser): JsonFault {
  const code = text.charCodeAt(at);
  const complaint = `Unexpected character ('${text.charAt(at)}' (code ${code})): was expecting ${wanted}`;
  return new JsonFault(parseFault, complaint, parser.where(text, at + 2));
}
