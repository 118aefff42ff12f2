import type { Difference } from "../../model/access.ts";
import { atIndex, differencesIn } from "./differences.ts";
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
  return differencesIn(both, from, to, (index, action, kind) => told.every((kindAt) => kindAt(index, action) !== kind));
}

function kindIn(table: Table): (index: string, action: string) => string | undefined {
  const [from, to] = table.columns;
  const [indexOf, actionOf] = [locator(table.indices), locator(table.actions)];
  return (index, action) => {
    const [atI, atA] = [indexOf(index), actionOf(action)];
    if (!from || !to || atI === undefined || atA === undefined) return undefined;
    return atIndex(table, from, to, atI, atA)?.kind;
  };
}
