import type { Difference } from "../../model/access.ts";
import { atCluster, atIndex, differencesIn } from "./differences.ts";
import { locator } from "./locate.ts";
import type { Table } from "./table.ts";

/**
 * What becomes otherwise for somebody who is two principals, and is not told of either of the two alone.
 *
 * @param both  the table of somebody who is both
 * @param alone the tables of the two
 */
export function unexplained(both: Table, alone: readonly Table[]): readonly Difference[] {
  const [from, to] = both.columns;
  if (!from || !to) return [];
  const told = alone.map(kindIn);
  return differencesIn(both, from, to, (kind, action, index) => told.every((kindAt) => kindAt(action, index) !== kind));
}

function kindIn(table: Table): (action: string, index?: string) => string | undefined {
  const [from, to] = table.columns;
  const [indexOf, actionOf] = [locator(table.indices), locator(table.actions)];
  return (action, index) => {
    const atA = actionOf(action);
    if (!from || !to || atA === undefined) return undefined;
    if (index === undefined) return atCluster(from, to, atA)?.kind;
    const atI = indexOf(index);
    return atI === undefined ? undefined : atIndex(table, from, to, atI, atA)?.kind;
  };
}
