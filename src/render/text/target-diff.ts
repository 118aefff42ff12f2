import { joinSections, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { listChangeParts } from "../views/change-parts.ts";
import type { TargetDiffView } from "../views/target-diff.ts";
import { formatAccessLines } from "./access-diff.ts";
import { paint } from "./ansi.ts";
import { formatCountLines, formatPartLines } from "./family.ts";

/** No newline at its end. */
export function renderTargetDiffText(view: TargetDiffView, style: Style): string {
  const { summary, legend, emptied, families, access, closing } = view;
  return joinSections([
    [
      ...wrap(summary, style.width).map((line) => paint(line, "strong", style)),
      ...(legend === "" ? [] : wrap(legend, style.width)),
      ...emptied.flatMap((sentence) => wrap(sentence, style.width, 2)),
    ],
    ...families.map(({ title, counts, entries }) => [
      ...formatCountLines(title, [counts], style),
      ...listChangeParts(entries, style).flatMap((part) =>
        formatPartLines(part, style, part.items.length === 1 ? part.items[0].places : []),
      ),
    ]),
    ...(access ? [formatAccessLines(access, style)] : []),
    closing.flatMap((note) => wrapIndented(note, 0, style.width, 2)).map((line) => paint(line, "faint", style)),
  ]);
}
