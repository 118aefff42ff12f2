import { flowItems, padSpaces, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { type AccessBlock, type AccessView, formatSignCounts } from "../views/access-diff.ts";
import type { AccessLine, AccessSign } from "../views/access-lines.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatCountLines, getSpaceForCounts } from "./family.ts";

/** More than this is too much to read at once. */
const mostBlocks = 30;
/** Each takes some lines, and restricts what a reader has seen of the role already. */
const mostPairs = 1;

const tones: Readonly<Record<AccessSign, Tone>> = { "+": "added", "-": "removed", "~": "changed", "?": "changed" };

export function formatAccessLines(view: AccessView, style: Style): readonly string[] {
  const counts = flowItems(view.counts, ", ", getSpaceForCounts(style));
  return [...formatCountLines("Access", counts, style), ...formatAccessDiffLines(view, style)];
}

/** The same without a title. */
export function formatAccessDiffLines(view: AccessView, style: Style): readonly string[] {
  const { administering, others, pairs, unknown } = view;
  const most = style.full ? Number.POSITIVE_INFINITY : mostBlocks;
  const first = administering.slice(0, most);
  const shownPairs = style.full ? pairs : pairs.slice(0, mostPairs);
  const known = others.slice(0, Math.max(0, most - first.length));
  const shownUnknown = unknown.slice(0, Math.max(1, most - first.length - known.length));
  const shown = first.length + known.length + shownUnknown.length;
  const left = administering.length + others.length + unknown.length - shown;
  const leftPairs = pairs.slice(shownPairs.length);
  const linesOf = (blocks: readonly AccessBlock[]) => blocks.flatMap((block) => blockLines(block, style));
  return [
    ...linesOf(first),
    ...view.blocked.flatMap((line) => signedLines(line, 2, style)),
    ...linesOf(known),
    ...linesOf(shownPairs),
    ...(leftPairs.length > 0 ? wrap(`  ... ${countPairs(leftPairs)} (--full)`, style.width, 4) : []),
    ...linesOf(shownUnknown),
    ...(left > 0 ? [`  ... ${left} more (--full)`] : []),
    ...view.closing.flatMap((line) => signedLines(line, 2, style)),
  ];
}

/** `16 more for pairs of principals: 15 lost, 1 unknown`. */
function countPairs(pairs: readonly AccessBlock[]): string {
  const counts = formatSignCounts(pairs.flatMap(({ lines }) => lines));
  return `${pairs.length} more for pairs of principals: ${counts.join(", ")}`;
}

/** One thing in one sentence; several under the names of those whom they are about. */
function blockLines({ who, lines }: AccessBlock, style: Style): readonly string[] {
  const [only] = lines;
  if (only && lines.length === 1) return signedLines({ ...only, sentence: `${who}: ${only.sentence}` }, 2, style);
  return [
    ...wrap(who, style.width - 4, 2).map((line) => padSpaces(4) + paint(line, "strong", style)),
    ...lines.flatMap((line) => signedLines(line, 6, style)),
  ];
}

function signedLines({ sign, sentence, details }: AccessLine, indent: number, style: Style): readonly string[] {
  return [
    ...wrap(sentence, style.width - indent - 2, 2).map(
      (line, at) => padSpaces(indent) + (at === 0 ? `${paint(sign, tones[sign], style)} ` : "  ") + line,
    ),
    ...details.flatMap((detail) =>
      wrap(detail, style.width - indent - 4, 2).map((line) => padSpaces(indent + 4) + paint(line, "faint", style)),
    ),
  ];
}
