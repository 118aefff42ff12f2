// One layout of a YAML file: two spaces a level, list items below their key, single spaces between tokens, no more than one
// empty line. Only space is changed: words, their quotes and their order, comments, anchors and where lines break stay.
import { createSourceFile } from "../diagnostics/source.ts";
import { omitSpaceAtEnd, skipSpaces, skipSpacesAndComments } from "../load/between-nodes.ts";
import { parseDocuments, parseLayout } from "../load/yaml.ts";
import type { Layout, LayoutList, LayoutMap, LayoutScalar } from "../model/layout.ts";
import { toValue } from "../model/node.ts";
import { listComments } from "./comments.ts";
import { formatFlow } from "./format-flow.ts";
import { createLines, type IndentLevel, type Lines, UnknownLayout } from "./format-lines.ts";
import { applyTextEdits, findLineEnd, findNextLine, getColumn, startsItsLine, type TextEdit } from "./text-edits.ts";

/** The text in the one layout, or why it stays as it is. */
export type Formatted =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

const step = 2;

/** @param text of a file without errors; a byte order mark stays */
export function formatYaml(text: string): Formatted {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const body = text.slice(mark.length);
  try {
    const edited = formatBody(body);
    if (edited === body) return { text };
    const means = (one: string) => {
      const parsed = parseDocuments(createSourceFile("", one));
      return JSON.stringify([parsed.documents.map(toValue), parsed.diagnostics.length, listComments(one)]);
    };
    if (means(edited) !== means(body))
      return { problem: "its layout cannot be changed without changing what it means" };
    return { text: mark + edited };
  } catch (error) {
    if (error instanceof UnknownLayout) return { problem: error.message };
    if (error instanceof RangeError) return { problem: "it is nested too deep" };
    throw error;
  }
}

function formatBody(text: string): string {
  if (/\r(?!\n)/.test(text)) throw new UnknownLayout("it has line breaks that are a carriage return alone");
  const lines = createLines(text);
  const edits: TextEdit[] = [];
  const form: Form = { text, lines, edits };
  for (const root of parseLayout(text)) layOutValue(form, root, undefined);
  const edited = applyTextEdits(text, [...edits, ...lines.listEdits()]);
  if (edited === undefined) throw new UnknownLayout("it has a layout that gate-sync does not know");
  return withOneLineBreak(text, edited);
}

/** Where both are in the file, those of its first line count. */
function withOneLineBreak(before: string, text: string): string {
  const isMixed = before.includes("\r\n") && /[^\r]\n/.test(before);
  if (!isMixed) return text;
  return text.replace(/\r?\n/g, /^[^\n]*\r\n/.test(before) ? "\r\n" : "\n");
}

interface Form {
  readonly text: string;
  readonly lines: Lines;
  readonly edits: TextEdit[];
}

/** @param parent the block collection that it is in; absent: it is the root of its document */
function layOutValue(form: Form, node: Layout, parent: IndentLevel | undefined): void {
  if (node.kind === "alias") return;
  if (node.kind !== "scalar" && !node.isFlow) {
    const level = { old: getColumn(form.text, node.start), now: parent ? parent.now + step : 0, parent };
    if (node.kind === "map") layOutMap(form, node, level);
    else layOutList(form, node, level);
    return;
  }
  if (node.kind === "scalar" && (node.style === "literal" || node.style === "folded")) {
    layOutBlockText(form, node, parent);
    return;
  }
  form.lines.shift(node, parent ? parent.now - parent.old : 0);
  if (node.kind !== "scalar") for (const edit of formatFlow(form.text, node)) form.edits.push(edit);
}

function layOutMap(form: Form, { items }: LayoutMap, level: IndentLevel): void {
  const { text } = form;
  for (const { key, value } of items) {
    if (
      key === undefined ||
      (key.kind !== "alias" && key.hasProperties) ||
      (key.kind !== "alias" && key.kind !== "scalar")
    )
      throw new UnknownLayout("it has a key that is no plain word or text");
    if (!startsItsLine(text, key.start) && getColumn(text, key.start) !== level.old)
      throw new UnknownLayout("it has an explicit key (?)");
    form.lines.place(key.start, level);
    const colon = skipSpaces(text, key.end);
    if (text.charAt(colon) !== ":") throw new UnknownLayout("it has an explicit key (?)");
    // Before the colon of an alias there is a space: it would be part of its name.
    if (key.kind !== "alias") form.edits.push({ start: key.end, end: colon, text: "" });
    layOutBehind(form, colon + 1, value, level);
  }
}

function layOutList(form: Form, { start, items }: LayoutList, level: IndentLevel): void {
  const { text } = form;
  let at = start;
  for (const item of items) {
    const dash = skipSpacesAndComments(text, at);
    if (text.charAt(dash) !== "-") throw new UnknownLayout("it has a list that gate-sync does not know the layout of");
    form.lines.place(dash, level);
    layOutBehind(form, dash + 1, item, level);
    at = item?.end ?? dash + 1;
  }
}

/** @param at behind the `:` or `-` */
function layOutBehind(form: Form, at: number, value: Layout | undefined, level: IndentLevel): void {
  if (value === undefined) return;
  const { text } = form;
  const isOwnBlock = (value.kind === "map" || value.kind === "list") && !value.isFlow;
  const below = (first: number) =>
    form.lines.place(first, { old: getColumn(text, first), now: level.now + step, parent: level });
  const next = skipSpaces(text, at);
  if (next < findLineEnd(text, at) && text.charAt(next) !== "#") form.edits.push({ start: at, end: next, text: " " });
  else {
    const first = skipSpacesAndComments(text, at);
    if (!isOwnBlock || first !== value.start) below(first);
  }
  // An anchor or a tag may be in a line of its own.
  if (!isOwnBlock && startsItsLine(text, value.start)) below(value.start);
  layOutValue(form, value, level);
}

/** The lines below a `|` or `>`: two spaces deeper than the key or dash, or what the sign says. */
function layOutBlockText({ text, lines }: Form, { start, end }: LayoutScalar, parent: IndentLevel | undefined): void {
  const [header, digit = ""] = /^[|>][+-]?([1-9]?).*/.exec(text.slice(start, end)) ?? [""];
  const first = text
    .slice(start, end)
    .split("\n")
    .slice(1)
    .find((line) => omitSpaceAtEnd(line, 0, line.length) > 0);
  if (first === undefined || parent === undefined) {
    lines.shift({ start, end: skipEmptyLines(text, end, 0) }, 0, 0);
    return;
  }
  const old = digit === "" ? skipSpaces(first, 0) : parent.old + Number(digit);
  const now = parent.now + (digit === "" ? step : Number(digit));
  // Line breaks at the end count where they are kept, and spaces are a line of their own.
  const isKept = /^.[1-9]?\+/.test(header);
  lines.shift({ start, end: skipEmptyLines(text, end, isKept ? 0 : old + 1) }, now - old, old);
}

/** The end of the last of the lines without a word that follow which has so many spaces. */
function skipEmptyLines(text: string, from: number, spaces: number): number {
  let last = from;
  for (let end = findLineEnd(text, from), start = findNextLine(text, end); start < text.length; ) {
    end = findLineEnd(text, start);
    if (omitSpaceAtEnd(text, start, end) > start) return last;
    if (end - start >= spaces) last = end;
    start = findNextLine(text, end);
  }
  return last;
}
