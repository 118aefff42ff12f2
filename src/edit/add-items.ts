// New items of maps and lists, in the style of those that are there.
import { isList, isObject } from "../json/value.ts";
import type { LayoutList, LayoutMap } from "../model/layout.ts";
import { findQuotes, listStretches, type NewItem, type Stretch, type Text } from "./edit-text.ts";
import { NotEditable } from "./not-editable.ts";
import { findEndWithComments, findStartWithComments } from "./remove-items.ts";
import { findLineEnd, findNextLine, getColumn, startsItsLine } from "./text-edits.ts";
import { writeBlock, writeFlow, writeKey } from "./written.ts";

/** Where new items come. */
export interface Gap {
  /** The position of the item that they come before; all of them: at the end. */
  readonly before: number;
  /** Those that go; one stays. */
  readonly removed: ReadonlySet<number>;
}

export function addItems(text: Text, node: LayoutMap | LayoutList, gap: Gap, added: readonly NewItem[]): void {
  if (added.length === 0) return;
  const items = listStretches(text.text, node);
  if (node.isFlow) addToFlow(text, node, items, gap, added);
  else addToBlock(text, node, items, gap.before, added);
}

function addToFlow(
  { text, edits, lineBreak }: Text,
  node: LayoutMap | LayoutList,
  items: readonly Stretch[],
  { before, removed }: Gap,
  added: readonly NewItem[],
): void {
  const quotes = findQuotes(node);
  const written = added.map(({ key, value }) => {
    const inline = writeFlow(value, quotes, true);
    return key === undefined ? inline : `${writeKey(key, quotes)}: ${inline}`;
  });
  const insert = (at: number, inserted: string) => edits.push({ start: at, end: at, text: inserted });
  const isKept = (_: Stretch, index: number) => !removed.has(index);
  const index = items.findLastIndex((item, at) => at < before && isKept(item, at));
  const [previous, first] = [items[index], items.find(isKept)];
  const beside = previous ?? first;
  if (!beside) throw new NotEditable("there is an empty list");
  const ownLine = lineBreak + " ".repeat(findItemColumn(text, items, beside));
  const separator = startsItsLine(text, beside.start) ? `,${ownLine}` : ", ";
  if (!previous) {
    insert(beside.start, written.map((one) => one + separator).join(""));
    return;
  }
  const lineEnd = findLineEnd(text, previous.end);
  const behind = text.slice(previous.end, Math.min(lineEnd, items[index + 1]?.start ?? node.end));
  const [, comma] = /^[ \t]*(,?)[ \t]*#/.exec(behind) ?? [];
  if (comma === undefined) insert(previous.end, written.map((one) => separator + one).join(""));
  else {
    // Its comment stays beside it.
    if (comma === "") insert(previous.end, ",");
    insert(lineEnd, written.map((one) => ownLine + one).join(",") + comma);
  }
}

/** Where the items of a collection in brackets begin that are the first of their lines. */
function findItemColumn(text: string, items: readonly Stretch[], beside: Stretch): number {
  const first = [beside, ...items].find(({ start }) => startsItsLine(text, start));
  return getColumn(text, (first ?? beside).start);
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
    const at = findStartWithComments(text, first.start);
    edits.push({ start: at, end: at, text: lines.map((line) => line + lineBreak + spaces).join("") });
    return;
  }
  const isSpaced =
    node.kind === "map" && /\n[ \t]*\r?\n/.test(text.slice(items.at(-2)?.end ?? previous.start, previous.start));
  const gap = isSpaced ? lineBreak : "";
  const lineEnd = findEndWithComments(text, previous, true);
  const at = findNextLine(text, lineEnd);
  if (at > lineEnd)
    edits.push({ start: at, end: at, text: lines.map((line) => gap + spaces + line + lineBreak).join("") });
  else edits.push({ start: at, end: at, text: lines.map((line) => lineBreak + gap + spaces + line).join("") });
}
