import type { Difference, DifferenceKind } from "../../model/access.ts";
import { atCluster, differencesAt, differencesIn } from "./differences.ts";
import { locator } from "./locate.ts";
import type { Table } from "./table.ts";

/**
 * What becomes otherwise for somebody who is two principals, and is not told of either of the two alone: that one of
 * them gains or loses it, too.
 *
 * @param both  the table of somebody who is both
 * @param alone the tables of the two
 */
export function unexplained(both: Table, alone: readonly Table[]): readonly Difference[] {
  const [from, to] = both.columns;
  if (!from || !to) return [];
  const told = alone.map(kindIn);
  return differencesIn(both, from, to, (kind, action, index) =>
    told.every((kindAt) => directionOf(kindAt(action, index)) !== directionOf(kind)),
  );
}

const directions: Readonly<Record<DifferenceKind, "more" | "less" | "other">> = {
  gained: "more",
  widened: "more",
  lost: "less",
  narrowed: "less",
  changed: "other",
  "may-gain": "other",
  "may-lose": "other",
  "may-change": "other",
};

function directionOf(kind: DifferenceKind | undefined): string | undefined {
  return kind && directions[kind];
}

function kindIn(table: Table): (action: string, index?: string) => DifferenceKind | undefined {
  const [from, to] = table.columns;
  const [indexOf, actionOf] = [locator(table.indices), locator(table.actions)];
  const rows = new Map<number, ReadonlyMap<number, DifferenceKind | undefined>>();
  return (action, index) => {
    const atAction = actionOf(action);
    if (!from || !to || atAction === undefined) return undefined;
    if (index === undefined) return atCluster(from, to, atAction)?.kind;
    const atIndex = indexOf(index);
    if (atIndex === undefined) return undefined;
    const row =
      rows.get(atIndex) ?? new Map(differencesAt(table, from, to, atIndex).map((one) => [one.action, one.found?.kind]));
    rows.set(atIndex, row);
    return row.get(atAction);
  };
}
