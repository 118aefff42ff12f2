import { flowItems, padSpaces, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { type AccessBlock, type AccessView, formatSignCounts } from "../views/access-diff.ts";
import type { AccessSign } from "../views/access-lines.ts";
import { type AccessPart, listAccessParts } from "../views/access-parts.ts";
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
  const { administering, pairs } = view;
  const [others, unknown] = [view.others, view.unknown].map((blocks) => listAccessParts(blocks, style.full)) as [
    readonly AccessPart[],
    readonly AccessPart[],
  ];
  const most = style.full ? Number.POSITIVE_INFINITY : mostBlocks;
  const first = administering.slice(0, most);
  const shownPairs = style.full ? pairs : pairs.slice(0, mostPairs);
  const known = others.slice(0, Math.max(0, most - first.length));
  const shownUnknown = unknown.slice(0, Math.max(1, most - first.length - known.length));
  const hidden = [...others.slice(known.length), ...unknown.slice(shownUnknown.length)];
  const left = administering.length - first.length + hidden.reduce((sum, { count }) => sum + count, 0);
  const leftPairs = pairs.slice(shownPairs.length);
  const linesOf = (blocks: readonly AccessBlock[]) => partLines(listAccessParts(blocks, true), style);
  return [
    ...linesOf(first),
    ...view.blocked.flatMap((line) => signedLines(line, 2, style)),
    ...partLines(known, style),
    ...linesOf(shownPairs),
    ...(leftPairs.length > 0 ? wrap(`  ... ${countPairs(leftPairs)} (--full)`, style.width, 4) : []),
    ...partLines(shownUnknown, style),
    ...(left > 0 ? [`  ... ${left} more (--full)`] : []),
    ...view.closing.flatMap((line) => signedLines(line, 2, style)),
  ];
}

/** `16 more for pairs of principals: 15 lost, 1 unknown`. */
function countPairs(pairs: readonly AccessBlock[]): string {
  const counts = formatSignCounts(pairs.flatMap(({ lines }) => lines));
  return `${pairs.length} more for pairs of principals: ${counts.join(", ")}`;
}

function partLines(parts: readonly AccessPart[], style: Style): readonly string[] {
  return parts.flatMap((part) => listPartLines(part, style));
}

/** One thing in one sentence; several under the names of those whom they are about. */
function listPartLines({ who, lines, names }: AccessPart, style: Style): readonly string[] {
  const [only] = lines;
  const named = names === "" ? [] : [names];
  if (only && lines.length === 1) {
    const { sign, sentence, details } = only;
    return signedLines({ sign, sentence: `${who}: ${sentence}`, details: [...named, ...details] }, 2, style);
  }
  return [
    ...wrap(who, style.width - 4, 2).map((line) => padSpaces(4) + paint(line, "strong", style)),
    ...named
      .flatMap((line) => wrap(line, style.width - 6, 2))
      .map((line) => padSpaces(6) + paint(line, "faint", style)),
    ...lines.flatMap((line) => signedLines(line, 6, style)),
  ];
}

function signedLines(
  { sign, sentence, details }: AccessPart["lines"][number],
  indent: number,
  style: Style,
): readonly string[] {
  return [
    ...wrap(sentence, style.width - indent - 2, 2).map(
      (line, at) => padSpaces(indent) + (at === 0 ? `${paint(sign, tones[sign], style)} ` : "  ") + line,
    ),
    ...details.flatMap((detail) =>
      wrap(detail, style.width - indent - 4, 2).map((line) => padSpaces(indent + 4) + paint(line, "faint", style)),
    ),
  ];
}
