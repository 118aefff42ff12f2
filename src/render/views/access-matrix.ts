import { groupItems } from "../../json/collections.ts";
import type { AffectedPrincipal, DifferenceKind, HeldLevel, LevelChange } from "../../model/access.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { formatRegion } from "./access-actions.ts";
import type { AccessBlock, AccessView } from "./access-diff.ts";
import type { AccessLine } from "./access-lines.ts";
import { formatAffected } from "./access-principals.ts";
import { formatLevels } from "./map-words.ts";
import type { ViolationView } from "./violation.ts";

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

/** What one line of the access diff is in a picture, or an access test that refuses the plan. */
export interface MatrixMark {
  readonly kind: MarkKind;
  /** What is held before and after: `read → write`; `some actions` where the difference is of no level. */
  readonly text: string;
  readonly sentence: string;
  /** One of the two: what changes, or the access test that fails. */
  readonly line?: AccessLine;
  readonly violation?: ViolationView;
}

/** `more`: more documents or fields are seen; `less`: fewer; `other`: others. */
export type MarkKind = "gained" | "lost" | "more" | "less" | "other" | "unknown" | "test";

/** @param violations of which those of access tests are at whom and what they are about, though nothing may change there */
export function createAccessMatrix(view: AccessView, violations: readonly ViolationView[] = []): AccessMatrix {
  const blocks = listAccessBlocks(view);
  const tests = violations.flatMap(listTestPlaces);
  const found = new Set([
    ...blocks.flatMap(({ lines }) => lines.flatMap(listColumns)),
    ...tests.map(({ column }) => column),
  ]);
  // Indices first, the widest before all others; then tenants, then the cluster.
  const rank = (column: string) =>
    column === cluster ? 3 : column.startsWith(tenant) ? 2 : column === everyIndex ? 0 : 1;
  const columns = [...found].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const rows = blocks.flatMap((block) => createRows(block, columns));
  const isOf = ({ principals }: MatrixRow, who: string) => principals.some((one) => formatAffected([one]) === who);
  const others = [...new Set(tests.map(({ who }) => who))].filter((who) => !rows.some((row) => isOf(row, who)));
  const unchanged = others.map((who): MatrixRow => ({ who, principals: [], cells: columns.map(() => []) }));
  return {
    columns,
    rows: [...rows, ...unchanged].map((row) => {
      const own = tests.filter(({ who }) => row.who === who || isOf(row, who));
      if (own.length === 0) return row;
      const testsOf = (column: string) => own.filter((one) => one.column === column).map(({ mark }) => mark);
      return { ...row, cells: row.cells.map((marks, at) => [...marks, ...testsOf(columns[at] ?? "")]) };
    }),
  };
}

interface TestPlace {
  readonly who: string;
  readonly column: string;
  readonly mark: MatrixMark;
}

function listTestPlaces(violation: ViolationView): readonly TestPlace[] {
  const { who: names = [], indices = [] } = violation.violation.tested ?? {};
  const mark: MatrixMark = { kind: "test", text: "access test", sentence: violation.what, violation };
  return names.flatMap((who) =>
    indices.map((index) => ({
      who: escapeInvisible(who),
      column: index === "*" ? everyIndex : joinNames([index]),
      mark,
    })),
  );
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
    return { kind, sentence: line.sentence, text: isOfNoLevel ? "some actions" : `${before} → ${after}`, line };
  }
  const most = (side: "before" | "after") =>
    (["write", "read", "unknown"] as const).find((level) => tenants.some((one) => one[side] === level)) ?? "nothing";
  return { kind: ofSigns[sign], sentence: line.sentence, text: `${most("before")} → ${most("after")}`, line };
}

function formatHeld(levels: readonly HeldLevel[] = []): string {
  return levels.length === 0 ? "nothing" : formatLevels(levels);
}
