import { memoiseByObject } from "../../json/memoise.ts";
import type { AccessDifference } from "../../model/access.ts";
import { formatConditionNames } from "../explain/conditions.ts";
import { createPartLocator } from "./table/locate.ts";
import type { NameParts } from "./table/parts.ts";
import { getLimitsKey } from "./table/sees.ts";
import type { Table } from "./table/table.ts";
import { findDifferencesAt } from "./table/unexplained.ts";

/**
 * Marks what everybody gains or loses too. With a role for all users, hundreds of principals would otherwise repeat
 * it, each without what its other roles grant.
 *
 * @param table the table of a principal
 * @param all its differences
 * @param common the table of everybody; absent where the differences are those of everybody
 */
export function withEverybody<T extends AccessDifference>(
  table: Table,
  all: readonly T[],
  common?: Table,
): readonly T[] {
  if (!common || common === table) return all;
  if (!isFiner(table.indices, common.indices) || !isFiner(table.actions, common.actions)) return all;
  return all.map((one) => (isCommon(one, table, common) ? { ...one, isOfEverybody: true } : one));
}

/** Whether each part is in one part of the others at most: they are parted by no further patterns. */
function isFiner(parts: NameParts, others: NameParts): boolean {
  const patterns = new Set(parts.patterns);
  return others.patterns.every((pattern) => patterns.has(pattern));
}

function isCommon(one: AccessDifference, table: Table, common: Table): boolean {
  const [indexOf, actionOf] = [
    createExampleLocator(table.indices, common.indices),
    createExampleLocator(table.actions, common.actions),
  ];
  const indices = one.indices ? one.indices.examples.map(indexOf) : [undefined];
  const actions = one.actions.examples.map(actionOf);
  return indices.every(
    (index) =>
      (index !== undefined || !one.indices) &&
      actions.every((action) => {
        const found = action === undefined ? [] : findDifferencesAt(common, action, index);
        return found.some((other) => getDifferenceKey(other) === getDifferenceKey(one));
      }),
  );
}

function createExampleLocator(parts: NameParts, others: NameParts): (example: string) => number | undefined {
  const partOf = createPartLocator(parts, others);
  const positions = indexExamples(parts);
  return (example) => {
    const part = positions.get(example);
    // The other has no further patterns: it is one part at most.
    return part === undefined ? undefined : partOf(part)[0];
  };
}

const indexExamples = memoiseByObject(
  ({ cells }: NameParts): ReadonlyMap<string, number> => new Map(cells.map(({ example }, part) => [example, part])),
);

function getDifferenceKey({
  kind,
  before,
  after,
  depends = [],
}: Pick<AccessDifference, "kind" | "before" | "after" | "depends">): string {
  return JSON.stringify([
    kind,
    before ? getLimitsKey(before) : "",
    after ? getLimitsKey(after) : "",
    formatConditionNames(depends),
  ]);
}
