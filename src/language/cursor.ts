// Where in a YAML file a cursor is, by its text alone: a file in which something is being written does not parse.

export interface Cursor {
  /** Keys from the top down to the value that the cursor is in; `-` for an item of a list. */
  readonly path: readonly string[];
  /** Behind the key, in its line: no other key can begin there. */
  readonly isBehindKey: boolean;
  /** Where the word begins that is being written, its quote included. */
  readonly start: number;
  /** Up to the cursor, without its quote. */
  readonly word: string;
  readonly quote: "" | '"' | "'";
}

/** Undefined in a comment, and in a text of several lines. */
export function findCursor(text: string, offset: number): Cursor | undefined {
  const from = findTopLine(text, offset);
  const scan = scanTo(text, from, offset);
  if (!scan) return undefined;
  const { flow, wordStart } = scan;
  const typed = text.slice(wordStart, offset);
  const quote = typed.startsWith('"') ? '"' : typed.startsWith("'") ? "'" : "";
  const word = { start: wordStart, word: typed.slice(quote.length), quote } as const;
  const [outermost] = flow;
  const block = findBlockPath(text, from, outermost?.at ?? wordStart);
  if (!outermost) return { ...block, ...word };
  const inside = flow.flatMap(({ isMap, key }) => (isMap ? (key === undefined ? [] : [key]) : ["-"]));
  return { path: [...block.path, ...inside], isBehindKey: flow.at(-1)?.key !== undefined, ...word };
}

/** A map or list in brackets that is open. */
interface Flow {
  readonly at: number;
  readonly isMap: boolean;
  /** Of a map, the key whose value is being written. */
  key?: string;
}

/** The last line up to here that is not indented. */
function findTopLine(text: string, offset: number): number {
  for (let start = lineStart(text, offset); ; start = lineStart(text, start - 1)) {
    if (start === 0 || /^[^\s#-]/.test(text.charAt(start))) return start;
  }
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function scanTo(
  text: string,
  from: number,
  offset: number,
): { readonly flow: readonly Flow[]; readonly wordStart: number } | undefined {
  const flow: Flow[] = [];
  let wordStart = from;
  for (let at = from; at < offset; ) {
    const character = text.charAt(at);
    const isFirst = at === wordStart;
    if (isFirst && (character === '"' || character === "'")) {
      const end = findQuoteEnd(text, at, offset);
      if (end === undefined) return { flow, wordStart };
      at = end;
    } else if (character === "#" && (at === from || /\s/.test(text.charAt(at - 1)))) {
      const end = text.indexOf("\n", at);
      if (end === -1 || end >= offset) return undefined;
      at = end;
    } else if (character === "\n") {
      const end = endOfTextBlock(text, from, at);
      if (end > offset || (end === offset && end > at + 1 && text.charAt(end - 1) !== "\n")) return undefined;
      at = Math.max(at + 1, end);
      wordStart = at;
    } else if (isFirst && (character === "[" || character === "{")) {
      flow.push({ at, isMap: character === "{" });
      wordStart = ++at;
    } else if (flow.length > 0 && (character === "]" || character === "}")) {
      flow.pop();
      wordStart = ++at;
    } else if (flow.length > 0 && character === ",") {
      delete flow.at(-1)?.key;
      wordStart = ++at;
    } else if (character === ":" && (/\s/.test(text.charAt(at + 1)) || at + 1 === text.length)) {
      const last = flow.at(-1);
      if (last) last.key = unquote(text.slice(wordStart, at));
      wordStart = ++at;
    } else if (isFirst && character === "-" && /\s/.test(text.charAt(at + 1)) && flow.length === 0) {
      wordStart = ++at;
    } else {
      at++;
      if (isFirst && /\s/.test(character)) wordStart = at;
    }
  }
  return { flow, wordStart };
}

function findQuoteEnd(text: string, start: number, offset: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < offset; at++) {
    if (quote === '"' && text.charAt(at) === "\\") at++;
    else if (text.charAt(at) === quote && !(quote === "'" && text.charAt(at + 1) === quote)) return at + 1;
    else if (text.charAt(at) === quote) at++;
  }
  return undefined;
}

/** Where a text of several lines ends that the line before a break opens; the break itself where it opens none. */
function endOfTextBlock(text: string, from: number, lineBreak: number): number {
  const start = Math.max(from, lineStart(text, lineBreak));
  const line = text.slice(start, lineBreak);
  if (!/(?:[:-]\s+|^)[|>][+-]?\d?[+-]?\s*(?:\s#.*)?$/.test(line)) return lineBreak;
  const indent = line.search(/[^\s]/);
  for (let at = lineBreak + 1; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = text.slice(at, end === -1 ? text.length : end);
    if (next.trim() !== "" && next.search(/\S/) <= indent) return at;
    if (end === -1) return text.length;
    at = end + 1;
  }
  return text.length;
}

/** What a line opens at a column: a value by its key, or an item of a list. */
interface Opening {
  readonly column: number;
  readonly key: string;
}

const quoted = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^']|'')*'`;
const keyPattern = new RegExp(`^(${quoted}|[^\\s#"'\\[\\]{},][^#]*?)\\s*:(?=\\s|$)`);

function listOpenings(line: string): readonly Opening[] {
  const openings: Opening[] = [];
  let column = line.search(/\S/);
  if (column === -1) return [];
  for (let mark = /^-(\s+|$)/.exec(line.slice(column)); mark; mark = /^-(\s+|$)/.exec(line.slice(column))) {
    openings.push({ column, key: "-" });
    column += mark[0].length;
  }
  const [, key] = keyPattern.exec(line.slice(column)) ?? [];
  return key === undefined ? openings : [...openings, { column, key: unquote(key) }];
}

function findBlockPath(text: string, from: number, place: number): Pick<Cursor, "path" | "isBehindKey"> {
  const start = lineStart(text, place);
  const column = place - start;
  const own = listOpenings(text.slice(start, place));
  const path: string[] = own.map(({ key }) => key);
  const isBehindKey = own.length > 0 && path.at(-1) !== "-";
  // What is above opens what is here if it is further to the left; a list may begin in the column of its key.
  let limit = own[0]?.column ?? column;
  let isItem = own[0]?.key === "-";
  for (let at = start; at > from && limit >= 0; ) {
    const above = lineStart(text, at - 1);
    const line = text.slice(above, at).trimEnd();
    at = above;
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    for (const { column: left, key } of [...listOpenings(line)].reverse()) {
      if (left < limit || (isItem && left === limit && key !== "-")) {
        path.unshift(key);
        limit = left;
        isItem = key === "-";
      }
    }
  }
  return { path, isBehindKey };
}

function unquote(written: string): string {
  const text = written.trim();
  if (/^".*"$/s.test(text)) return text.slice(1, -1).replace(/\\(.)/g, "$1");
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}
