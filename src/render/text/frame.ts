import { getLine, getPosition, type SourceRange } from "../../diagnostics/source.ts";
import { hideLengths, maskLine } from "../../secrets/masked-line.ts";
import { escapeInvisible } from "../escape.ts";
import { measureWidth, padSpaces } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint, type Tone } from "./ansi.ts";

// A frame is only useful when the mark is below the spot: everything here is counted in columns as shown, where each secret has one width.

/** Columns kept before the spot when a line is too long to be shown from its start. */
const lead = 20;

/**
 * The line of a file with the spot underlined. A range over several lines is underlined to the end of its first.
 * Nothing for a file without text: a place from a record, where a mark would be below nothing.
 */
export function formatFrameLines(range: SourceRange, tone: Tone, style: Style): readonly string[] {
  if (!/\S/.test(range.file.text)) return [];
  const { line, column } = getPosition(range.file, range.start);
  const text = maskLine(range.file, line);
  const from = Math.min(column - 1, text.length);
  const to = Math.min(text.length, from + Math.max(0, range.end - range.start));
  const gutter = String(line).length;
  const parts = narrowed(partsOf(getLine(range.file, line), text, from, to, style.width * 4), style.width - gutter - 2);
  const marks = "^".repeat(Math.max(1, measureWidth(parts.spot)));
  const margin = (label: string) => paint(`${label.padStart(gutter)}|`, "faint", style);
  return [
    margin(""),
    `${margin(String(line))} ${parts.before}${parts.spot}${parts.after}`,
    `${margin("")} ${padSpaces(measureWidth(parts.before))}${paint(marks, tone, style)}`,
  ];
}

interface Parts {
  readonly before: string;
  readonly spot: string;
  readonly after: string;
}

/**
 * A tab is two spaces, unless it is the marked character.
 *
 * @param text the line without its secrets, as long as it is
 * @param reach characters of each part that are looked at: a file may be one line of megabytes
 */
function partsOf(written: string, text: string, from: number, to: number, reach: number): Parts {
  const part = (start: number, end: number) => hideLengths(written.slice(start, end), text.slice(start, end));
  const plain = (start: number, end: number) => escapeInvisible(part(start, end).replaceAll("\t", "  "));
  return {
    before: plain(Math.max(0, from - reach), from),
    spot: escapeInvisible(part(from, Math.min(to, from + reach))),
    after: plain(to, to + reach),
  };
}

/** Leaves out what is far from the spot, so that the line does not wrap and tear the mark from its place. */
function narrowed(parts: Parts, width: number): Parts {
  if (measureWidth(parts.before + parts.spot + parts.after) <= width) return parts;
  const before = measureWidth(parts.before) > lead ? `...${[...parts.before].slice(-lead + 3).join("")}` : parts.before;
  const spot = start(parts.spot, width - measureWidth(before));
  return { before, spot, after: start(parts.after, width - measureWidth(before + spot)) };
}

function start(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  if (width < 4) return "";
  let kept = "";
  for (const character of text) {
    if (measureWidth(kept + character) > width - 3) break;
    kept += character;
  }
  return `${kept}...`;
}
