import { nounOf } from "../../families/index.ts";
import type { Difference, DriftReport } from "../../model/drift.ts";
import { paint } from "../ansi.ts";
import { authorLine, baselineLine, driftSummary, inSyncCount, movedLine } from "../drift-words.ts";
import { word } from "../escape.ts";
import { blanks, joined, spread, widthOf, wrap } from "../layout.ts";
import { placeOf } from "../place.ts";
import { changeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { byFamily, capitalised, type FamilyChanges } from "../words.ts";
import { rowLine, symbols, tones } from "./family.ts";
import { headerLines, noteLines } from "./plan.ts";

const countsColumn = 17;
const fieldIndent = 6;

/** Drift for people. The rows lead from live to declared, as a plan's do. No newline at its end. */
export function driftToText(report: DriftReport, style: Style): string {
  const sections = [
    headerLines(report, style),
    wrap(baselineLine(report), style.width),
    ...byFamily(report).map((group) => familyLines(group, report.differences, style)),
    noteLines(report.notes, style),
    wrap(driftSummary(report), style.width).map((line) => paint(line, "strong", style)),
  ];
  return joined(
    sections.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ["", ...lines])),
  );
}

function familyLines({ family, changes }: FamilyChanges, all: readonly Difference[], style: Style): readonly string[] {
  const differences = all.filter(({ change }) => change.family === family);
  const title = capitalised(nounOf(family, 2));
  const counts = [
    ...(differences.length === 0 ? [] : [`${differences.length} ${differences.length === 1 ? "differs" : "differ"}`]),
    `${inSyncCount(changes)} in sync`,
  ];
  return [
    paint(title, "strong", style) + blanks(countsColumn - widthOf(title)) + counts.join(", "),
    ...differences.flatMap((difference) => differenceLines(difference, style)),
  ];
}

function differenceLines(difference: Difference, style: Style): readonly string[] {
  const { change, counts } = difference;
  const symbol = change.action === "leave" ? "?" : symbols[change.action];
  const tone = symbol === "?" ? "faint" : tones[symbol];
  const who = authorLine(difference);
  const place = change.origin === undefined ? "not declared" : placeOf(change);
  const remark = [movedLine(difference), ...(who === undefined ? [] : [who])].join("; ");
  return [
    ...spread(`  ${paint(symbol, tone, style)} ${word(change.name)}`, paint(place, "faint", style), style.width),
    ...wrap(remark, style.width - fieldIndent, 2).map((line) => blanks(fieldIndent) + paint(line, "strong", style)),
    ...changeRows(change, fieldIndent, style).map((row) => rowLine(row, counts ? style : { ...style, color: false })),
  ];
}
