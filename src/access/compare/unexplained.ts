import type { AccessModel } from "../model.ts";
import { atIndex, type Difference, differencesIn } from "./differences.ts";
import { locator } from "./locate.ts";
import type { Pair } from "./pairs.ts";
import { type Table, tableOf } from "./table.ts";

/** What becomes otherwise for somebody who is both, and is not told of either of the two alone. */
export function unexplained(models: readonly AccessModel[], { first, second, subject }: Pair): readonly Difference[] {
  const table = tableOf(models, subject);
  const told = [first, second].map((one) => kindIn(tableOf(models, one.subject)));
  const [from, to] = table.columns;
  if (!from || !to) return [];
  return differencesIn(table, from, to, (index, action, kind) =>
    told.every((kindAt) => kindAt(index, action) !== kind),
  );
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
