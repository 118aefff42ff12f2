import { nounOf } from "../../families/index.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { Address } from "../../model/names.ts";
import { paint, type Tone } from "../ansi.ts";
import { word } from "../escape.ts";
import type { Part, Several } from "../fold.ts";
import { filesOf, foldChanges, partNames, partTitle } from "../folded-changes.ts";
import { blanks, flow, spread, widthOf } from "../layout.ts";
import { placeOf } from "../place.ts";
import { changeRows } from "../rows/change.ts";
import type { Row, Sign } from "../rows/row.ts";
import type { Style } from "../style.ts";
import {
  capitalised,
  type FamilyChanges,
  isOdd,
  pendingCounts,
  quietCounts,
  reasonWords,
  unknownWords,
} from "../words.ts";

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
export function* familyLines(
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
  const title = capitalised(nounOf(family, 2));
  const counts = [pendingCounts(changes), quietCounts(changes)].filter((part) => part !== "");
  const line = counts.join("; ");
  const [first = "", ...rest] = widthOf(line) <= style.width - countsColumn ? [line] : counts;
  return [
    paint(title, "strong", style) + blanks(countsColumn - widthOf(title)) + first,
    ...rest.map((line) => blanks(countsColumn) + line),
  ];
}

function pendingLines(part: Part<Change>, style: Style): readonly string[] {
  const change = part.kind === "one" ? part.item : part.items[0];
  if (change.action === "leave") return [];
  const symbol = symbols[change.action];
  const lead = `  ${paint(symbol, tones[symbol], style)} `;
  if (part.kind !== "one") {
    const right = change.action === "delete" ? reasonWords[change.reason] : filesOf(part.items);
    return severalLines(part, lead, right, style);
  }
  const right = change.action === "delete" ? reasonWords[change.reason] : placeOf(change);
  return [...spread(lead + word(change.name), paint(right, "faint", style), style.width), ...fieldLines(change, style)];
}

/** `?` marks what differs, or may differ, and is left as it is; what applying it would do is shown all the same. */
function oddLines(part: Part<Change>, style: Style): readonly string[] {
  const change = part.kind === "one" ? part.item : part.items[0];
  const right =
    change.reason === "cannot-tell"
      ? "cannot tell whether the server has it: not written"
      : change.edits.length === 0
        ? unknownWords
        : `${differenceOf(change)}, ${reasonWords[change.reason]}`;
  if (part.kind !== "one") return severalLines(part, "  ? ", right, style);
  return [...spread(`  ? ${word(change.name)}`, right, style.width), ...fieldLines(change, style)];
}

/** How many, which, and what is done to all of them. */
function severalLines(part: Several<Change>, lead: string, right: string, style: Style): readonly string[] {
  const names = flow(partNames(part), ", ", style.width - nameIndent).map((line) => blanks(nameIndent) + line);
  return [
    ...spread(lead + partTitle(part, style), paint(right, "faint", style), style.width),
    ...names,
    ...(part.kind === "alike" ? fieldLines(part.items[0], style) : []),
  ];
}

function fieldLines(change: Change, style: Style): readonly string[] {
  return changeRows(change, fieldIndent, style).map((row) => rowLine(row, style));
}

function differenceOf({ before, after }: Change): string {
  if (after === undefined) return "not declared";
  return before === undefined ? "not on the server" : "differs";
}

function isLeftAlone(change: Change): boolean {
  return !isPending(change) && !isOdd(change) && change.reason !== "in-sync";
}

/** Only by name: what is in them is nobody's business here. */
function leftLines(change: Change, style: Style): readonly string[] {
  return spread(`    ${word(change.name)}`, reasonWords[change.reason], style.width).map((line) =>
    paint(line, "faint", style),
  );
}

export function rowLine(row: Row, style: Style): string {
  const lead = blanks(row.indent) + row.label;
  if (row.sign === undefined) return lead + row.text;
  return lead + paint(`${row.sign} ${row.text}`, tones[row.sign], style);
}
