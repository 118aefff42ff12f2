import type { AccessView } from "../views/access-diff.ts";
import type { AccessLine } from "../views/access-lines.ts";
import { type AccessPart, listAccessParts } from "../views/access-parts.ts";
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
    ...fitting([...administering, ...blocked.map(withoutPrincipal), ...listAccessParts(others, full)], most),
    ...fitting(listAccessParts(unknown, full), most / 4),
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

type ShownBlock = Pick<AccessPart, "who" | "lines"> & Partial<Pick<AccessPart, "names" | "count">>;

function withoutPrincipal(line: AccessLine): ShownBlock {
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
    else left += block.count ?? 1;
  }
  return left === 0 ? shown : [...shown, `  and ${left} more: gate-sync plan --full`];
}

function linesOf({ who, lines, names = "" }: ShownBlock): readonly string[] {
  const whom = who === "" ? "" : `${who}: `;
  return lines.flatMap(({ sign, sentence, details }, at) => [
    `${sign} ${whom}${sentence}`,
    ...(at === 0 && names !== "" ? [`    ${names}`] : []),
    ...details.map((detail) => `    ${detail}`),
  ]);
}
