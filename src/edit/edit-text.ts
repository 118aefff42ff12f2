// Edits of single items and values, in the style of what is around them.
import { isList, isObject, type Json } from "../json/value.ts";
import { skipSpacesAndComments } from "../load/between-nodes.ts";
import type { Layout, LayoutList, LayoutMap, LayoutPair, LayoutScalar } from "../model/layout.ts";
import { NotEditable } from "./not-editable.ts";
import { findLineEnd, findLineStart, findNextLine, getColumn, startsItsLine, type TextEdit } from "./text-edits.ts";
import { getQuotes, type Quotes, writeBlock, writeFlow, writeLiteral } from "./written.ts";

/** A text with its edits so far. */
export interface Text {
  readonly text: string;
  readonly lineBreak: string;
  readonly edits: TextEdit[];
}

/** Where a value is. */
export interface Place {
  readonly owner: LayoutMap | LayoutList;
  /** Behind the `:` or `-`. */
  readonly at: number;
  /** An anchor or a tag is before the value. */
  readonly hasProperties: boolean;
}

export interface NewItem {
  /** In a map. */
  readonly key?: string;
  readonly value: Json;
}

/** Another scalar, in the quotes of the one before. */
export function replaceScalar(text: Text, node: LayoutScalar, value: Json, place: Place | undefined): void {
  const isBlock = node.style === "literal" || node.style === "folded";
  const column = place ? getColumn(text.text, place.owner.start) + 2 : 0;
  const literal = isBlock && typeof value === "string" ? writeLiteral(value, column, text.lineBreak) : undefined;
  const inline = writeFlow(value, getQuotes(node), place?.owner.isFlow ?? false);
  text.edits.push({ start: node.start, end: node.end, text: literal ?? inline });
}

/** Another value of another kind; nothing of the old one stays. */
export function replaceNode(text: Text, node: Layout | undefined, value: Json, place: Place | undefined): void {
  const { text: source, edits, lineBreak } = text;
  if (!place) {
    if (!node) throw new NotEditable("there is nothing to change");
    edits.push({ start: node.start, end: node.end, text: writeBlock(value, 0, lineBreak) });
    return;
  }
  const { owner, at, hasProperties } = place;
  const isFilled = (isList(value) || isObject(value)) && Object.keys(value).length > 0;
  const isBlockNode = (node?.kind === "map" || node?.kind === "list") && !node.isFlow;
  if (hasProperties) {
    // Behind an anchor there is space for what is in one line; whether that may be anchored, reading it again shows.
    if (!node || isBlockNode) throw new NotEditable("it has an anchor (&) or a tag (!)");
    edits.push({ start: node.start, end: node.end, text: writeFlow(value, findQuotes(owner), owner.isFlow) });
    return;
  }
  const isFlowNode = (node?.kind === "map" || node?.kind === "list") && node.isFlow && node.items.length > 0;
  if (!isFilled || owner.isFlow || isFlowNode) {
    const inline = writeFlow(value, findQuotes(isFlowNode ? node : owner), owner.isFlow);
    if (!node) edits.push({ start: at, end: at, text: ` ${inline}` });
    else if (isBlockNode && startsItsLine(source, node.start)) {
      edits.push({ start: at, end: at, text: ` ${inline}` }, cutLines(source, node.start, node.end, false));
    } else edits.push({ start: node.start, end: node.end, text: inline });
    return;
  }
  if (node && isBlockNode) {
    edits.push({ start: node.start, end: node.end, text: writeBlock(value, getColumn(source, node.start), lineBreak) });
    return;
  }
  if (owner.kind === "list") {
    const column = node ? getColumn(source, node.start) : getColumn(source, owner.start) + 2;
    const block = writeBlock(value, column, lineBreak);
    edits.push(node ? { start: node.start, end: node.end, text: block } : { start: at, end: at, text: ` ${block}` });
    return;
  }
  if (node) edits.push({ start: at, end: node.end, text: "" });
  const end = findLineEnd(source, node?.end ?? at);
  const column = getColumn(source, owner.start) + 2;
  const block = `${lineBreak}${" ".repeat(column)}${writeBlock(value, column, lineBreak)}`;
  edits.push({ start: end, end, text: block });
}

/** As the other strings around are written. */
function findQuotes(owner: LayoutMap | LayoutList): Quotes {
  const items = owner.kind === "list" ? owner.items : [];
  const strings = items.flatMap((item) => (item?.kind === "scalar" && typeof item.value === "string" ? [item] : []));
  return strings.length > 0 && strings.every(({ style }) => style === strings[0]?.style)
    ? getQuotes(strings[0] as LayoutScalar)
    : "plain";
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** From the key or dash to the end of the value. */
function listStretches({ text }: Text, node: LayoutMap | LayoutList): readonly Stretch[] {
  if (node.kind === "map")
    return node.items.map(({ key, value }: LayoutPair) => {
      if (!key) throw new NotEditable("there is a value without a key");
      return { start: key.start, end: Math.max(key.end, value?.end ?? 0) };
    });
  if (node.isFlow) {
    return node.items.map((item) => {
      if (!item) throw new NotEditable("a list has an empty item");
      return item;
    });
  }
  let at = node.start;
  return node.items.map((item) => {
    const start = skipSpacesAndComments(text, at);
    at = item?.end ?? start + 1;
    return { start, end: at };
  });
}

/** Some items, and not all. */
export function removeItems(text: Text, node: LayoutMap | LayoutList, removed: ReadonlySet<number>): void {
  if (removed.size === 0) return;
  const { text: source, edits } = text;
  const items = listStretches(text, node);
  const isKept = (index: number) => !removed.has(index);
  if (node.isFlow) {
    const kept = items.map((_, index) => index).filter(isKept);
    const last = kept.at(-1) ?? -1;
    for (const [index, { start }] of items.entries()) {
      if (isKept(index)) continue;
      // With the comma behind it; of those at the end, with the comma before.
      const end = index < last ? (items[index + 1] as Stretch).start : undefined;
      if (end !== undefined) cutWithoutComment(text, start, end);
    }
    const end = items.at(-1)?.end ?? 0;
    if (last < items.length - 1) cutWithoutComment(text, (items[last] as Stretch).end, end);
    return;
  }
  const firstKept = items.findIndex((_, index) => isKept(index));
  const [first] = items;
  const isCompact = first !== undefined && removed.has(0) && !startsItsLine(source, first.start);
  if (isCompact) cutWithoutComment(text, first.start, (items[firstKept] as Stretch).start);
  for (const [index, { start, end }] of items.entries())
    if (!isKept(index) && !(isCompact && index < firstKept))
      edits.push(cutLines(source, start, end, node.kind === "map"));
}

function cutWithoutComment({ text, edits }: Text, start: number, end: number): void {
  if (/(^|\s)#/.test(text.slice(start, end).replace(/"[^"\n]*"|'[^'\n]*'/g, "")))
    throw new NotEditable("a comment is among what is to be removed");
  edits.push({ start, end, text: "" });
}

/**
 * The lines of an item, with an empty line that would be one too many.
 *
 * @param withComments those that are directly above it, in its column, go with it
 */
function cutLines(text: string, from: number, to: number, withComments: boolean): TextEdit {
  const column = getColumn(text, from);
  let start = findLineStart(text, from);
  const lineAbove = (at: number) => text.slice(findLineStart(text, at - 1), at - 1);
  const isComment = new RegExp(`^ {${column}}#`);
  while (withComments && start > 0 && isComment.test(lineAbove(start))) start = findLineStart(text, start - 1);
  // At the top of a file they are about the file.
  if (start === 0) start = findLineStart(text, from);
  let end = findNextLine(text, findLineEnd(text, to));
  const isEmpty = (line: string) => line.trim() === "";
  const below = text.slice(end, findLineEnd(text, end));
  if (start > 0 && isEmpty(lineAbove(start)) && isEmpty(below)) start = findLineStart(text, start - 1);
  // The last line has no line break: the one before it goes.
  if (end === text.length && !text.endsWith("\n") && start > 0) start -= text.charAt(start - 2) === "\r" ? 2 : 1;
  end = Math.max(end, start);
  return { start, end, text: "" };
}

/** @param before the position of the item that they come before; all of them: at the end */
export function addItems(text: Text, node: LayoutMap | LayoutList, before: number, added: readonly NewItem[]): void {
  if (added.length === 0) return;
  const items = listStretches(text, node);
  if (node.isFlow) addToFlow(text, node, items, before, added);
  else addToBlock(text, node, items, before, added);
}

function addToFlow(
  { text, edits, lineBreak }: Text,
  node: LayoutMap | LayoutList,
  items: readonly Stretch[],
  before: number,
  added: readonly NewItem[],
): void {
  const quotes = findQuotes(node);
  const written = added.map(({ key, value }) =>
    key === undefined
      ? writeFlow(value, quotes, true)
      : `${writeFlow(key, "plain", true)}: ${writeFlow(value, "plain", true)}`,
  );
  const previous = items[before - 1];
  if (previous === undefined) {
    const [first] = items;
    if (!first) throw new NotEditable("there is an empty list");
    edits.push({ start: first.start, end: first.start, text: written.map((one) => `${one}, `).join("") });
    return;
  }
  const isOwnLine = startsItsLine(text, previous.start);
  const separator = isOwnLine ? `,${lineBreak}${" ".repeat(getColumn(text, previous.start))}` : ", ";
  edits.push({ start: previous.end, end: previous.end, text: written.map((one) => separator + one).join("") });
}

function addToBlock(
  { text, edits, lineBreak }: Text,
  node: LayoutMap | LayoutList,
  items: readonly Stretch[],
  before: number,
  added: readonly NewItem[],
): void {
  const column = getColumn(text, node.start);
  const quotes = findQuotes(node);
  const lines = added.map(({ key, value }) => {
    if (key !== undefined) return writeBlock({ [key]: value }, column, lineBreak);
    const isScalar = !isList(value) && !isObject(value);
    return isScalar ? `- ${writeFlow(value, quotes, false)}` : writeBlock([value], column, lineBreak);
  });
  const spaces = " ".repeat(column);
  const previous = items[before - 1];
  if (previous === undefined) {
    const [first] = items;
    if (!first) throw new NotEditable("there is an empty list");
    edits.push({ start: first.start, end: first.start, text: lines.map((line) => line + lineBreak + spaces).join("") });
    return;
  }
  const isSpaced =
    node.kind === "map" && /\n[ \t]*\r?\n/.test(text.slice(items.at(-2)?.end ?? previous.start, previous.start));
  const gap = isSpaced ? lineBreak : "";
  const lineEnd = findLineEnd(text, previous.end);
  const at = findNextLine(text, lineEnd);
  if (at > lineEnd)
    edits.push({ start: at, end: at, text: lines.map((line) => gap + spaces + line + lineBreak).join("") });
  else edits.push({ start: at, end: at, text: lines.map((line) => lineBreak + gap + spaces + line).join("") });
}
