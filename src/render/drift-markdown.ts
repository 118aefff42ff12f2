import { nounOf } from "../families/index.ts";
import type { Difference, DriftReport } from "../model/drift.ts";
import { code, fenced } from "./code.ts";
import { authorLine, baselineLine, driftSummary, movedLine } from "./drift-words.ts";
import { visible, word } from "./escape.ts";
import { blanks } from "./layout.ts";
import { serverLine } from "./markdown.ts";
import { placeOf } from "./place.ts";
import { changeRows } from "./rows/change.ts";
import type { Style } from "./style.ts";
import { byFamily, capitalised } from "./words.ts";

/** Of all differences together: forges refuse what is longer than 65 536 with all that stands around it. */
const roomForDifferences = 50_000;
const style: Style = { color: false, width: 100, full: false, verbose: false };
const symbols = { create: "+", update: "~", delete: "-", leave: "?" } as const;

/** Drift as a comment or a summary of a job; whatever users or servers named stands in code only. No newline at its end. */
export function driftToMarkdown(report: DriftReport): string {
  return [
    `${code(report.target.name)}: **${driftSummary(report)}**`,
    serverLine(report),
    code(baselineLine(report)),
    ...familyBlocks(report),
    ...(report.notes.length === 0 ? [] : [`Notes:\n\n${fenced("text", report.notes.map(visible))}`]),
  ].join("\n\n");
}

function familyBlocks(report: DriftReport): readonly string[] {
  let room = roomForDifferences;
  return byFamily(report).flatMap(({ family }) => {
    const differences = report.differences.filter(({ change }) => change.family === family);
    if (differences.length === 0) return [];
    const lines: string[] = [];
    let shown = 0;
    for (const difference of differences) {
      const text = differenceLines(difference);
      const size = text.reduce((sum, line) => sum + line.length + 1, 0);
      if (size > room) break;
      room -= size;
      shown++;
      lines.push(...text);
    }
    const left = differences.length - shown;
    if (left > 0) lines.push(`  ... ${left} more, too long for a comment: gate-sync drift --full shows them`);
    const summary = `<summary>${capitalised(nounOf(family, 2))}: ${differences.length}</summary>`;
    return [`<details>${summary}\n\n${fenced("diff", lines)}\n\n</details>`];
  });
}

/** The sign in the first column, where a diff has it. */
function differenceLines(difference: Difference): readonly string[] {
  const { change } = difference;
  const place = change.origin === undefined ? "not declared" : placeOf(change);
  const who = authorLine(difference);
  return [
    `${symbols[change.action]} ${word(change.name)}    (${place})`,
    `    ${[movedLine(difference), ...(who === undefined ? [] : [who])].join("; ")}`,
    ...changeRows(change, 4, style).map(({ sign, indent, label, text }) =>
      `${(sign ?? " ") + blanks(indent - 1)}${label}${text}`.trimEnd(),
    ),
  ];
}
