import type { AccessDifferences } from "../../model/access.ts";
import type { Plan } from "../../model/plan.ts";
import { paint, type Tone } from "../ansi.ts";
import { visible } from "../escape.ts";
import { type Block, blocksOf, unchangedWords } from "../gain-order.ts";
import { type AccessSign, accessCounts, enteringSign, enteringWords, type Said, signCounts } from "../gain-words.ts";
import { blanks, flow, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { countsColumn } from "./family.ts";

/** More than this nobody reads at once. */
const mostBlocks = 30;
/** Each takes some lines, and restricts what a reader has seen of the role already. */
const mostPairs = 1;

const tones: Readonly<Record<AccessSign, Tone>> = { "+": "added", "-": "removed", "~": "changed", "?": "changed" };

type Told = Pick<Plan, "access" | "changes" | "violations" | "lifted">;

/** Who gains and who loses by a plan; nothing where it was not asked for. */
export function accessLines(plan: Told, style: Style): readonly string[] {
  const { access } = plan;
  return access ? [...titleLines(access, style), ...gainLines(access, plan, style)] : [];
}

/** The same without a title. */
export function gainLines(access: AccessDifferences, plan: Omit<Told, "access">, style: Style): readonly string[] {
  const { administering, others, pairs, unknown } = blocksOf(access, plan);
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
    ...access.entering.flatMap((one) => signed({ sign: enteringSign(one), sentence: enteringWords(one) }, 2, style)),
    ...shown(known),
    ...shown(shownPairs),
    ...(leftPairs.length > 0 ? wrap(`  ... ${pairsWords(leftPairs)} (--full)`, style.width, 4) : []),
    ...shown(doubted),
    ...(left > 0 ? [`  ... ${left} more (--full)`] : []),
    ...unchangedWords(access.unchanged).flatMap((sentence) => signed({ sign: "?", sentence }, 2, style)),
    ...access.untold.flatMap((why) => signed({ sign: "?", sentence: `unknown: ${visible(why)}` }, 2, style)),
  ];
}

/** `16 more for pairs of principals: 15 lost, 1 unknown`. */
function pairsWords(pairs: readonly Block[]): string {
  const signs = pairs.flatMap(({ said }) => said.map(({ sign }) => sign));
  return `${pairs.length} more for pairs of principals: ${signCounts(signs).join(", ")}`;
}

function titleLines(access: AccessDifferences, style: Style): readonly string[] {
  const counts = accessCounts(access);
  const nothing = [access.untold.length > 0 ? "unknown" : "no change"];
  const [first = "", ...rest] = flow(counts.length > 0 ? counts : nothing, ", ", style.width - countsColumn);
  return [
    paint("Access", "strong", style) + blanks(countsColumn - "Access".length) + first,
    ...rest.map((line) => blanks(countsColumn) + line),
  ];
}

/** One thing in one sentence; several under the names of those whom they are about. */
function blockLines({ who, said }: Block, style: Style): readonly string[] {
  const [only] = said;
  if (only && said.length === 1) return signed({ ...only, sentence: `${who}: ${only.sentence}` }, 2, style);
  return [
    ...wrap(who, style.width - 4, 2).map((line) => blanks(4) + paint(line, "strong", style)),
    ...said.flatMap((one) => signed(one, 6, style)),
  ];
}

function signed({ sign, sentence, details = [] }: Said, indent: number, style: Style): readonly string[] {
  return [
    ...wrap(sentence, style.width - indent - 2, 2).map(
      (line, at) => blanks(indent) + (at === 0 ? `${paint(sign, tones[sign], style)} ` : "  ") + line,
    ),
    ...details.flatMap((detail) =>
      wrap(detail, style.width - indent - 4, 2).map((line) => blanks(indent + 4) + paint(line, "faint", style)),
    ),
  ];
}
