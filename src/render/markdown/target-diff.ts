import type { Style } from "../style.ts";
import { listChangeParts } from "../views/change-parts.ts";
import type { TargetDiffView } from "../views/target-diff.ts";
import { renderAccessBlocks } from "./access-diff.ts";
import { foldBlock, formatPart } from "./changes.ts";
import { formatCode } from "./code.ts";

/** As a comment or a summary of a job; names of users are in code only. No newline at its end. */
export function renderTargetDiffMarkdown(
  { summary, legend, emptied, families, access, closing }: TargetDiffView,
  full: boolean,
): string {
  const style: Style = { color: false, width: 100, full, verbose: false };
  return [
    `**${formatCode(summary)}**`,
    ...(legend === "" ? [] : [formatCode(legend)]),
    ...emptied.map(formatCode),
    ...families.map(({ title, counts, entries }) =>
      foldBlock(
        `${title}: ${counts}`,
        listChangeParts(entries, style).flatMap((part) =>
          formatPart(part, style, part.items.length === 1 ? part.items[0].places : []),
        ),
      ),
    ),
    ...(access ? renderAccessBlocks(access, full) : []),
    closing.map((note) => `* ${formatCode(note)}`).join("\n"),
  ].join("\n\n");
}
