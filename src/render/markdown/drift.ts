import { getNoun } from "../../families/index.ts";
import type { DriftDifference, DriftReport } from "../../model/drift.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { padSpaces } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { formatAuthor, formatBaseline, formatDriftSummary, formatMoved } from "../views/drift.ts";
import { formatPlace } from "../views/place.ts";
import { capitalise, groupByFamily } from "../views/words.ts";
import { fenceCode, formatCode } from "./code.ts";
import { formatServerLine } from "./plan.ts";

/** For all differences together: forges refuse comments of more than 65 536 characters. */
const spaceForDifferences = 50_000;
const style: Style = { color: false, width: 100, full: false, verbose: false };
const symbols = { create: "+", update: "~", delete: "-", leave: "?" } as const;

/** Drift as a comment or a summary of a job; names of users and servers are in code only. No newline at its end. */
export function renderDriftMarkdown(report: DriftReport): string {
  return [
    `${formatCode(report.target.name)}: **${formatDriftSummary(report)}**`,
    formatServerLine(report),
    formatCode(formatBaseline(report)),
    ...familyBlocks(report),
    ...(report.notes.length === 0 ? [] : [`Notes:\n\n${fenceCode("text", report.notes.map(escapeInvisible))}`]),
  ].join("\n\n");
}

function familyBlocks(report: DriftReport): readonly string[] {
  let space = spaceForDifferences;
  return groupByFamily(report).flatMap(({ family }) => {
    const differences = report.differences.filter(({ change }) => change.family === family);
    if (differences.length === 0) return [];
    const lines: string[] = [];
    let shown = 0;
    for (const difference of differences) {
      const text = differenceLines(difference);
      const size = text.reduce((sum, line) => sum + line.length + 1, 0);
      if (size > space) break;
      space -= size;
      shown++;
      lines.push(...text);
    }
    const left = differences.length - shown;
    if (left > 0) lines.push(`  ... ${left} more, too long for a comment: gate-sync drift --full shows them`);
    const summary = `<summary>${capitalise(getNoun(family, 2))}: ${differences.length}</summary>`;
    return [`<details>${summary}\n\n${fenceCode("diff", lines)}\n\n</details>`];
  });
}

/** The sign in the first column, where a diff has it. */
function differenceLines(difference: DriftDifference): readonly string[] {
  const { change } = difference;
  const place = change.origin === undefined ? "not declared" : formatPlace(change);
  const who = formatAuthor(difference);
  return [
    `${symbols[change.action]} ${formatName(change.name)}    (${place})`,
    `    ${[formatMoved(difference), ...(who === undefined ? [] : [who])].join("; ")}`,
    ...createChangeRows(change, 4, style).map(({ sign, indent, label, text }) =>
      `${(sign ?? " ") + padSpaces(indent - 1)}${label}${text}`.trimEnd(),
    ),
  ];
}
