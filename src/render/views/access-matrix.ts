import type { AccessDifference, DifferenceKind, Limits } from "../../model/access.ts";
import { formatName } from "../escape.ts";
import { formatRegion } from "./access-actions.ts";
import type { AccessBlock, AccessView } from "./access-diff.ts";
import type { AccessLine } from "./access-lines.ts";

/** Who (rows) gains or loses what, of which indices, tenants or of the cluster (columns). */
export interface AccessMatrix {
  readonly columns: readonly string[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  /** Principals whose lines are equal: `backend roles analysts and interns`. */
  readonly who: string;
  /** One list for each column. */
  readonly cells: readonly (readonly MatrixMark[])[];
}

/** What one line of the access diff is in a picture. */
export interface MatrixMark {
  readonly kind: MarkKind;
  /** `nothing`, `read`, `restricted read`, `write`, `manage`; of what is unknown, what it may be. */
  readonly before: string;
  readonly after: string;
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
  return { columns, rows: blocks.map((block) => createRow(block, columns)) };
}

/** All that are about principals, in the order in which they are shown. */
export function listAccessBlocks({ administering, others, pairs, unknown }: AccessView): readonly AccessBlock[] {
  return [...administering, ...others, ...pairs, ...unknown];
}

const cluster = "the cluster";
const everyIndex = "every index";
const tenant = "tenant ";

function createRow({ who, lines }: AccessBlock, columns: readonly string[]): MatrixRow {
  return {
    who,
    cells: columns.map((column) =>
      lines.filter((line) => listColumns(line).includes(column)).map((line) => createMark(line)),
    ),
  };
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

function createMark(line: AccessLine): MatrixMark {
  const { difference, sign, tenants = [] } = line;
  if (difference) return { kind: kinds[difference.kind], ...formatSides(difference), line };
  const most = (side: "before" | "after") =>
    (["write", "read", "unknown"] as const).find((level) => tenants.some((one) => one[side] === level)) ?? "nothing";
  return { kind: ofSigns[sign], before: most("before"), after: most("after"), line };
}

function formatSides(difference: AccessDifference): Pick<MatrixMark, "before" | "after"> {
  const { kind, before, after } = difference;
  const isNew = kind === "gained" || kind === "may-gain";
  const isGone = kind === "lost" || kind === "may-lose";
  return {
    before: isNew ? "nothing" : formatLevel(difference, before),
    after: isGone ? "nothing" : formatLevel(difference, after),
  };
}

/** The most that the actions allow, and how much of it is seen. */
function formatLevel({ level, actions }: AccessDifference, seen: Limits | undefined): string {
  const { examples } = actions;
  const holds = (prefix: string) => examples.some((action) => action.startsWith(prefix));
  if (level === "cluster")
    return holds("cluster:admin/") ? "administer" : holds("indices:data/write/") ? "write" : "use";
  if (holds("indices:admin/")) return "manage";
  if (holds("indices:data/write/")) return "write";
  if (!holds("indices:data/read/")) return "monitor";
  return seen !== undefined && seen.restricted !== "no" ? "restricted read" : "read";
}
