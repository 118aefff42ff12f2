import { groupItems } from "../../json/collections.ts";
import type { AffectedPrincipal, DifferenceKind, HeldLevel, LevelChange } from "../../model/access.ts";
import { formatName } from "../escape.ts";
import { formatRegion } from "./access-actions.ts";
import type { AccessBlock, AccessView } from "./access-diff.ts";
import type { AccessLine } from "./access-lines.ts";
import { formatAffected } from "./access-principals.ts";
import { formatLevels } from "./map-words.ts";

/** Who (rows) gains or loses what, of which indices, tenants or of the cluster (columns). */
export interface AccessMatrix {
  readonly columns: readonly string[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  /** Principals whose lines are equal, and what they hold besides: `backend roles analysts and interns`. */
  readonly who: string;
  readonly principals: readonly AffectedPrincipal[];
  /** One list for each column. */
  readonly cells: readonly (readonly MatrixMark[])[];
}

/** What one line of the access diff is in a picture. */
export interface MatrixMark {
  readonly kind: MarkKind;
  /** What is held before and after: `read → write`; `some actions` where the difference is of no level. */
  readonly text: string;
  readonly line: AccessLine;
}

/** `more`: more documents or fields are seen; `less`: fewer; `other`: others. */
export type MarkKind = "gained" | "lost" | "more" | "less" | "other" | "unknown";

export function createAccessMatrix(view: AccessView): AccessMatrix {
  const blocks = listAccessBlocks(view);
  const found = new Set(blocks.flatMap(({ lines }) => lines.flatMap(listColumns)));
  // Indices first, the widest before all others; then tenants, then the cluster.
  const rank = (column: string) =>
    column === cluster ? 3 : column.startsWith(tenant) ? 2 : column === everyIndex ? 0 : 1;
  const columns = [...found].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return { columns, rows: blocks.flatMap((block) => createRows(block, columns)) };
}

/** All that are about principals, in the order in which they are shown. */
export function listAccessBlocks({ administering, others, pairs, unknown }: AccessView): readonly AccessBlock[] {
  return [...administering, ...others, ...pairs, ...unknown];
}

const cluster = "the cluster";
const everyIndex = "every index";
const tenant = "tenant ";

/** Principals that gain the same may have held different things before: one row for each. */
function createRows({ who, principals, lines }: AccessBlock, columns: readonly string[]): readonly MatrixRow[] {
  const holders = principals.map((principal, at) => ({ principal, levels: lines.map((line) => line.levels?.[at]) }));
  const groups = groupItems(holders, ({ levels }) => JSON.stringify(levels));
  return groups.map((group) => {
    const own = group.map(({ principal }) => principal);
    const marks = lines.map((line, at) => ({ on: listColumns(line), mark: createMark(line, group[0].levels[at]) }));
    return {
      who: groups.length === 1 ? who : formatAffected(own),
      principals: own,
      cells: columns.map((column) => marks.filter(({ on }) => on.includes(column)).map(({ mark }) => mark)),
    };
  });
}

/** A line about several tenants is in several columns; one that is about neither has none. */
function listColumns({ difference, tenants = [] }: AccessLine): readonly string[] {
  if (!difference) return tenants.map((one) => `${tenant}${formatName(one.tenant)}`);
  return [difference.indices ? formatRegion(difference.indices) : cluster];
}

const kinds: Readonly<Record<DifferenceKind, MarkKind>> = {
  gained: "gained",
  lost: "lost",
  widened: "more",
  narrowed: "less",
  changed: "other",
  "may-gain": "unknown",
  "may-lose": "unknown",
  "may-change": "unknown",
};

const ofSigns = { "+": "gained", "-": "lost", "~": "other", "?": "unknown" } as const;

function createMark(line: AccessLine, levels: LevelChange | undefined): MatrixMark {
  const { difference, sign, tenants = [] } = line;
  if (difference) {
    const kind = kinds[difference.kind];
    const [before, after] = [formatHeld(levels?.before), formatHeld(levels?.after)];
    // Such as statistics, or one more kind of what was read before.
    const isOfNoLevel = before === after && (kind === "gained" || kind === "lost" || kind === "unknown");
    return { kind, text: isOfNoLevel ? "some actions" : `${before} → ${after}`, line };
  }
  const most = (side: "before" | "after") =>
    (["write", "read", "unknown"] as const).find((level) => tenants.some((one) => one[side] === level)) ?? "nothing";
  return { kind: ofSigns[sign], text: `${most("before")} → ${most("after")}`, line };
}

function formatHeld(levels: readonly HeldLevel[] = []): string {
  return levels.length === 0 ? "nothing" : formatLevels(levels);
}
