import { joinSections, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { listChangeParts } from "../views/change-parts.ts";
import { type DriftFamilyView, type DriftView, formatDriftRemark, getDriftRemark } from "../views/drift.ts";
import { paint } from "./ansi.ts";
import { fieldIndent, formatCountLines, formatPartLines } from "./family.ts";
import { formatHeaderLines, formatNoteLines } from "./plan.ts";

/** Drift for people. No newline at its end. */
export function renderDriftText(view: DriftView, style: Style): string {
  const verdict = wrap(view.summary, style.width).map((line) => paint(line, "strong", style));
  const hasDifferences = view.families.some(({ differences }) => differences.length > 0);
  return joinSections([
    formatHeaderLines(view.target, style),
    verdict,
    [...wrap(view.baseline, style.width), ...(view.legend === "" ? [] : wrap(view.legend, style.width))],
    ...view.families.map((family) => familyLines(family, style)),
    formatNoteLines(view.notes, style),
    // Again where a terminal leaves the reader's eye: a long one is read from its top.
    hasDifferences ? verdict : [],
  ]);
}

function familyLines({ title, inSyncCounts, differences }: DriftFamilyView, style: Style): readonly string[] {
  const differing = differences.length === 1 ? "1 differs, " : `${differences.length} differ, `;
  return [
    ...formatCountLines(title, [`${differences.length === 0 ? "" : differing}${inSyncCounts}`], style),
    ...listChangeParts(differences, style, getDriftRemark).flatMap((part) => {
      const [first] = part.items;
      const remark = formatDriftRemark(first, !part.hasRows);
      const remarks = wrap(remark, style.width - fieldIndent, 2).map((line) => paint(line, "strong", style));
      return formatPartLines(part, style, remarks, first.counts ? style : { ...style, color: false });
    }),
  ];
}
