// A value in the place of another one.
import { isEqual, isList, isObject, type Json } from "../json/value.ts";
import type { Layout, LayoutScalar } from "../model/layout.ts";
import { findQuotes, type Place, type Text } from "./edit-text.ts";
import { NotEditable } from "./not-editable.ts";
import { cutLines, findEndWithComments, findStartWithComments } from "./remove-items.ts";
import { findLineEnd, findNextLine, getColumn, startsItsLine } from "./text-edits.ts";
import { getQuotes, writeBlock, writeFlow, writeLiteral } from "./written.ts";

/** Another scalar, in the quotes of the one before; a block text stays one where it can. */
export function replaceScalar(text: Text, node: LayoutScalar, value: Json, place: Place | undefined): void {
  const { text: source, lineBreak } = text;
  const { start, end } = node;
  const isFlow = place?.owner.isFlow ?? false;
  const quotes = place && typeof node.value !== "string" ? findQuotes(place.owner) : getQuotes(node);
  const inline = writeFlow(value, quotes, isFlow);
  const header = readHeader(source, node);
  if (!header) {
    text.edits.push({ start, end, text: inline });
    return;
  }
  const column = header.column ?? (place ? getColumn(source, place.owner.start) + 2 : 0);
  const literal = typeof value === "string" ? writeLiteral(value, column, lineBreak, header.comment) : undefined;
  // At the end of a file, its last line break counts.
  const isOpen = typeof value === "string" && value.endsWith("\n") && findLineEnd(source, end) === source.length;
  text.edits.push({ start, end, text: literal ? literal + (isOpen ? lineBreak : "") : inline + header.comment });
}

/** Of a block text: the comment behind its `|` with the space before, and the column of its lines. */
function readHeader(source: string, node: Layout | undefined): Header | undefined {
  if (node?.kind !== "scalar" || (node.style !== "literal" && node.style !== "folded")) return undefined;
  const [, digit = "", rest = ""] =
    /^[|>][-+]?(\d?)[-+]?(.*)$/.exec(source.slice(node.start, findLineEnd(source, node.start))) ?? [];
  const spaces = /^( *)[^ \r\n]/m.exec(source.slice(findNextLine(source, node.start), node.end))?.[1];
  const comment = rest.trim() === "" ? "" : rest;
  return digit === "" && spaces ? { comment, column: spaces.length } : { comment };
}

interface Header {
  readonly comment: string;
  readonly column?: number;
}

/** Another value of another kind. Of the old one only the comments stay that are about its key. */
export function replaceNode(text: Text, node: Layout | undefined, value: Json, place: Place | undefined): void {
  const { text: source, edits, lineBreak } = text;
  const isBlockNode = (node?.kind === "map" || node?.kind === "list") && !node.isFlow;
  if (!place) {
    if (!node) throw new NotEditable("there is nothing to change");
    const end = isBlockNode ? findEndWithComments(source, node) : node.end;
    const start = isBlockNode ? findStartOfItems(source, node) : node.start;
    edits.push({ start, end, text: writeBlock(value, 0, lineBreak) });
    return;
  }
  const { owner, at, hasProperties } = place;
  const isFilled = (isList(value) || isObject(value)) && Object.keys(value).length > 0;
  const isFlowNode = (node?.kind === "map" || node?.kind === "list") && node.isFlow && node.items.length > 0;
  if (hasProperties) {
    // Behind an anchor there is space for what is in one line; whether that may be anchored, reading it again shows.
    if (!node || isBlockNode) throw new NotEditable("it has an anchor (&) or a tag (!)");
    const inline = writeFlow(value, findQuotes(owner), owner.isFlow) + (readHeader(source, node)?.comment ?? "");
    edits.push({ start: node.start, end: node.end, text: inline });
  } else if (!isFilled || owner.isFlow || isFlowNode) {
    const isText = node?.kind === "scalar" && typeof node.value === "string";
    const quotes = isText ? getQuotes(node) : findQuotes(isFlowNode ? node : owner);
    const inline = writeFlow(value, quotes, owner.isFlow);
    if (!node) edits.push({ start: at, end: at, text: ` ${inline}` });
    else if (isBlockNode && startsItsLine(source, node.start))
      edits.push({ start: at, end: at, text: ` ${inline}` }, cutLines(source, node.start, node.end, true));
    else {
      const end = isBlockNode || isOnOwnLine(source, node, place) ? findEndWithComments(source, node) : node.end;
      edits.push({ start: node.start, end, text: inline + (readHeader(source, node)?.comment ?? "") });
    }
  } else if (node && isBlockNode) {
    const block = writeBlock(value, getColumn(source, node.start), lineBreak);
    edits.push({ start: findStartOfItems(source, node), end: findEndWithComments(source, node), text: block });
  } else if (node && (owner.kind === "list" || isOnOwnLine(source, node, place))) replaceOnItsLine(text, node, value);
  else if (owner.kind === "list") {
    edits.push({ start: at, end: at, text: ` ${writeBlock(value, getColumn(source, owner.start) + 2, lineBreak)}` });
  } else replaceBehindKey(text, node, value, place);
}

/** With the comments above the first of them, where it begins its line. */
function findStartOfItems(source: string, { start }: Layout): number {
  return startsItsLine(source, start) ? findStartWithComments(source, start) : start;
}

function isOnOwnLine(source: string, node: Layout, { owner }: Place): boolean {
  return !owner.isFlow && startsItsLine(source, node.start);
}

/** The lines of a collection in the place of a single value, which stays as it is written where it is an item. */
function replaceOnItsLine({ text, edits, lineBreak }: Text, node: Layout, value: Json): void {
  const column = getColumn(text, node.start);
  const ownLine = lineBreak + " ".repeat(column);
  const header = readHeader(text, node);
  const { before, same, after } = writeLines(text, node, value, column, lineBreak);
  if (same === undefined) {
    const comment = header && header.comment !== "" ? header.comment.trimStart() + ownLine : "";
    const end = header ? node.end : findEndWithComments(text, node);
    edits.push({ start: node.start, end, text: comment + before.join(ownLine) });
    return;
  }
  edits.push({ start: node.start, end: node.start, text: [...before, "- "].join(ownLine) });
  const end = findLineEnd(text, node.end);
  edits.push({ start: end, end, text: after.map((line) => ownLine + line).join("") });
}

/** The same below the key, beside which the comment of the single value stays. */
function replaceBehindKey({ text, edits, lineBreak }: Text, node: Layout | undefined, value: Json, place: Place): void {
  const { owner, at } = place;
  const column = getColumn(text, owner.start) + 2;
  const header = readHeader(text, node);
  if (node) edits.push({ start: at, end: node.end, text: header?.comment ?? "" });
  const { before, same = [], after } = writeLines(text, node, value, column, lineBreak);
  const end = findLineEnd(text, node?.end ?? at);
  const lines = [...before, ...same, ...after].map((line) => lineBreak + " ".repeat(column) + line);
  edits.push({ start: end, end, text: lines.join("") });
}

interface WrittenLines {
  readonly before: readonly string[];
  /** The item that is the single value so far. */
  readonly same?: readonly [string];
  readonly after: readonly string[];
}

/** Each with its further lines. */
function writeLines(
  source: string,
  node: Layout | undefined,
  value: Json,
  column: number,
  lineBreak: string,
): WrittenLines {
  const whole = { before: [writeBlock(value, column, lineBreak)], after: [] };
  const written = node && source.slice(node.start, node.end);
  if (node?.kind !== "scalar" || node.value === null || !isList(value) || /\n/.test(written ?? "")) return whole;
  const at = value.findIndex((item) => isEqual(item, node.value));
  if (at === -1) return whole;
  const lines = value.map((item) =>
    isList(item) || isObject(item)
      ? writeBlock([item], column, lineBreak)
      : `- ${writeFlow(item, getQuotes(node), false)}`,
  );
  return { before: lines.slice(0, at), same: [`- ${written}`], after: lines.slice(at + 1) };
}
