import type { AccessDifferences } from "../model/access.ts";
import type { Plan } from "../model/plan.ts";
import { fenced } from "./code.ts";
import { visible } from "./escape.ts";
import { type Block, blocksOf, unchangedWords } from "./gain-order.ts";
import { accessCounts, enteringSign, enteringWords } from "./gain-words.ts";

/** Characters that it may take, unless everything is to be shown; of these, what pairs may take. */
const room = 12_000;
const roomForPairs = 4_000;

type Around = Pick<Plan, "access" | "changes" | "violations" | "lifted">;

/** Who gains and who loses, as blocks; none where it was not asked for. */
export function accessBlocks(plan: Around, full: boolean): readonly string[] {
  const { access } = plan;
  if (!access) return [];
  const counts = accessCounts(access).join(", ");
  const nothing = access.untold.length > 0 ? "unknown" : "no change";
  const title = `Access: **${counts === "" ? nothing : counts}**`;
  const { administering, others, pairs, unknown } = blocksOf(access, plan);
  const most = full ? Number.POSITIVE_INFINITY : room;
  const lines = [
    ...fitting([...administering, ...enteringLines(access), ...others].map(linesOf), most),
    ...fitting(unknown.map(linesOf), most / 4),
    ...unchangedWords(access.unchanged).map((sentence) => `? ${sentence}`),
    ...access.untold.map((why) => `? unknown: ${visible(why)}`),
  ];
  return [
    lines.length === 0 ? title : `${title}\n\n${fenced("diff", lines)}`,
    ...pairsBlock(pairs, full ? most : roomForPairs),
  ];
}

/** Access that nobody has by one principal alone: not what a reader wants to see first. */
function pairsBlock(pairs: readonly Block[], most: number): readonly string[] {
  if (pairs.length === 0) return [];
  const count = `${pairs.length} ${pairs.length === 1 ? "change" : "changes"} for pairs of principals`;
  const summary = `<details><summary>Access: ${count}</summary>`;
  return [`${summary}\n\n${fenced("diff", fitting(pairs.map(linesOf), most))}\n\n</details>`];
}

/** As many as there is room for, and how many are left. */
function fitting(blocks: readonly (readonly string[])[], most: number): readonly string[] {
  const lines: string[] = [];
  let taken = 0;
  let left = 0;
  for (const block of blocks) {
    taken += block.join("\n").length + 1;
    if (taken <= most) lines.push(...block);
    else left += 1;
  }
  return left === 0 ? lines : [...lines, `  and ${left} more: gate-sync plan --full`];
}

function enteringLines({ entering }: AccessDifferences): readonly Block[] {
  return entering.map((one) => ({ who: "", said: [{ sign: enteringSign(one), sentence: enteringWords(one) }] }));
}

function linesOf({ who, said }: Block): readonly string[] {
  const whom = who === "" ? "" : `${who}: `;
  return said.flatMap(({ sign, sentence, details = [] }) => [
    `${sign} ${whom}${sentence}`,
    ...details.map((detail) => `    ${detail}`),
  ]);
}
