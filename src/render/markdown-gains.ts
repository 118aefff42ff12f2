import type { AccessDifferences, Statement } from "../model/access.ts";
import type { Plan } from "../model/plan.ts";
import { fenced } from "./code.ts";
import { visible } from "./escape.ts";
import { administeringFirst } from "./gain-order.ts";
import { accessCounts, affectedWords, enteringSign, enteringWords, saidOf } from "./gain-words.ts";

/** Characters that it may take, unless everything is to be shown. */
const room = 12_000;

/** Who gains and who loses, as a block of its own; none where it was not asked for. */
export function accessBlocks(
  plan: Pick<Plan, "access" | "changes" | "violations" | "lifted">,
  full: boolean,
): readonly string[] {
  const { access } = plan;
  if (!access) return [];
  const counts = accessCounts(access).join(", ");
  const nothing = access.untold.length > 0 ? "cannot tell" : "nobody gains or loses any";
  const title = `Access: **${counts === "" ? nothing : counts}**`;
  const blocks = linesOf(access, plan);
  const lines: string[] = [];
  let taken = 0;
  let left = 0;
  for (const block of blocks) {
    taken += block.join("\n").length + 1;
    if (full || taken <= room) lines.push(...block);
    else left += 1;
  }
  const rest = left === 0 ? [] : [`  and ${left} more: gate-sync plan --full`];
  const all = [...lines, ...rest];
  return all.length === 0 ? [title] : [`${title}\n\n${fenced("diff", all)}`];
}

/** A block for each that something is said of. */
function linesOf(
  { entering, statements, untold }: AccessDifferences,
  plan: Pick<Plan, "changes" | "violations" | "lifted">,
) {
  const { administering, others } = administeringFirst(statements, plan);
  const blockOf = (statement: Statement): readonly string[] => {
    const whom = affectedWords(statement.who);
    return saidOf(statement, plan).flatMap(({ sign, sentence, details = [] }) => [
      `${sign} ${whom} ${sentence}`,
      ...details.map((detail) => `    ${detail.join(" ")}`),
    ]);
  };
  return [
    ...administering.map(blockOf),
    ...entering.map((one) => [`${enteringSign(one)} ${enteringWords(one)}`]),
    ...others.map(blockOf),
    ...untold.map((why) => [`  cannot tell: ${visible(why)}`]),
  ];
}
