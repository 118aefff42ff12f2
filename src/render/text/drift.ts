import { nounOf } from "../../families/index.ts";
import type { Change } from "../../model/change.ts";
import type { Difference, DriftReport } from "../../model/drift.ts";
import { paint } from "../ansi.ts";
import { baselineLine, driftSummary, foldedBy, inSyncCount, remarkOf } from "../drift-words.ts";
import { word } from "../escape.ts";
import type { Part, Several } from "../fold.ts";
import { filesOf, foldChanges, partNames, partTitle } from "../folded-changes.ts";
import { blanks, flow, joined, spread, widthOf, wrap } from "../layout.ts";
import { placeOf } from "../place.ts";
import { changeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { byFamily, capitalised, type FamilyChanges } from "../words.ts";
import { rowLine, symbols, tones } from "./family.ts";
import { headerLines, noteLines } from "./plan.ts";

const countsColumn = 17;
const nameIndent = 4;
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
  const byChange = new Map(differences.map((difference) => [difference.change, difference]));
  const find = (change: Change) => byChange.get(change);
  const parts = foldChanges([...byChange.keys()], new Set(), style, (change) => foldedBy(find(change)));
  return [
    paint(title, "strong", style) + blanks(countsColumn - widthOf(title)) + counts.join(", "),
    ...parts.flatMap((part) => {
      const difference = find(part.kind === "one" ? part.item : part.items[0]);
      return difference === undefined ? [] : differenceLines(difference, part, style);
    }),
  ];
}

/** @param part of which the difference is the first */
function differenceLines(difference: Difference, part: Part<Change>, style: Style): readonly string[] {
  const { change, counts } = difference;
  const symbol = change.action === "leave" ? "?" : symbols[change.action];
  const tone = symbol === "?" ? "faint" : tones[symbol];
  const lead = `  ${paint(symbol, tone, style)} `;
  const rowStyle = counts ? style : { ...style, color: false };
  const remark = wrap(remarkOf(difference, part), style.width - fieldIndent, 2);
  return [
    ...(part.kind === "one" ? oneLines(change, lead, style) : severalLines(part, lead, style)),
    ...remark.map((line) => blanks(fieldIndent) + paint(line, "strong", style)),
    ...(part.kind === "more" ? [] : changeRows(change, fieldIndent, style).map((row) => rowLine(row, rowStyle))),
  ];
}

function oneLines(change: Change, lead: string, style: Style): readonly string[] {
  const place = change.origin === undefined ? "not declared" : placeOf(change);
  return spread(lead + word(change.name), paint(place, "faint", style), style.width);
}

function severalLines(part: Several<Change>, lead: string, style: Style): readonly string[] {
  const files = filesOf(part.items) || "not declared";
  const names = flow(partNames(part), ", ", style.width - nameIndent).map((line) => blanks(nameIndent) + line);
  return [...spread(lead + partTitle(part, style), paint(files, "faint", style), style.width), ...names];
}
