import type { AccessDifferences } from "../../model/access.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import { flowItems, padSpaces, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { type Block, formatUnchangedUnknown, groupIntoBlocks } from "../views/access-diff.ts";
import {
  type AccessSign,
  formatAccessCounts,
  formatBlockedDiff,
  formatSignCounts,
  getBlockedSign,
  type ReportedStatement,
} from "../views/access-statement.ts";
import { paint, type Tone } from "./ansi.ts";
import { countsColumn } from "./family.ts";

/** More than this is too much to read at once. */
const mostBlocks = 30;
/** Each takes some lines, and restricts what a reader has seen of the role already. */
const mostPairs = 1;

const tones: Readonly<Record<AccessSign, Tone>> = { "+": "added", "-": "removed", "~": "changed", "?": "changed" };

type Explained = Pick<Plan, "access" | "changes" | "violations" | "waived">;

/** The access diff of a plan; empty where it was not asked for. */
export function formatAccessLines(plan: Explained, style: Style): readonly string[] {
  const { access } = plan;
  return access ? [...titleLines(access, style), ...formatAccessDiffLines(access, plan, style)] : [];
}

/** The same without a title. */
export function formatAccessDiffLines(
  access: AccessDifferences,
  plan: Omit<Explained, "access">,
  style: Style,
): readonly string[] {
  const { administering, others, pairs, unknown } = groupIntoBlocks(access, plan);
  const most = style.full ? Number.POSITIVE_INFINITY : mostBlocks;
  const first = administering.slice(0, most);
  const shownPairs = style.full ? pairs : pairs.slice(0, mostPairs);
  const known = others.slice(0, Math.max(0, most - first.length));
  const doubted = unknown.slice(0, Math.max(1, most - first.length - known.length));
  const left = administering.length - first.length + others.length - known.length + unknown.length - doubted.length;
  const leftPairs = pairs.slice(shownPairs.length);
  const shown = (blocks: readonly Block[]) => blocks.flatMap((block) => blockLines(block, style));
  return [
    ...shown(first),
    ...access.blockedDiff.flatMap((one) =>
      signed({ sign: getBlockedSign(one), sentence: formatBlockedDiff(one) }, 2, style),
    ),
    ...shown(known),
    ...shown(shownPairs),
    ...(leftPairs.length > 0 ? wrap(`  ... ${pairsWords(leftPairs)} (--full)`, style.width, 4) : []),
    ...shown(doubted),
    ...(left > 0 ? [`  ... ${left} more (--full)`] : []),
    ...formatUnchangedUnknown(access.unchanged).flatMap((sentence) => signed({ sign: "?", sentence }, 2, style)),
    ...access.untold.flatMap((why) => signed({ sign: "?", sentence: `unknown: ${escapeInvisible(why)}` }, 2, style)),
  ];
}

/** `16 more for pairs of principals: 15 lost, 1 unknown`. */
function pairsWords(pairs: readonly Block[]): string {
  const signs = pairs.flatMap(({ reported }) => reported.map(({ sign }) => sign));
  return `${pairs.length} more for pairs of principals: ${formatSignCounts(signs).join(", ")}`;
}

function titleLines(access: AccessDifferences, style: Style): readonly string[] {
  const counts = formatAccessCounts(access);
  const nothing = [access.untold.length > 0 ? "unknown" : "no change"];
  const [first = "", ...rest] = flowItems(counts.length > 0 ? counts : nothing, ", ", style.width - countsColumn);
  return [
    paint("Access", "strong", style) + padSpaces(countsColumn - "Access".length) + first,
    ...rest.map((line) => padSpaces(countsColumn) + line),
  ];
}

/** One thing in one sentence; several under the names of those whom they are about. */
function blockLines({ who, reported }: Block, style: Style): readonly string[] {
  const [only] = reported;
  if (only && reported.length === 1) return signed({ ...only, sentence: `${who}: ${only.sentence}` }, 2, style);
  return [
    ...wrap(who, style.width - 4, 2).map((line) => padSpaces(4) + paint(line, "strong", style)),
    ...reported.flatMap((one) => signed(one, 6, style)),
  ];
}

function signed({ sign, sentence, details = [] }: ReportedStatement, indent: number, style: Style): readonly string[] {
  return [
    ...wrap(sentence, style.width - indent - 2, 2).map(
      (line, at) => padSpaces(indent) + (at === 0 ? `${paint(sign, tones[sign], style)} ` : "  ") + line,
    ),
    ...details.flatMap((detail) =>
      wrap(detail, style.width - indent - 4, 2).map((line) => padSpaces(indent + 4) + paint(line, "faint", style)),
    ),
  ];
}
