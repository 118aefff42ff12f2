// Items of maps and lists that go.
import { findFirstIndex } from "../json/collections.ts";
import { memoiseByObject } from "../json/memoise.ts";
import type { LayoutList, LayoutMap } from "../model/layout.ts";
import { type CommentPlace, listCommentPlaces } from "./comments.ts";
import { listStretches, type Stretch, type Text } from "./edit-text.ts";
import { NotEditable } from "./not-editable.ts";
import { findLineEnd, findLineStart, findNextLine, getColumn, startsItsLine, type TextEdit } from "./text-edits.ts";

/** Some items, and not all. */
export function removeItems(text: Text, node: LayoutMap | LayoutList, removed: ReadonlySet<number>): void {
  if (removed.size === 0) return;
  const { text: source, edits } = text;
  const items = listStretches(source, node);
  if (node.isFlow) {
    removeFromFlow(text, items, removed);
    return;
  }
  const isKept = (index: number) => !removed.has(index);
  const firstKept = items.findIndex((_, index) => isKept(index));
  const [first] = items;
  const isCompact = first !== undefined && removed.has(0) && !startsItsLine(source, first.start);
  if (isCompact) {
    const { start } = items[firstKept] as Stretch;
    if (findComment(text, first.start, start)) throw new NotEditable("a comment is among what is to be removed");
    edits.push({ start: first.start, end: start, text: "" });
  }
  for (const [index, { start, end }] of items.entries())
    if (!isKept(index) && !(isCompact && index < firstKept))
      edits.push(cutLines(source, start, end, ownsCommentAbove(source, node, items, index, isKept)));
}

/** What is above single values in the lines of a list may be about those below, too, up to the next comment or empty line. */
function ownsCommentAbove(
  text: string,
  node: LayoutMap | LayoutList,
  items: readonly Stretch[],
  index: number,
  isKept: (index: number) => boolean,
): boolean {
  if (node.kind === "map" || node.items[index]?.kind === "map") return true;
  for (let next = index + 1; next < items.length; next++) {
    const [{ end }, { start }] = [items[next - 1], items[next]] as [Stretch, Stretch];
    if (findNextLine(text, end) !== findLineStart(text, start)) return true;
    if (isKept(next)) return false;
  }
  return true;
}

function removeFromFlow(text: Text, items: readonly Stretch[], removed: ReadonlySet<number>): void {
  const last = items.findLastIndex((_, index) => !removed.has(index));
  for (const index of removed) {
    const { start } = items[index] as Stretch;
    const next = items[index + 1] as Stretch;
    // With the comma behind it.
    if (index < last && !findComment(text, start, next.start)) text.edits.push({ start, end: next.start, text: "" });
    else if (index < last) text.edits.push(cutOwnLines(text.text, items, index));
  }
  if (last === items.length - 1) return;
  // Of those at the end, with the comma before.
  const [{ end: start }, { end }] = [items[last], items.at(-1)] as [Stretch, Stretch];
  const isCommented = commentBehind.test(text.text.slice(end, findLineEnd(text.text, end)));
  if (!isCommented && !findComment(text, start, end)) text.edits.push({ start, end, text: "" });
  else for (let at = last + 1; at < items.length; at++) text.edits.push(cutOwnLines(text.text, items, at));
}

const commentBehind = /^[ \t]*,?[ \t]*#/;

/** The lines of an item in brackets and of its comment, where nothing else is in them. */
function cutOwnLines(text: string, items: readonly Stretch[], index: number): TextEdit {
  const { start, end } = items[index] as Stretch;
  const behind = text.slice(end, findLineEnd(text, end));
  const isAlone = startsItsLine(text, start) && /^[ \t]*(,[ \t]*)?(#.*)?$/.test(behind);
  if (!isAlone || (index < items.length - 1 && !/^[ \t]*,/.test(behind)))
    throw new NotEditable("a comment is among what is to be removed");
  return { start: findLineStart(text, start), end: findNextLine(text, end), text: "" };
}

const listPlaces = memoiseByObject(({ text }: Text) => listCommentPlaces(text));

function findComment(text: Text, start: number, end: number): CommentPlace | undefined {
  // The file is read again only where there may be one.
  if (!text.text.slice(start, end).includes("#")) return undefined;
  const places = listPlaces(text);
  const place = places[findFirstIndex(places, (one) => one.start >= start)];
  return place && place.start < end ? place : undefined;
}

/**
 * The lines of an item, with an empty line that would be one too many.
 *
 * @param withComments those that are directly above it, in its column, go with it
 */
export function cutLines(text: string, from: number, to: number, withComments: boolean): TextEdit {
  let start = findLineStart(text, withComments ? findStartWithComments(text, from) : from);
  const lineAbove = (at: number) => text.slice(findLineStart(text, at - 1), at - 1);
  let end = findNextLine(text, findEndWithComments(text, { start: from, end: to }));
  const isEmpty = (line: string) => line.trim() === "";
  const below = text.slice(end, findLineEnd(text, end));
  if (start > 0 && isEmpty(lineAbove(start)) && isEmpty(below)) start = findLineStart(text, start - 1);
  // The last line has no line break: the one before it goes.
  if (end === text.length && !text.endsWith("\n") && start > 0) start -= text.charAt(start - 2) === "\r" ? 2 : 1;
  end = Math.max(end, start);
  return { start, end, text: "" };
}

/** Where the comments begin that are directly above something, in its column. */
export function findStartWithComments(text: string, from: number): number {
  const column = getColumn(text, from);
  const isComment = new RegExp(`^ {${column}}#`);
  let start = findLineStart(text, from);
  while (start > 0) {
    const above = findLineStart(text, start - 1);
    if (!isComment.test(text.slice(above, start))) break;
    start = above;
  }
  // At the top of a file they are about the file.
  return start === 0 ? from : start + column;
}

/**
 * The end of what is in block style, with the comment beside its end and those below that are indented deeper than it.
 *
 * @param withGaps empty lines may be before these
 */
export function findEndWithComments(text: string, { start, end }: Stretch, withGaps = false): number {
  const lineEnd = findLineEnd(text, end);
  const gaps = withGaps ? "(?:[ \\t]*\\r?\\n)*" : "";
  const below = new RegExp(`(?:\\r?\\n${gaps} {${getColumn(text, start) + 1}}[ \\t]*#[^\\r\\n]*)*`, "y");
  below.lastIndex = lineEnd;
  return lineEnd + (below.exec(text)?.[0].length ?? 0);
}
