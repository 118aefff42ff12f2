import type { Style } from "../style.ts";
import { listChangeParts } from "../views/change-parts.ts";
import { type DriftFamilyView, type DriftView, formatDriftRemark } from "../views/drift.ts";
import { foldBlock, formatPart, measureLines } from "./changes.ts";
import { formatCode } from "./code.ts";
import { renderWarningBlocks } from "./diagnostics.ts";
import { formatServerLine, renderNotes } from "./plan.ts";

/** For all differences together: forges refuse comments of more than 65 536 characters. */
const spaceForDifferences = 50_000;
const style: Style = { color: false, width: 100, full: false, verbose: false };

/** Drift as a comment or a summary of a job; names of users and servers are in code only. No newline at its end. */
export function renderDriftMarkdown(view: DriftView): string {
  return [
    `${formatCode(view.target.name)}: **${view.summary}**`,
    formatServerLine(view.target),
    formatCode(view.baseline),
    ...(view.legend === "" ? [] : [formatCode(view.legend)]),
    ...familyBlocks(view.families),
    ...renderNotes(view.notes),
    ...renderWarningBlocks(view.warnings),
  ].join("\n\n");
}

function familyBlocks(families: readonly DriftFamilyView[]): readonly string[] {
  let space = spaceForDifferences;
  return families.flatMap(({ title, differences }) => {
    if (differences.length === 0) return [];
    const lines: string[] = [];
    let shown = 0;
    for (const part of listChangeParts(differences, { ...style, full: true })) {
      const text = formatPart(part, style, [formatDriftRemark(part.items[0])]);
      const size = measureLines(text);
      if (size > space) break;
      space -= size;
      shown++;
      lines.push(...text);
    }
    const left = differences.length - shown;
    if (left > 0) lines.push(`  ... ${left} more, too long for a comment: gate-sync drift --full shows them`);
    return [foldBlock(`${title}: ${differences.length}`, lines)];
  });
}
