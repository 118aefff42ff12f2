import { listDistinct } from "../../../json/collections.ts";
import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type {
  AccessDifference,
  DifferenceDoubt,
  DifferenceKind,
  Limits,
  UnknownCondition,
} from "../../../model/access.ts";
import { showsFields } from "../../evaluate/fields.ts";
import { formatConditionNames } from "../../explain/conditions.ts";
import { compareConditions, getConditionKey, toCondition } from "../../verdict.ts";
import { decodeVerdict, verdicts } from "./codes.ts";
import type { PartFinder } from "./parts.ts";
import { getRegion } from "./region.ts";
import { compareLimits, compareSeen, getLimitsKey, type Looks, limitMapping, type SightChange } from "./sees.ts";
import { type Column, findReads, type Table } from "./table.ts";
import { findUnchanged } from "./unchanged.ts";
import { type Codes, listConditions } from "./unknown-conditions.ts";

/** What differs at one action. */
export interface ColumnDifferences {
  readonly kind: DifferenceKind;
  readonly before?: Limits;
  readonly after?: Limits;
  readonly depends?: readonly UnknownCondition[];
  readonly isGrantSure?: true;
  readonly besides?: readonly DifferenceDoubt[];
}

/** Which differences to report, by the parts of actions and indices. */
export interface DifferenceContext {
  /** False where no difference on an index is reported: none is looked for. */
  readonly onIndex: (index: number) => boolean;
  readonly isExplained: (kind: DifferenceKind, action: number, index?: number) => boolean;
}

const everything: DifferenceContext = { onIndex: () => true, isExplained: () => true };

/** The differences between two columns of a table, folded; empty where both evaluate alike. */
export function findColumnDifferences(
  table: Table,
  from: Column,
  to: Column,
  reporting: DifferenceContext = everything,
): readonly AccessDifference[] {
  return [...listIndexDifferences(table, from, to, reporting), ...listClusterDifferences(table, from, to, reporting)];
}

function listClusterDifferences(
  table: Table,
  from: Column,
  to: Column,
  { isExplained }: DifferenceContext,
): readonly AccessDifference[] {
  const { actions } = table;
  const universe = actions.ofLevel("cluster");
  const found = universe.map((action) => ({ action, found: findClusterDifference(from, to, action) }));
  return foldActions(found, isExplained).map(({ parts, found: one }) => ({
    ...one,
    level: "cluster",
    actions: getRegion(actions, parts),
    witness: { action: pickWitness(table, parts) },
  }));
}

function listIndexDifferences(
  table: Table,
  from: Column,
  to: Column,
  reporting: DifferenceContext,
): readonly AccessDifference[] {
  const { indices, actions } = table;
  const rows = new Map<string, { readonly where: number[]; fold: Fold }>();
  for (const index of indices.every) {
    if (from.signature(index) === to.signature(index) || !reporting.onIndex(index)) continue;
    const found = findIndexDifferences(table, from, to, index);
    for (const fold of foldActions(found, (kind, action) => reporting.isExplained(kind, action, index))) {
      const key = `${fold.parts.join()} ${fold.key}`;
      const row = rows.get(key);
      if (row) {
        row.where.push(index);
        row.fold = { ...row.fold, found: uniteDoubts(row.fold.found, fold.found) };
      } else rows.set(key, { where: [index], fold });
    }
  }
  return [...rows.values()].map(({ where, fold: { parts, found } }): AccessDifference => {
    const [first = 0] = where;
    return {
      ...found,
      level: "index",
      actions: getRegion(actions, parts),
      indices: getRegion(indices, where),
      witness: { action: pickWitness(table, parts), index: indices.cells[first]?.example ?? "" },
    };
  });
}

/** The difference of one cluster permission; undefined where there is none. */
export function findClusterDifference(from: Column, to: Column, action: number): ColumnDifferences | undefined {
  const { from: before, to: after, besides } = findUnchanged(from, to);
  const found = comparePermission([before, after], [before.cluster()[action], after.cluster()[action]], action);
  return found && addDoubts(found, besides(action));
}

/** A certain difference, with the unknown grants that may have given the same before, or still give it. */
function addDoubts(found: ColumnDifferences, besides: readonly DifferenceDoubt[]): ColumnDifferences {
  return besides.length === 0 ? found : { ...found, besides };
}

type At = { readonly action: number; readonly found: ColumnDifferences | undefined };

/**
 * The differences of the actions on one index; none where the same rules cover it on the same conditions. Two of an action
 * where it is lost but for an unknown grant, which may then show more: `lost`, and `may-change`.
 */
export function findIndexDifferences(table: Table, from: Column, to: Column, index: number): readonly At[] {
  if (from.signature(index) === to.signature(index)) return [];
  const known = differencesFrom(from.evaluation(index));
  const other = to.evaluation(index);
  const differences = known.get(other) ?? compareAt(table, from, to, index);
  known.set(other, differences);
  return differences;
}

/** By what covers an index before and after: hundreds of pairs of principals have the same roles. */
const differencesFrom = memoiseByObject((_: object) => new WeakMap<object, readonly At[]>());

function compareAt(table: Table, from: Column, to: Column, index: number): readonly At[] {
  const unchanged = findUnchanged(from, to, index);
  const known = createActionComparer(table, [unchanged.from, unchanged.to], index);
  if (unchanged.from === from) return listIndexActions(table).map((action) => ({ action, found: known(action) }));
  const whole = createActionComparer(table, [from, to], index);
  return listIndexActions(table).flatMap((action): readonly At[] => {
    const [found, besides] = [known(action), unchanged.besides(action)];
    if (found) {
      // Who loses it may see more by what is left, where the role that goes restricted that as well.
      const other = besides.length > 0 && lessens.has(found.kind) ? whole(action) : undefined;
      const loss = { action, found: addDoubts(found, besides) };
      if (other?.kind !== "may-change") return [loss];
      return [...(found.kind === "may-lose" ? [] : [loss]), { action, found: addDoubts(other, besides) }];
    }
    // By what is unknown in both states alone: what is seen by it.
    const { before, after } = (besides.length > 0 && whole(action)) || {};
    return [{ action, found: before && after && addDoubts({ kind: "may-change", before, after }, besides) }];
  });
}

const lessens: ReadonlySet<DifferenceKind> = new Set(["lost", "narrowed", "may-lose"]);

function listIndexActions({ actions }: Table): readonly number[] {
  return actions.ofLevel("index");
}

function createActionComparer({ actions, part }: Table, [from, to]: readonly [Column, Column], index: number) {
  const [was, is] = [from.index(index), to.index(index)];
  const reads = findReads(actions);
  const [before, after] = [from.limits(index), to.limits(index)];
  const seeing = createSightComparer([from, to], index, part);
  const doubts = from.doubts(index);
  const isAsDoubtful = doubts !== undefined && doubts === to.doubts(index);
  return (action: number): ColumnDifferences | undefined => {
    const codes = [was[action], is[action]] as const;
    const isSame = codes[0] === codes[1] && (isAsDoubtful || codes[0] !== verdicts.unknown);
    const found = isSame ? undefined : comparePermission([from, to], codes, action, index);
    const isRead = reads[action] === verdicts.yes;
    if (!isRead && !showsFields(actions.cells[action]?.example)) return found;
    if (codes.every((code) => code !== verdicts.no)) {
      const seen = seeing(codes, action, isRead ? "documents" : "fields");
      if (seen !== "as granted") return seen;
    }
    if (!found) return found;
    const had = codes[0] !== verdicts.no && isLimited(before);
    const has = codes[1] !== verdicts.no && isLimited(after);
    return { ...found, ...(had && { before }), ...(has && { after }) };
  };
}

/**
 * How what an action shows of an index changes for a subject that may read it before and after, perhaps. "as granted"
 * where the same is seen: then only the grant itself may differ.
 */
function createSightComparer([from, to]: readonly [Column, Column], index: number, part: PartFinder) {
  const known = new Map<string, ColumnDifferences | undefined | "as granted">();
  return (codes: Codes, action: number, looks: Looks): ColumnDifferences | undefined | "as granted" => {
    const sights = [from.sight(index), to.sight(index)] as const;
    if (sights[0].key === sights[1].key) return "as granted";
    const limits = [from.limits(index), to.limits(index)].map((one) => (looks === "fields" ? limitMapping(one) : one));
    const [before, after] = limits;
    if (!before || !after) return undefined;
    const isSure = codes.every((code) => code === verdicts.yes);
    const conditions = isSure
      ? (["yes", "yes"] as const)
      : ([from.condition(action, index), to.condition(action, index)] as const);
    const key = `${looks} ${conditions.map(getConditionKey)}`;
    if (known.has(key)) return known.get(key);
    const change =
      isSure && before.unsure.length + after.unsure.length === 0
        ? compareLimits(before, after, part)
        : compareSeen(conditions, sights, looks, part);
    const kind = kinds[change];
    const found = kind && {
      kind,
      before,
      after,
      ...(kind.startsWith("may-") && { depends: listConditions([from, to], codes, action, index) }),
    };
    known.set(key, found);
    return found;
  };
}

export function isLimited({ documents, fields: { only, not, masks }, unsure }: Limits): boolean {
  return documents !== undefined || only !== undefined || not.length + masks.length + unsure.length > 0;
}

const kinds: Readonly<Record<SightChange, DifferenceKind | undefined>> = {
  same: undefined,
  more: "widened",
  less: "narrowed",
  other: "changed",
  gained: "gained",
  lost: "lost",
  "may-gain": "may-gain",
  "may-lose": "may-lose",
  "may-change": "may-change",
};

/** How one permission changes, whatever is seen by it; undefined where it does not. */
function comparePermission(
  columns: readonly [Column, Column],
  codes: Codes,
  action: number,
  index?: number,
): ColumnDifferences | undefined {
  const [before, after] = [decodeVerdict(codes[0]), decodeVerdict(codes[1])];
  // What is certain on one side, or both, is the same function there of whatever is unknown.
  const isOpen = before === "unknown" && after === "unknown";
  const change = compareConditions(
    isOpen ? columns[0].condition(action, index) : toCondition(before, () => "before"),
    isOpen ? columns[1].condition(action, index) : toCondition(after, () => "after"),
  );
  if (change === "same") return undefined;
  if (change === "gained" || change === "lost") return { kind: change };
  const isSure = before === "yes" || after === "yes";
  return {
    kind: change,
    depends: listConditions(columns, codes, action, index),
    ...(isSure && { isGrantSure: true }),
  };
}

interface Fold {
  readonly key: string;
  readonly parts: readonly number[];
  readonly found: ColumnDifferences;
}

/**
 * Groups actions that differ in the same way, with the actions that may have granted any of them before or still do.
 */
function foldActions(
  all: readonly At[],
  isExplained: (kind: DifferenceKind, action: number) => boolean,
): readonly Fold[] {
  const byKey = new Map<string, { readonly parts: number[]; found: ColumnDifferences }>();
  const keyOf = memoiseByKey((limits: Limits | undefined): string => (limits ? getLimitsKey(limits) : ""));
  for (const { action, found } of all) {
    if (!found || !isExplained(found.kind, action)) continue;
    const { kind, before, after, depends = [], isGrantSure = false } = found;
    const key = [kind, keyOf(before), keyOf(after), isGrantSure, formatConditionNames(depends)].join(" ");
    const same = byKey.get(key);
    if (same) {
      same.parts.push(action);
      same.found = uniteDoubts(same.found, found);
    } else byKey.set(key, { parts: [action], found });
  }
  return [...byKey].map(([key, { parts, found }]) => ({ key, parts, found }));
}

function uniteDoubts(one: ColumnDifferences, other: ColumnDifferences): ColumnDifferences {
  if (!other.besides || JSON.stringify(one.besides) === JSON.stringify(other.besides)) return one;
  const all = [...(one.besides ?? []), ...other.besides];
  return addDoubts(one, listDistinct(all));
}

/** What people know best. */
const reportingActions = ["indices:data/read/search", "indices:data/write/index", "cluster:monitor/main"];

function pickWitness(table: Table, parts: readonly number[]): string {
  const examples = parts.map((part) => getExample(table, part));
  return reportingActions.find((action) => examples.includes(action)) ?? examples[0] ?? "";
}

function getExample({ actions }: Table, action: number): string {
  return actions.cells[action]?.example ?? "";
}
