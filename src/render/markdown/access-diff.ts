import type { AccessDifferences } from "../../model/access.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import { type Block, formatUnchangedUnknown, groupIntoBlocks } from "../views/access-diff.ts";
import { formatAccessCounts, formatBlockedDiff, getBlockedSign } from "../views/access-statement.ts";
import { fenceCode } from "./code.ts";

/** Characters that it may take, unless everything is to be shown; of these, what pairs may take. */
const space = 12_000;
const spaceForPairs = 4_000;

type StatePair = Pick<Plan, "access" | "changes" | "violations" | "waived">;

/** The access diff, as blocks; none where it was not asked for. */
export function renderAccessBlocks(plan: StatePair, full: boolean): readonly string[] {
  const { access } = plan;
  if (!access) return [];
  const counts = formatAccessCounts(access).join(", ");
  const nothing = access.untold.length > 0 ? "unknown" : "no change";
  const title = `Access: **${counts === "" ? nothing : counts}**`;
  const { administering, others, pairs, unknown } = groupIntoBlocks(access, plan);
  const most = full ? Number.POSITIVE_INFINITY : space;
  const lines = [
    ...fitting([...administering, ...blockedLines(access), ...others].map(linesOf), most),
    ...fitting(unknown.map(linesOf), most / 4),
    ...formatUnchangedUnknown(access.unchanged).map((sentence) => `? ${sentence}`),
    ...access.untold.map((why) => `? unknown: ${escapeInvisible(why)}`),
  ];
  return [
    lines.length === 0 ? title : `${title}\n\n${fenceCode("diff", lines)}`,
    ...pairsBlock(pairs, full ? most : spaceForPairs),
  ];
}

/** Access that only pairs of principals have: folded, as readers look for single principals first. */
function pairsBlock(pairs: readonly Block[], most: number): readonly string[] {
  if (pairs.length === 0) return [];
  const count = `${pairs.length} ${pairs.length === 1 ? "change" : "changes"} for pairs of principals`;
  const summary = `<details><summary>Access: ${count}</summary>`;
  return [`${summary}\n\n${fenceCode("diff", fitting(pairs.map(linesOf), most))}\n\n</details>`];
}

/** As many as fit, and how many are left out. */
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

function blockedLines({ blockedDiff }: AccessDifferences): readonly Block[] {
  return blockedDiff.map((one) => ({
    who: "",
    reported: [{ sign: getBlockedSign(one), sentence: formatBlockedDiff(one) }],
  }));
}

function linesOf({ who, reported }: Block): readonly string[] {
  const whom = who === "" ? "" : `${who}: `;
  return reported.flatMap(({ sign, sentence, details = [] }) => [
    `${sign} ${whom}${sentence}`,
    ...details.map((detail) => `    ${detail}`),
  ]);
}
