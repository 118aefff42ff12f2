import { findFirstIndex } from "../json/collections.ts";
import { omitSpaceAtEnd, skipSpaces } from "../load/between-nodes.ts";
import { findLineBreak, startsItsLine, type TextEdit } from "./text-edits.ts";

/** The file has something that is rare, and for which there is no layout. */
export class UnknownLayout extends Error {}

/** The column of what is in one block collection, before and after. */
export interface IndentLevel {
  readonly old: number;
  readonly now: number;
  readonly parent: IndentLevel | undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** How the lines of a file are indented. */
export interface Lines {
  /** A key or a dash: if it begins its line, the line goes to the column of its level. */
  place(at: number, level: IndentLevel): void;
  /**
   * The lines of a value but its first go as many columns to the right.
   *
   * @param content of a block text: its column; its empty lines count
   */
  shift(range: Range, by: number, content?: number): void;
  listEdits(): readonly TextEdit[];
}

interface Line {
  readonly start: number;
  /** Before its line break. */
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number;
  indent?: number;
  shift?: { readonly by: number; readonly content: number };
  /** Its line break is within a value. */
  isOpen?: boolean;
}

export function createLines(text: string): Lines {
  const lines = listLines(text);
  /** Keys and dashes, in the order of the file. */
  const marks: { readonly at: number; readonly level: IndentLevel }[] = [];
  return {
    place(at, level) {
      marks.push({ at, level });
      const line = lines[findLine(lines, at)];
      if (line && startsItsLine(text, at)) line.indent = level.now;
    },
    shift({ start, end }, by, content) {
      const [first, last] = [findLine(lines, start), findLine(lines, end)];
      for (let index = first; index <= last; index++) {
        const line = lines[index] as Line;
        if (index < last) line.isOpen = true;
        if (index > first) line.shift = { by, content: content ?? Number.POSITIVE_INFINITY };
      }
      // Its last line break may count.
      if (content !== undefined && lines[last]) lines[last].isOpen = true;
    },
    listEdits() {
      const edits: TextEdit[] = [];
      let isBlankBefore = true;
      let lastKept = 0;
      for (const [index, line] of lines.entries()) {
        const written = text.slice(line.start, line.end);
        const end = omitSpaceAtEnd(text, line.start, line.end);
        const isBlank = end === line.start;
        if (line.shift) shiftLine(line, written, line.shift, edits);
        else if (isBlank) {
          if (isBlankBefore) edits.push({ start: line.start, end: line.next, text: "" });
          else edits.push({ start: line.start, end: line.end, text: "" });
        } else {
          const comment = line.indent === undefined && /^[ \t]*#/.test(written);
          const indent = comment ? findCommentColumn(text, line, marks) : line.indent;
          const from = line.start + (/^[ \t]*/.exec(written)?.[0].length ?? 0);
          if (indent !== undefined) edits.push({ start: line.start, end: from, text: " ".repeat(indent) });
        }
        if (!isBlank || line.shift) {
          if (!line.isOpen) edits.push({ start: end, end: line.end, text: "" });
          lastKept = index;
        }
        isBlankBefore = isBlank && !line.shift;
      }
      return [...edits.filter(({ start }) => start < (lines[lastKept]?.next ?? 0)), ...endFile(text, lines, lastKept)];
    },
  };
}

/** One line break at the end, and nothing behind it. */
function endFile(text: string, lines: readonly Line[], lastKept: number): readonly TextEdit[] {
  const last = lines[lastKept];
  if (!last || last.start === last.end) return [];
  if (last.next > last.end) return [{ start: last.next, end: text.length, text: "" }];
  return last.isOpen ? [] : [{ start: text.length, end: text.length, text: findLineBreak(text) }];
}

function shiftLine(
  { start, end }: Line,
  written: string,
  { by, content }: NonNullable<Line["shift"]>,
  edits: TextEdit[],
): void {
  const indent = skipSpaces(written, 0);
  if (indent === written.length && indent <= content) {
    edits.push({ start, end, text: "" });
    return;
  }
  const onlySpaces = /^ */.exec(written)?.[0].length ?? 0;
  if (onlySpaces + by < 0 || (onlySpaces < indent && by !== 0))
    throw new UnknownLayout("it has tabs where it is indented");
  edits.push({ start, end: start + onlySpaces, text: " ".repeat(onlySpaces + by) });
}

/**
 * A comment of its own line is where what follows is, if it was so far; else where what came before was, or around it.
 */
function findCommentColumn(
  text: string,
  { start }: Line,
  marks: readonly { readonly at: number; readonly level: IndentLevel }[],
): number {
  const column = skipSpaces(text, start) - start;
  const after = findFirstIndex(marks, ({ at }) => at > start);
  const [before, next] = [marks[after - 1]?.level, marks[after]?.level];
  if (next?.old === column) return next.now;
  const around = [...listLevels(next), ...listLevels(before)];
  const same = around.find(({ old }) => old === column);
  if (same) return same.now;
  const outer = around.filter(({ old }) => old < column).sort((a, b) => b.old - a.old)[0];
  return outer?.now ?? next?.now ?? 0;
}

function listLevels(level: IndentLevel | undefined): readonly IndentLevel[] {
  return level ? [level, ...listLevels(level.parent)] : [];
}

function listLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; ; ) {
    const at = text.indexOf("\n", start);
    if (at === -1) {
      lines.push({ start, end: text.length, next: text.length });
      return lines;
    }
    lines.push({ start, end: at > start && text.charAt(at - 1) === "\r" ? at - 1 : at, next: at + 1 });
    start = at + 1;
  }
}

function findLine(lines: readonly Line[], at: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] as Line).start <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
