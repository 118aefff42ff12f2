import { measureWidth, padSpaces } from "../layout.ts";
import type { Style } from "../style.ts";

/** `+` added, `-` removed, `~` changed, `=` unchanged and shown only to tell its neighbours apart, `?` unknown. */
export type Sign = "+" | "-" | "~" | "=" | "?" | " ";

/** One line about one field, from which text and Markdown are made. A row without a sign is a heading. */
export interface Row {
  readonly indent: number;
  /** Padded to its column, empty where the row has none. */
  readonly label: string;
  readonly sign?: Sign;
  readonly text: string;
}

/** Where rows are placed. */
export interface Spot {
  readonly indent: number;
  readonly label: string;
  readonly style: Style;
}

export interface RowLine {
  readonly sign: Sign;
  readonly text: string;
}

/** Columns that are left for a value. */
export function getSpaceAt(spot: Spot): number {
  return Math.max(20, spot.style.width - spot.indent - measureWidth(spot.label) - 2);
}

/** The label is on the first line only. */
export function createRowsAt(spot: Spot, lines: readonly RowLine[]): readonly Row[] {
  return lines.map(({ sign, text }, index) => ({
    indent: spot.indent,
    label: index === 0 ? spot.label : padSpaces(measureWidth(spot.label)),
    sign,
    text,
  }));
}

/** A heading of its own, and the lines below it. */
export function createRowsBelow(spot: Spot, lines: readonly RowLine[]): readonly Row[] {
  const below = { ...spot, indent: spot.indent + 2, label: "" };
  if (spot.label === "") return createRowsAt(spot, lines);
  return [createHeading(spot.indent, spot.label.trimEnd()), ...createRowsAt(below, lines)];
}

export function createHeading(indent: number, label: string): Row {
  return { indent, label, text: "" };
}

/** What is more than a screen can use, `most` lines, is counted instead. */
export function limitLines(lines: readonly RowLine[], most: number, what: string, style: Style): readonly RowLine[] {
  if (style.full || lines.length <= most) return lines;
  const kept = lines.slice(0, most - 1);
  const left = lines.length - kept.length;
  const signs = new Set(lines.slice(most - 1).map(({ sign }) => sign));
  const [only] = signs;
  return [...kept, { sign: signs.size === 1 && only ? only : " ", text: `... ${left} more ${what} (--full)` }];
}
