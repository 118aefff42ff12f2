import { listDistinct } from "../../../json/collections.ts";
import type { DifferenceDoubt } from "../../../model/access.ts";
import type { DoubtfulLimits } from "./evaluator.ts";
import type { Column } from "./table.ts";

/** What two states grant apart from what is unknown in both alike: a plan changes nothing in that. */
export interface UnchangedCheck {
  readonly from: Column;
  readonly to: Column;
  /** What was left out and may grant an action. */
  readonly besides: (action: number) => readonly DifferenceDoubt[];
}

/** @param index its part; absent for cluster permissions */
export function findUnchanged(from: Column, to: Column, index?: number): UnchangedCheck {
  const known = found.get(from) ?? new Map<number | undefined, readonly [Column, UnchangedCheck]>();
  found.set(from, known);
  const last = known.get(index);
  if (last?.[0] === to) return last[1];
  const unchanged = compareDoubts(from, to, index);
  known.set(index, [to, unchanged]);
  return unchanged;
}

/** Each action of an index is looked up by itself, and a subject may be one of hundreds of pairs. */
const found = new WeakMap<Column, Map<number | undefined, readonly [Column, UnchangedCheck]>>();

function compareDoubts(from: Column, to: Column, index: number | undefined): UnchangedCheck {
  const before = new Set(from.doubtful(index).map(({ signature }) => signature));
  const both = to.doubtful(index).filter(({ signature }) => before.has(signature));
  if (both.length === 0) return { from, to, besides: () => [] };
  const aside = new Set(both.map(({ signature }) => signature));
  return { from: from.without(aside), to: to.without(aside), besides: (action) => listDoubtsOf(both, action) };
}

function listDoubtsOf(doubtful: readonly DoubtfulLimits[], action: number): readonly DifferenceDoubt[] {
  return listDistinct(
    doubtful.filter(({ mayGrant }) => mayGrant(action)).map(({ role, depends }) => ({ role, depends })),
  );
}
