import type { AccessDifference, DifferenceKind } from "../../model/access.ts";
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
  /** `read`, `restricted read`, `write`, `manage`. */
  readonly level: string;
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
  const kind = difference ? kinds[difference.kind] : ofSigns[sign];
  const isWritten = tenants.some(({ before, after }) => before === "write" || after === "write");
  return { kind, level: difference ? formatLevel(difference) : isWritten ? "write" : "read", line };
}

/** The most that the actions allow. */
function formatLevel({ level, actions, kind, before, after }: AccessDifference): string {
  const { examples } = actions;
  const holds = (prefix: string) => examples.some((action) => action.startsWith(prefix));
  if (level === "cluster")
    return holds("cluster:admin/") ? "administer" : holds("indices:data/write/") ? "write" : "use";
  if (holds("indices:admin/")) return "manage";
  if (holds("indices:data/write/")) return "write";
  if (!holds("indices:data/read/")) return "monitor";
  const seen = kind === "lost" ? before : after;
  return seen !== undefined && seen.restricted !== "no" ? "restricted read" : "read";
}
