import { getNoun } from "../../families/index.ts";
import type { Change } from "../../model/change.ts";
import type { DriftDifference, DriftReport } from "../../model/drift.ts";
import { formatName } from "../escape.ts";
import { flowItems, joinLines, measureWidth, padSpaces, spreadLine, wrap } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { countInSync, formatBaseline, formatDriftRemark, formatDriftSummary, getDriftFoldKey } from "../views/drift.ts";
import type { FoldedPart, SeveralItems } from "../views/fold.ts";
import { foldChanges, formatFiles, formatPartNames, formatPartTitle } from "../views/folded-changes.ts";
import { formatPlace } from "../views/place.ts";
import { capitalise, type FamilyChanges, groupByFamily } from "../views/words.ts";
import { paint } from "./ansi.ts";
import { formatRowLine, symbols, tones } from "./family.ts";
import { formatHeaderLines, formatNoteLines } from "./plan.ts";

const countsColumn = 17;
const nameIndent = 4;
const fieldIndent = 6;

/** Drift for people. The rows lead from live to declared, as a plan's do. No newline at its end. */
export function renderDriftText(report: DriftReport, style: Style): string {
  const sections = [
    formatHeaderLines(report, style),
    wrap(formatBaseline(report), style.width),
    ...groupByFamily(report).map((group) => familyLines(group, report.differences, style)),
    formatNoteLines(report.notes, style),
    wrap(formatDriftSummary(report), style.width).map((line) => paint(line, "strong", style)),
  ];
  return joinLines(
    sections.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ["", ...lines])),
  );
}

function familyLines(
  { family, changes }: FamilyChanges,
  all: readonly DriftDifference[],
  style: Style,
): readonly string[] {
  const differences = all.filter(({ change }) => change.family === family);
  const title = capitalise(getNoun(family, 2));
  const counts = [
    ...(differences.length === 0 ? [] : [`${differences.length} ${differences.length === 1 ? "differs" : "differ"}`]),
    `${countInSync(changes)} in sync`,
  ];
  const byChange = new Map(differences.map((difference) => [difference.change, difference]));
  const find = (change: Change) => byChange.get(change);
  const parts = foldChanges([...byChange.keys()], new Set(), style, (change) => getDriftFoldKey(find(change)));
  return [
    paint(title, "strong", style) + padSpaces(countsColumn - measureWidth(title)) + counts.join(", "),
    ...parts.flatMap((part) => {
      const difference = find(part.kind === "one" ? part.item : part.items[0]);
      return difference === undefined ? [] : differenceLines(difference, part, style);
    }),
  ];
}

/** @param part of which the difference is the first */
function differenceLines(difference: DriftDifference, part: FoldedPart<Change>, style: Style): readonly string[] {
  const { change, counts } = difference;
  const symbol = change.action === "leave" ? "?" : symbols[change.action];
  const tone = symbol === "?" ? "faint" : tones[symbol];
  const lead = `  ${paint(symbol, tone, style)} `;
  const rowStyle = counts ? style : { ...style, color: false };
  const remark = wrap(formatDriftRemark(difference, part), style.width - fieldIndent, 2);
  return [
    ...(part.kind === "one" ? oneLines(change, lead, style) : severalLines(part, lead, style)),
    ...remark.map((line) => padSpaces(fieldIndent) + paint(line, "strong", style)),
    ...(part.kind === "more"
      ? []
      : createChangeRows(change, fieldIndent, style).map((row) => formatRowLine(row, rowStyle))),
  ];
}

function oneLines(change: Change, lead: string, style: Style): readonly string[] {
  const place = change.origin === undefined ? "not declared" : formatPlace(change);
  return spreadLine(lead + formatName(change.name), paint(place, "faint", style), style.width);
}

function severalLines(part: SeveralItems<Change>, lead: string, style: Style): readonly string[] {
  const files = formatFiles(part.items) || "not declared";
  const names = flowItems(formatPartNames(part), ", ", style.width - nameIndent).map(
    (line) => padSpaces(nameIndent) + line,
  );
  return [...spreadLine(lead + formatPartTitle(part, style), paint(files, "faint", style), style.width), ...names];
}
