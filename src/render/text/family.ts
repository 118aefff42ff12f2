import { flowItems, measureWidth, padSpaces, spreadLine } from "../layout.ts";
import type { Row, Sign } from "../rows/row.ts";
import type { Style } from "../style.ts";
import type { ChangeView } from "../views/change.ts";
import { createPartRows, listChangeParts, type PartView } from "../views/change-parts.ts";
import { type FamilyView, listLeftAlone } from "../views/family.ts";
import { paint, type Tone } from "./ansi.ts";

/** Where counts begin, unless the name of a family is longer. */
const countsColumn = 17;
const nameIndent = 4;
export const fieldIndent = 6;

const tones: Readonly<Record<Sign, Tone | undefined>> = {
  "+": "added",
  "-": "removed",
  "~": "changed",
  "=": "faint",
  "?": "faint",
  " ": undefined,
};

/** One family: its counts, then each change with its fields, where there are many what is alike only once. */
export function* formatFamilyLines(family: FamilyView, style: Style): Generator<string, void, undefined> {
  const { title, changes, pendingCounts, leftCounts, otherCounts } = family;
  const counts = [pendingCounts, style.verbose ? otherCounts : leftCounts].filter((part) => part !== "");
  const line = counts.join("; ");
  const space = Math.min(getSpaceForCounts(style), style.width - measureWidth(title) - 2);
  yield* formatCountLines(title, measureWidth(line) <= space ? [line] : counts, style);
  for (const part of listChangeParts(changes.filter(isIn("pending")), style)) yield* formatPartLines(part, style);
  const colourless = { ...style, color: false };
  for (const part of listChangeParts(changes.filter(isIn("left")), style)) {
    for (const line of formatPartLines(part, colourless)) yield paint(line, "faint", style);
  }
  if (!style.verbose) return;
  for (const { title, aside } of listLeftAlone(family)) {
    for (const line of spreadLine(`    ${title}`, aside, style.width)) yield paint(line, "faint", style);
  }
}

function isIn(state: ChangeView["state"]): (change: ChangeView) => boolean {
  return (change) => change.state === state;
}

/** `Roles            1 to create; 41 in sync`. */
export function formatCountLines(
  title: string,
  [first = "", ...rest]: readonly string[],
  style: Style,
): readonly string[] {
  return [
    paint(title, "strong", style) + padSpaces(Math.max(2, countsColumn - measureWidth(title))) + first,
    ...rest.map((line) => padSpaces(countsColumn) + line),
  ];
}

/** Columns that are left for counts. */
export function getSpaceForCounts(style: Style): number {
  return style.width - countsColumn;
}

/**
 * One change, or several with what is the same of all.
 *
 * @param remarks between their names and their fields
 * @param rowStyle of their fields
 */
export function formatPartLines(
  part: PartView<ChangeView>,
  style: Style,
  remarks: readonly string[] = [],
  rowStyle: Style = style,
): readonly string[] {
  const { sign, title, aside, names } = part;
  const lead = `  ${paint(sign, tones[sign], style)} `;
  return [
    ...spreadLine(lead + paint(title, "strong", style), paint(aside, "faint", style), style.width),
    ...flowItems(names, ", ", style.width - nameIndent).map((line) => padSpaces(nameIndent) + line),
    ...remarks.map((line) => padSpaces(fieldIndent) + line),
    ...createPartRows(part, fieldIndent, style).map((row) => formatRowLine(row, rowStyle)),
  ];
}

function formatRowLine(row: Row, style: Style): string {
  const lead = padSpaces(row.indent) + row.label;
  return row.sign === undefined ? lead + row.text : lead + paint(`${row.sign} ${row.text}`, tones[row.sign], style);
}
