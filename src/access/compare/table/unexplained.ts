import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { AccessDifference, DifferenceKind } from "../../../model/access.ts";
import {
  type ColumnDifferences,
  findClusterDifference,
  findColumnDifferences,
  findIndexDifferences,
} from "./differences.ts";
import { createPartLocator } from "./locate.ts";
import type { Table } from "./table.ts";

/**
 * What changes for a principal that is two principals, and is not explained by what one of the two alone gains or
 * loses.
 *
 * @param both the table of the principal that is both
 * @param alone the tables of the two
 */
export function findUnexplained(both: Table, alone: readonly Table[]): readonly AccessDifference[] {
  const [from, to] = both.columns;
  if (!from || !to) return [];
  const shown = alone.map((table) => createExplanation(both, table));
  return findColumnDifferences(both, from, to, {
    onIndex: (index) => !shown.some(({ isSame }) => isSame(index)),
    isExplained: (kind, action, index) => {
      const explains = (kinds: Kinds) => kinds.some((one) => explaining[kind].includes(one));
      return !shown.some(({ kindsAt }) => isEvery(kindsAt(action, index), explains));
    },
  });
}

/** True for at least one, and all of them. */
function isEvery<T>(all: readonly T[], is: (one: T) => boolean): boolean {
  return all.length > 0 && all.every(is);
}

type Kinds = readonly DifferenceKind[];

const more: Kinds = ["gained", "widened"];
const less: Kinds = ["lost", "narrowed"];

/**
 * Which kind of difference of one principal explains which kinds of both: a possible difference never explains a
 * certain one.
 */
const explaining: Readonly<Record<DifferenceKind, Kinds>> = {
  gained: more,
  widened: more,
  lost: less,
  narrowed: less,
  changed: ["changed"],
  "may-gain": [...more, "may-gain", "may-change"],
  "may-lose": [...less, "may-lose", "may-change"],
  "may-change": ["changed", "may-change"],
};

interface Explained {
  /** The same rules cover an index for one of the two as for both: then all of its differences are equal, too. */
  readonly isSame: (index: number) => boolean;
  /** One for each part of the one that is in this part of both: a name may be in any of them. */
  readonly kindsAt: (action: number, index?: number) => readonly Kinds[];
}

/** The differences of one of the two, by the parts of the table of both. */
function createExplanation(both: Table, table: Table): Explained {
  const [from, to] = table.columns;
  const [was, is] = both.columns;
  const [indexOf, actionOf] = [
    createPartLocator(both.indices, table.indices),
    createPartLocator(both.actions, table.actions),
  ];
  return {
    isSame(index) {
      if (!from || !to) return false;
      return isEvery(
        indexOf(index),
        (at) => from.signature(at) === was?.signature(index) && to.signature(at) === is?.signature(index),
      );
    },
    kindsAt(action, index) {
      const indices = index === undefined ? [undefined] : indexOf(index);
      return actionOf(action).flatMap((atAction) =>
        indices.map((atIndex) => findDifferencesAt(table, atAction, atIndex).map(({ kind }) => kind)),
      );
    },
  };
}

/** Of a part of the indices, by action. Kept: a principal may be one of hundreds of pairs. */
const differencesOf = memoiseByObject((table: Table) =>
  memoiseByKey((index: number): ReadonlyMap<number, readonly ColumnDifferences[]> => {
    const [from, to] = table.columns;
    const all = from && to ? findIndexDifferences(table, from, to, index) : [];
    const differences = new Map<number, ColumnDifferences[]>();
    for (const { action, found } of all) {
      if (found) differences.set(action, [...(differences.get(action) ?? []), found]);
    }
    return differences;
  }),
);

/** What differs at one action, and one part of the indices unless it is a cluster permission. */
export function findDifferencesAt(
  table: Table,
  action: number,
  index: number | undefined,
): readonly ColumnDifferences[] {
  const [from, to] = table.columns;
  if (!from || !to) return [];
  if (index !== undefined) return differencesOf(table)(index).get(action) ?? [];
  const found = findClusterDifference(from, to, action);
  return found ? [found] : [];
}
