// The adapter of `js-yaml`: the nodes of files in which there is nothing to report, in a tenth of the time that `yaml` takes.
import { type Event, getScalarValue, parseEvents, type ScalarEvent } from "js-yaml";
import type { SourceFile } from "../diagnostics/source.ts";
import type { MapEntry, Node, ScalarNode } from "../model/node.ts";
import { isSpaceOrEnd, omitSpaceAtEnd, skipSpaces, skipSpacesAndComments, startsLine } from "./between-nodes.ts";
import { parsePlain } from "./core-schema.ts";
import { isDisputed, isTabDisputed } from "./disputed-yaml.ts";

/** What aliases may add to a document, in nodes counted as often as they appear. */
export const aliasLimit = 100_000;

/**
 * The documents of a file, exactly as `yaml` finds them, empty ones left out. Undefined where there is something to
 * report, or where the two parsers may differ: `yaml` decides what the file says then.
 */
export function parseValid(file: SourceFile): readonly Node[] | undefined {
  if (isDisputed(file.text)) return undefined;
  const events = findEvents(file.text);
  if (events === undefined) return undefined;
  try {
    return readDocuments({ file, text: file.text, events, next: 0, at: 0, words: new Map(), ...newDocument() });
  } catch (error) {
    if (error === undecided) return undefined;
    throw error;
  }
}

/** Thrown to leave from any depth: `yaml` reads the file. */
const undecided = new Error("left to yaml");

interface Reader {
  readonly file: SourceFile;
  readonly text: string;
  readonly events: readonly Event[];
  /** Index of the event that is read next. */
  next: number;
  /** Offset behind the last scalar, alias, bracket or anchor. */
  at: number;
  /** Each word once, however often it is written. */
  readonly words: Map<string, string>;
  anchors: Map<string, { readonly node: Node; readonly size: number } | "open">;
  /** Nodes of this document so far, those behind aliases counted each time. */
  count: number;
  /** Nodes that aliases added. */
  borrowed: number;
}

function newDocument(): Pick<Reader, "anchors" | "count" | "borrowed"> {
  return { anchors: new Map(), count: 0, borrowed: 0 };
}

// As `EVENT_ID`, `SCALAR_STYLE` and `COLLECTION_STYLE` of js-yaml have them; its types hold these to them.
const [documentEvent, listEvent, mapEvent, scalarEvent, aliasEvent, endEvent] = [1, 2, 3, 4, 5, 6] as const;
const [plain, doubleQuoted, literal] = [1, 3, 4] as const;
const flow = 2;
const keep = 3;
/** In place of an offset. */
const absent = -1;

function findEvents(text: string): readonly Event[] | undefined {
  try {
    return parseEvents(text, {});
  } catch {
    return undefined;
  }
}

function readDocuments(reader: Reader): readonly Node[] {
  const { events, text } = reader;
  const documents: Node[] = [];
  while (reader.next < events.length) {
    if (events[reader.next++]?.type !== documentEvent) throw undecided;
    Object.assign(reader, newDocument());
    const isEmpty = isAbsent(events[reader.next]);
    const root = readNode(reader);
    if (!isEmpty) documents.push(root);
    if (events[reader.next++]?.type !== endEvent) throw undecided;
  }
  if (isTabDisputed(text, documents)) throw undecided;
  return documents;
}

function readNode(reader: Reader): Node {
  const event = reader.events[reader.next++];
  if (event?.type === aliasEvent) return readAlias(reader, event.anchorStart, event.anchorEnd);
  if (event?.type !== scalarEvent && event?.type !== mapEvent && event?.type !== listEvent) throw undecided;
  if (event.tagStart !== absent) throw undecided;
  return event.anchorStart === absent ? readHere(reader, event) : readAnchored(reader, event);
}

type NodeEvent = Extract<Event, { readonly tagStart: number }>;

function readHere(reader: Reader, event: NodeEvent): Node {
  reader.count++;
  if (event.type === scalarEvent) return readScalar(reader, event);
  const isFlow = event.style === flow;
  if (isFlow || reader.at < event.start) reader.at = event.start;
  return event.type === mapEvent ? readMap(reader, event.start, isFlow) : readList(reader, event.start, isFlow);
}

function readAnchored(reader: Reader, event: NodeEvent): Node {
  const { anchors, count, text } = reader;
  const name = text.slice(event.anchorStart, event.anchorEnd);
  // The two differ on the end of other names, and yaml refuses a tab between a dash and an anchor.
  if (!/^[\w-]+$/.test(name) || !isSpaceOrEnd(text.charCodeAt(event.anchorEnd))) throw undecided;
  if (/\t *&$/.test(text.slice(text.lastIndexOf("\n", event.anchorStart) + 1, event.anchorStart))) throw undecided;
  anchors.set(name, "open");
  reader.at = event.anchorEnd;
  const node = readHere(reader, event);
  anchors.set(name, { node, size: reader.count - count });
  return node;
}

function readAlias(reader: Reader, start: number, end: number): Node {
  const anchor = reader.anchors.get(reader.text.slice(start, end));
  if (anchor === undefined || anchor === "open") throw undecided;
  reader.borrowed += anchor.size;
  reader.count += anchor.size;
  if (reader.borrowed > aliasLimit) throw undecided;
  reader.at = end;
  return anchor.node;
}

function readList(reader: Reader, start: number, isFlow: boolean): Node {
  const { events, file } = reader;
  const items: Node[] = [];
  while (events[reader.next]?.type !== endEvent) {
    if (isAbsent(events[reader.next])) moveBehind(reader, isFlow ? undefined : "-");
    items.push(readNode(reader));
  }
  reader.next++;
  return {
    kind: "list",
    file,
    start,
    end: endCollection(reader, start, isFlow ? "]" : undefined),
    items: items.slice(),
  };
}

function readMap(reader: Reader, start: number, isFlow: boolean): Node {
  const { events, file, text } = reader;
  if (isFlow && text.charAt(start) !== "{") throw undecided;
  const entries: MapEntry[] = [];
  const merged: MapEntry[] = [];
  while (events[reader.next]?.type !== endEvent) {
    const { key, keyRange, isMerge } = readKey(reader);
    // What follows a value in its line is an entry to js-yaml, and an explicit key is rare.
    if (!isFlow && keyRange.start !== start && !startsLine(text, keyRange.start)) throw undecided;
    if (isAbsent(events[reader.next])) moveBehind(reader, isFlow ? undefined : ":");
    if (!isFlow && isBehindComment(text, reader.at, events[reader.next])) throw undecided;
    const value = readNode(reader);
    if (isMerge) for (const entry of listMerged(value)) merged.push(entry);
    else entries.push({ key, keyRange, value });
  }
  reader.next++;
  assertDistinct(entries);
  const end = endCollection(reader, start, isFlow ? "}" : undefined);
  return { kind: "map", file, start, end, entries: merged.length === 0 ? entries.slice() : addMerged(entries, merged) };
}

/** Of a key whose plain value begins in a later line, with a comment in between, yaml refuses some. */
function isBehindComment(text: string, keyEnd: number, event: Event | undefined): boolean {
  if (event?.type !== scalarEvent || event.style !== plain || event.valueStart - keyEnd <= 2) return false;
  const gap = text.slice(keyEnd, event.valueStart);
  return gap.includes("#") && gap.includes("\n");
}

function readKey(reader: Reader): Pick<MapEntry, "key" | "keyRange"> & { readonly isMerge: boolean } {
  const event = reader.events[reader.next++];
  if (event?.type !== scalarEvent || event.valueStart === absent || event.style >= literal) throw undecided;
  if (event.anchorStart !== absent || event.tagStart !== absent) throw undecided;
  const isPlain = event.style === plain;
  const quote = isPlain ? 0 : 1;
  const keyRange = { file: reader.file, start: event.valueStart - quote, end: event.valueEnd + quote };
  if (keyRange.end - keyRange.start > keyLimit) throw undecided;
  reader.at = keyRange.end;
  const key = readText(reader, event);
  return { key, keyRange, isMerge: isPlain && key === "<<" };
}

/** Longer ones are no implicit keys. */
const keyLimit = 1_000;

function listMerged(value: Node): readonly MapEntry[] {
  if (value.kind === "map") return value.entries;
  if (value.kind === "scalar" || value.items.some(({ kind }) => kind !== "map")) throw undecided;
  return value.items.flatMap(listMerged);
}

/** Explicit keys win over what `<<` adds, and of several maps the first. */
function addMerged(entries: readonly MapEntry[], merged: readonly MapEntry[]): readonly MapEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  for (const entry of merged) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
  return [...byKey.values()];
}

function assertDistinct(entries: readonly MapEntry[]): void {
  if (entries.length > smallMap) {
    if (new Set(entries.map(({ key }) => key)).size !== entries.length) throw undecided;
    return;
  }
  for (let right = 1; right < entries.length; right++) {
    for (let left = 0; left < right; left++) if (entries[left]?.key === entries[right]?.key) throw undecided;
  }
}

/** Comparing beats hashing in small maps. */
const smallMap = 12;

function readScalar(reader: Reader, event: ScalarEvent): ScalarNode {
  if (event.style >= literal) return readBlockScalar(reader, event);
  const { file } = reader;
  if (event.valueStart === absent) {
    reader.at = skipSpaces(reader.text, reader.at);
    return { kind: "scalar", file, start: reader.at, end: reader.at, value: null };
  }
  const written = readText(reader, event);
  const isPlain = event.style === plain;
  const quote = isPlain ? 0 : 1;
  reader.at = event.valueEnd + quote;
  const value = isPlain ? parsePlain(written) : written;
  return { kind: "scalar", file, start: event.valueStart - quote, end: reader.at, value };
}

/** The same string, stored once for all places that have it. */
function readText({ text, words }: Reader, event: ScalarEvent): string {
  const written = getScalarValue(text, event);
  // The two read an escaped line break otherwise where an empty line follows.
  if (event.style === doubleQuoted && !event.fast && escapedBreak.test(text.slice(event.valueStart, event.valueEnd)))
    throw undecided;
  if (written.length > longestShared) return written;
  const known = words.get(written);
  if (known !== undefined) return known;
  words.set(written, written);
  return written;
}

const escapedBreak = /\\\r?\n[ \t]*\r?\n/;
/** A longer string is hardly repeated. */
const longestShared = 100;

function readBlockScalar(reader: Reader, event: ScalarEvent): ScalarNode {
  const { file, text } = reader;
  const { valueStart, valueEnd } = event;
  const lineStart = text.lastIndexOf("\n", valueStart - 2) + 1;
  const header = text.slice(Math.max(reader.at, lineStart), valueStart);
  const indicator = header.search(/[|>]/);
  const value = getScalarValue(text, event);
  // The two differ on where a given indentation begins, and on what is too little.
  if (indicator === -1 || value === "" || /^.[-+]?[0-9]/.test(header.slice(indicator))) throw undecided;
  const start = valueStart - header.length + indicator;
  reader.at = omitSpaceAtEnd(text, start, valueEnd);
  // A file that ends in the text without a last line break adds none, and the two count kept breaks there otherwise.
  const isCut = valueEnd === text.length && !text.endsWith("\n");
  if (isCut && event.chomping === keep) throw undecided;
  return {
    kind: "scalar",
    file,
    start,
    end: reader.at,
    value: isCut && reader.at > text.lastIndexOf("\n") ? value.replace(/\n$/, "") : value,
  };
}

function isAbsent(event: Event | undefined): boolean {
  return event?.type === scalarEvent && event.valueStart === absent;
}

/** A value that is missing is behind the last thing that is not: here its indicator. */
function moveBehind(reader: Reader, indicator: "-" | ":" | undefined): void {
  const { at, text } = reader;
  const found = indicator === ":" ? skipSpaces(text, at) : skipSpacesAndComments(text, at);
  if (indicator === undefined || text.charAt(found) !== indicator) throw undecided;
  reader.at = found + 1;
}

/** The events say where a collection begins, not where it ends. */
function endCollection(reader: Reader, start: number, bracket: "]" | "}" | undefined): number {
  const { text } = reader;
  if (bracket === undefined) return omitSpaceAtEnd(text, start, reader.at);
  let at = skipSpacesAndComments(text, Math.max(reader.at, start + 1));
  if (text.charAt(at) === ",") at = skipSpacesAndComments(text, at + 1);
  if (text.charAt(at) !== bracket) throw undecided;
  reader.at = at + 1;
  return reader.at;
}
