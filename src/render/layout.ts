import { withoutPaint } from "./ansi.ts";

const ascii = /^[\x20-\x7e]*$/;
const mark = /\p{M}/u;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** Columns on a terminal: East Asian characters and emoji take two, combining marks none. Near enough, not Unicode's last word. */
export function widthOf(text: string): number {
  const plain = withoutPaint(text);
  if (ascii.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += columnsOf(character);
  return width;
}

export function columnsOf(character: string): number {
  return mark.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

/** Counted one by one: an answer may have a text of 200 MB, and a list of its characters would not fit into memory. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export function padEnd(text: string, width: number): string {
  return text + blanks(width - widthOf(text));
}

export function padStart(text: string, width: number): string {
  return blanks(width - widthOf(text)) + text;
}

export function blanks(count: number): string {
  return " ".repeat(Math.max(0, count));
}

/** One thing at either end of a line; on two lines where they do not fit on one. */
export function spread(left: string, right: string, width: number): readonly string[] {
  if (right === "") return [left];
  const gap = width - widthOf(left) - widthOf(right);
  return gap >= 2 ? [left + blanks(gap) + right] : [left, padStart(right, width)];
}

/** Breaks at blanks; a word that is too long stands whole. Lines after the first begin with `hanging` blanks. */
export function wrap(text: string, width: number, hanging = 0): readonly string[] {
  return flow(text.split(" "), " ", width, hanging);
}

/** The same of parts, none broken that fits on a line of its own. */
export function wrapParts(parts: readonly string[], width: number, hanging: number): readonly string[] {
  const room = width - hanging;
  const items = parts.flatMap((part) => (widthOf(part) <= room ? [part] : wrap(part, room)));
  return flow(items, " ", width, hanging);
}

/** Puts items on as few lines as they fit on, none broken; a line that goes on ends with the separator's visible part. */
export function flow(items: readonly string[], separator: string, width: number, hanging = 0): readonly string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const [index, item] of items.entries()) {
    const reach = item + (index < items.length - 1 ? separator.trimEnd() : "");
    if (line !== undefined && widthOf(line + separator) + widthOf(reach) <= width) line += separator + item;
    else {
      if (line !== undefined) lines.push(line + separator.trimEnd());
      line = line === undefined ? item : blanks(hanging) + item;
    }
  }
  return line === undefined ? lines : [...lines, line];
}

/** The text cut to so many columns. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    kept += character;
  }
  return kept;
}

/** Lines as one text without blanks at their ends, and without a newline at its own. */
export function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join("\n");
}
