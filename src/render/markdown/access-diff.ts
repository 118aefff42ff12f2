import type { AccessBlock, AccessView } from "../views/access-diff.ts";
import { foldBlock } from "./changes.ts";
import { fenceCode } from "./code.ts";

/** Characters that it may take, unless everything is to be shown; of these, what pairs may take. */
const space = 12_000;
const spaceForPairs = 4_000;

/** The access diff, as blocks. */
export function renderAccessBlocks(view: AccessView, full: boolean): readonly string[] {
  const { administering, blocked, others, pairs, unknown, closing } = view;
  const most = full ? Number.POSITIVE_INFINITY : space;
  const lines = [
    ...fitting([...administering, ...blocked.map(withoutPrincipal), ...others], most),
    ...fitting(unknown, most / 4),
    ...closing.map(withoutPrincipal).flatMap(linesOf),
  ];
  const title = `Access: **${view.counts.join(", ")}**`;
  const count = `${pairs.length} ${pairs.length === 1 ? "change" : "changes"} for pairs of principals`;
  return [
    lines.length === 0 ? title : `${title}\n\n${fenceCode("diff", lines)}`,
    // Folded, as readers look for single principals first.
    ...(pairs.length === 0 ? [] : [foldBlock(`Access: ${count}`, fitting(pairs, full ? most : spaceForPairs))]),
  ];
}

type ShownBlock = Pick<AccessBlock, "who" | "lines">;

function withoutPrincipal(line: AccessBlock["lines"][number]): ShownBlock {
  return { who: "", lines: [line] };
}

/** As many as fit, and how many are left out. */
function fitting(blocks: readonly ShownBlock[], most: number): readonly string[] {
  const shown: string[] = [];
  let taken = 0;
  let left = 0;
  for (const block of blocks) {
    const lines = linesOf(block);
    taken += lines.join("\n").length + 1;
    if (taken <= most) shown.push(...lines);
    else left += 1;
  }
  return left === 0 ? shown : [...shown, `  and ${left} more: gate-sync plan --full`];
}

function linesOf({ who, lines }: ShownBlock): readonly string[] {
  const whom = who === "" ? "" : `${who}: `;
  return lines.flatMap(({ sign, sentence, details }) => [
    `${sign} ${whom}${sentence}`,
    ...details.map((detail) => `    ${detail}`),
  ]);
}
