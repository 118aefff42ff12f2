import { withoutPaint } from "./text/ansi.ts";

const ascii = /^[\x20-\x7e]*$/;
const mark = /\p{M}/u;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** Columns on a terminal: East Asian characters and emoji take two, combining marks none. Near enough, not Unicode's last word. */
export function measureWidth(text: string): number {
  const plain = withoutPaint(text);
  if (ascii.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += layOutColumns(character);
  return width;
}

export function layOutColumns(character: string): number {
  return mark.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

/** Counted one by one: an answer may have a text of 200 MB, and a list of its characters would not fit into memory. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export function padEnd(text: string, width: number): string {
  return text + padSpaces(width - measureWidth(text));
}

export function padStart(text: string, width: number): string {
  return padSpaces(width - measureWidth(text)) + text;
}

export function padSpaces(count: number): string {
  return " ".repeat(Math.max(0, count));
}

/** One thing at either end of a line; on two lines where they do not fit on one. */
export function spreadLine(left: string, right: string, width: number): readonly string[] {
  if (right === "") return [left];
  const gap = width - measureWidth(left) - measureWidth(right);
  return gap >= 2 ? [left + padSpaces(gap) + right] : [left, padStart(right, width)];
}

/** Breaks at spaces; a word that is too long stays whole. Lines after the first begin with `hanging` spaces. */
export function wrap(text: string, width: number, hanging = 0): readonly string[] {
  return flowItems(text.split(" "), " ", width, hanging);
}

/** The same, with all lines moved to the right by `indent` columns. */
export function wrapIndented(text: string, indent: number, width: number, hanging = 0): readonly string[] {
  return wrap(text, width - indent, hanging).map((line) => padSpaces(indent) + line);
}

/** The same beside a label, which has `column` columns of the first line. */
export function wrapLabelled(label: string, text: string, column: number, width: number): readonly string[] {
  const [first = "", ...rest] = wrap(text, width - column);
  return [padEnd(label, column) + first, ...rest.map((line) => padSpaces(column) + line)];
}

/** The same of parts, none broken that fits on a line of its own. */
export function wrapParts(parts: readonly string[], width: number, hanging: number): readonly string[] {
  const space = width - hanging;
  const items = parts.flatMap((part) => (measureWidth(part) <= space ? [part] : wrap(part, space)));
  return flowItems(items, " ", width, hanging);
}

/** Puts items on as few lines as they fit on, none broken; a line that goes on ends with the separator's visible part. */
export function flowItems(items: readonly string[], separator: string, width: number, hanging = 0): readonly string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const [index, item] of items.entries()) {
    const reach = item + (index < items.length - 1 ? separator.trimEnd() : "");
    if (line !== undefined && measureWidth(line + separator) + measureWidth(reach) <= width) line += separator + item;
    else {
      if (line !== undefined) lines.push(line + separator.trimEnd());
      line = line === undefined ? item : padSpaces(hanging) + item;
    }
  }
  return line === undefined ? lines : [...lines, line];
}

/** The text cut to so many columns. */
export function cutTo(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += layOutColumns(character);
    if (used > width) break;
    kept += character;
  }
  return kept;
}

/** Sections that have lines, an empty line between two. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  const shown = sections.filter((lines) => lines.length > 0);
  return joinLines(shown.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines])));
}

/** Lines as one text without spaces at their ends, and without a newline at its own. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join("\n");
}
