import { countLines, getLine, type SourceFile } from "../../diagnostics/source.ts";
import { findLineChanges, type LineChange } from "../../json/line-changes.ts";
import type { FileEdit } from "../../model/file-edit.ts";
import { quoteLine } from "../../secrets/masked-line.ts";
import { escapeInvisible } from "../escape.ts";
import type { Style } from "../style.ts";
import { paint, type Tone } from "./ansi.ts";

/** Unchanged lines around a change. */
const context = 3;

/** As `diff -u` shows it, secrets masked. No newline at its end. */
export function renderUnifiedDiff({ path, before, after }: FileEdit, style: Style): string {
  const [old, now] = [before ? listLines(before) : [], listLines(after)];
  const shown = escapeInvisible(path);
  return [
    paint(`--- ${before ? shown : "/dev/null"}`, "strong", style),
    paint(`+++ ${shown}`, "strong", style),
    ...joinNear(findLineChanges(old, now)).flatMap((changes) =>
      formatHunk(changes, { before, after, old, now }, style),
    ),
  ].join("\n");
}

interface Sides {
  readonly before: SourceFile | undefined;
  readonly after: SourceFile;
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** With their line breaks, so that a change of these is one. */
function listLines({ text }: SourceFile): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Changes that share lines around them are one hunk. */
function joinNear(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.from - last.to <= 2 * context) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function formatHunk(changes: readonly LineChange[], sides: Sides, style: Style): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)] as [LineChange, LineChange];
  const lead = Math.min(context, first.from);
  const tail = Math.min(context, sides.old.length - last.to);
  const [start, end] = [first.from - lead, last.to + tail];
  const [newStart, newEnd] = [first.newFrom - lead, last.newTo + tail];
  const lines = [paint(`@@ -${formatSpan(start, end)} +${formatSpan(newStart, newEnd)} @@`, "faint", style)];
  const add = (
    sign: string,
    file: SourceFile | undefined,
    texts: readonly string[],
    from: number,
    to: number,
    tone?: Tone,
  ) => {
    for (let index = from; index < to && file; index++) {
      lines.push(paint(`${sign}${showLine(file, index)}`, tone, style));
      if (!texts[index]?.endsWith("\n")) lines.push("\\ No newline at end of file");
    }
  };
  let at = newStart;
  for (const { from, to, newFrom, newTo } of changes) {
    add(" ", sides.after, sides.now, at, newFrom);
    add("-", sides.before, sides.old, from, to, "removed");
    add("+", sides.after, sides.now, newFrom, newTo, "added");
    at = newTo;
  }
  add(" ", sides.after, sides.now, at, newEnd);
  return lines;
}

function formatSpan(from: number, to: number): string {
  const count = to - from;
  const first = count === 0 ? from : from + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

/** @param index from 0 */
function showLine(file: SourceFile, index: number): string {
  const line = index + 1;
  const shown = line <= countLines(file) ? quoteLine(file, line) : getLine(file, line);
  return shown.split("\t").map(escapeInvisible).join("\t");
}
