import { nounOf } from "../../families/index.ts";
import { type Change, isPending } from "../../model/change.ts";
import { paint, type Tone } from "../ansi.ts";
import { word } from "../escape.ts";
import { blanks, spread, widthOf } from "../layout.ts";
import { placeOf } from "../place.ts";
import { changeRows } from "../rows/change.ts";
import type { Row, Sign } from "../rows/row.ts";
import type { Style } from "../style.ts";
import { capitalised, type FamilyChanges, isOdd, pendingCounts, quietCounts, reasonWords } from "../words.ts";

/** Where counts begin: as wide as the longest name of a family, and a gap. */
const countsColumn = 17;
const fieldIndent = 6;

export const symbols = { create: "+", update: "~", delete: "-" } as const;
export const tones: Readonly<Record<Sign, Tone | undefined>> = {
  "+": "added",
  "-": "removed",
  "~": "changed",
  "=": "faint",
  " ": undefined,
};

/** One family: its counts, then each change with its fields. */
export function familyLines({ family, changes }: FamilyChanges, style: Style): readonly string[] {
  const title = capitalised(nounOf(family, 2));
  const counts = [pendingCounts(changes), quietCounts(changes)].filter((part) => part !== "");
  const line = counts.join("; ");
  const [first = "", ...rest] = widthOf(line) <= style.width - countsColumn ? [line] : counts;
  return [
    paint(title, "strong", style) + blanks(countsColumn - widthOf(title)) + first,
    ...rest.map((line) => blanks(countsColumn) + line),
    ...changes.filter(isPending).flatMap((change) => pendingLines(change, style)),
    ...changes.filter(isOdd).flatMap((change) => oddLines(change, style)),
    ...(style.verbose ? changes.filter(isLeftAlone).flatMap((change) => leftLines(change, style)) : []),
  ];
}

function pendingLines(change: Change, style: Style): readonly string[] {
  if (change.action === "leave") return [];
  const symbol = symbols[change.action];
  const name = `  ${paint(symbol, tones[symbol], style)} ${word(change.name)}`;
  const right = change.action === "delete" ? reasonWords[change.reason] : placeOf(change);
  return [
    ...spread(name, paint(right, "faint", style), style.width),
    ...changeRows(change, fieldIndent, style).map((row) => rowLine(row, style)),
  ];
}

/** `?` marks what differs, or may differ, and is left as it is; what applying it would do is shown all the same. */
function oddLines(change: Change, style: Style): readonly string[] {
  const right =
    change.reason === "cannot-tell"
      ? "cannot tell whether the server has it: not written"
      : `${differenceOf(change)}, ${reasonWords[change.reason]}`;
  const colourless = { ...style, color: false };
  return [
    ...spread(`  ? ${word(change.name)}`, right, style.width),
    ...changeRows(change, fieldIndent, style).map((row) => rowLine(row, colourless)),
  ].map((line) => paint(line, "faint", style));
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
