import { getNoun } from "../../families/index.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { Address } from "../../model/names.ts";
import { formatName } from "../escape.ts";
import { flowItems, measureWidth, padSpaces, spreadLine } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Row, Sign } from "../rows/row.ts";
import type { Style } from "../style.ts";
import type { FoldedPart, SeveralItems } from "../views/fold.ts";
import { foldChanges, formatFiles, formatPartNames, formatPartTitle } from "../views/folded-changes.ts";
import { formatPlace } from "../views/place.ts";
import {
  capitalise,
  type FamilyChanges,
  formatPendingCounts,
  formatQuietCounts,
  isOdd,
  reasonWords,
  unknownWords,
} from "../views/words.ts";
import { paint, type Tone } from "./ansi.ts";

/** Where counts begin: as wide as the longest name of a family, and a gap. */
export const countsColumn = 17;
const nameIndent = 4;
const fieldIndent = 6;

export const symbols = { create: "+", update: "~", delete: "-" } as const;
export const tones: Readonly<Record<Sign, Tone | undefined>> = {
  "+": "added",
  "-": "removed",
  "~": "changed",
  "=": "faint",
  "?": "faint",
  " ": undefined,
};

/**
 * One family: its counts, then each change with its fields, where there are many what is alike only once.
 *
 * @param apart what is never folded
 */
export function* formatFamilyLines(
  { family, changes }: FamilyChanges,
  apart: ReadonlySet<Address>,
  style: Style,
): Generator<string, void, undefined> {
  yield* countLines({ family, changes }, style);
  for (const part of foldChanges(changes.filter(isPending), apart, style)) yield* pendingLines(part, style);
  const colourless = { ...style, color: false };
  for (const part of foldChanges(changes.filter(isOdd), apart, style)) {
    for (const line of oddLines(part, colourless)) yield paint(line, "faint", style);
  }
  if (style.verbose) for (const change of changes.filter(isLeftAlone)) yield* leftLines(change, style);
}

function countLines({ family, changes }: FamilyChanges, style: Style): readonly string[] {
  const title = capitalise(getNoun(family, 2));
  const counts = [formatPendingCounts(changes), formatQuietCounts(changes)].filter((part) => part !== "");
  const line = counts.join("; ");
  const [first = "", ...rest] = measureWidth(line) <= style.width - countsColumn ? [line] : counts;
  return [
    paint(title, "strong", style) + padSpaces(countsColumn - measureWidth(title)) + first,
    ...rest.map((line) => padSpaces(countsColumn) + line),
  ];
}

function pendingLines(part: FoldedPart<Change>, style: Style): readonly string[] {
  const change = part.kind === "one" ? part.item : part.items[0];
  if (change.action === "leave") return [];
  const symbol = symbols[change.action];
  const lead = `  ${paint(symbol, tones[symbol], style)} `;
  if (part.kind !== "one") {
    const right = change.action === "delete" ? reasonWords[change.reason] : formatFiles(part.items);
    return severalLines(part, lead, right, style);
  }
  const right = change.action === "delete" ? reasonWords[change.reason] : formatPlace(change);
  return [
    ...spreadLine(lead + formatName(change.name), paint(right, "faint", style), style.width),
    ...fieldLines(change, style),
  ];
}

/** `?` marks what differs, or may differ, and is left as it is; what applying it would do is shown all the same. */
function oddLines(part: FoldedPart<Change>, style: Style): readonly string[] {
  const change = part.kind === "one" ? part.item : part.items[0];
  const right =
    change.reason === "unknown"
      ? "unknown whether the server has it: not written"
      : change.edits.length === 0
        ? unknownWords
        : `${differenceOf(change)}, ${reasonWords[change.reason]}`;
  if (part.kind !== "one") return severalLines(part, "  ? ", right, style);
  return [...spreadLine(`  ? ${formatName(change.name)}`, right, style.width), ...fieldLines(change, style)];
}

/** How many, which, and what is done to all of them. */
function severalLines(part: SeveralItems<Change>, lead: string, right: string, style: Style): readonly string[] {
  const names = flowItems(formatPartNames(part), ", ", style.width - nameIndent).map(
    (line) => padSpaces(nameIndent) + line,
  );
  return [
    ...spreadLine(lead + formatPartTitle(part, style), paint(right, "faint", style), style.width),
    ...names,
    ...(part.kind === "alike" ? fieldLines(part.items[0], style) : []),
  ];
}

function fieldLines(change: Change, style: Style): readonly string[] {
  return createChangeRows(change, fieldIndent, style).map((row) => formatRowLine(row, style));
}

function differenceOf({ before, after }: Change): string {
  if (after === undefined) return "not declared";
  return before === undefined ? "not on the server" : "differs";
}

function isLeftAlone(change: Change): boolean {
  return !isPending(change) && !isOdd(change) && change.reason !== "in-sync";
}

/** Only by name: their contents are unmanaged. */
function leftLines(change: Change, style: Style): readonly string[] {
  return spreadLine(`    ${formatName(change.name)}`, reasonWords[change.reason], style.width).map((line) =>
    paint(line, "faint", style),
  );
}

export function formatRowLine(row: Row, style: Style): string {
  const lead = padSpaces(row.indent) + row.label;
  if (row.sign === undefined) return lead + row.text;
  return lead + paint(`${row.sign} ${row.text}`, tones[row.sign], style);
}
