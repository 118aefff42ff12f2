import type { Difference } from "../../model/access.ts";
import { locator } from "./locate.ts";
import type { Parts } from "./parts.ts";
import { limitsKey } from "./sees.ts";
import type { Table } from "./table.ts";
import { foundAt } from "./unexplained.ts";

/**
 * Marks what everybody gains or loses as well: with a role for all users, hundreds of principals would otherwise say the same,
 * each less what it has by other roles.
 *
 * @param table the table of a principal
 * @param all   its differences
 * @param common the table of everybody; absent for everybody
 */
export function withEverybody(table: Table, all: readonly Difference[], common?: Table): readonly Difference[] {
  if (!common || common === table) return all;
  if (!isFiner(table.indices, common.indices) || !isFiner(table.actions, common.actions)) return all;
  return all.map((one) => (isOfAll(one, table, common) ? { ...one, isOfEverybody: true } : one));
}

/** Else a part of the one may be in several parts of the other. */
function isFiner(parts: Parts, others: Parts): boolean {
  const patterns = new Set(parts.patterns);
  return others.patterns.every((pattern) => patterns.has(pattern));
}

function isOfAll(one: Difference, table: Table, common: Table): boolean {
  const [indexOf, actionOf] = [inOther(table.indices, common.indices), inOther(table.actions, common.actions)];
  const indices = one.indices ? one.indices.examples.map(indexOf) : [undefined];
  const actions = one.actions.examples.map(actionOf);
  return indices.every(
    (index) =>
      (index !== undefined || !one.indices) &&
      actions.every((action) => {
        const found = action === undefined ? undefined : foundAt(common, action, index);
        return found !== undefined && keyOf(found) === keyOf(one);
      }),
  );
}

function inOther(parts: Parts, others: Parts): (example: string) => number | undefined {
  const partOf = locator(parts, others);
  const positions = positionsIn(parts);
  return (example) => {
    const part = positions.get(example);
    return part === undefined ? undefined : partOf(part);
  };
}

const known = new WeakMap<Parts, ReadonlyMap<string, number>>();

function positionsIn(parts: Parts): ReadonlyMap<string, number> {
  const found = known.get(parts) ?? new Map(parts.atoms.map(({ example }, part) => [example, part]));
  known.set(parts, found);
  return found;
}

function keyOf({
  kind,
  before,
  after,
  depends = "",
}: Pick<Difference, "kind" | "before" | "after" | "depends">): string {
  return JSON.stringify([kind, before ? limitsKey(before) : "", after ? limitsKey(after) : "", depends]);
}
