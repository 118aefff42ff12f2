import { groupItems } from "../../json/collections.ts";
import type { AccessMapView, MapAccess } from "./access-map.ts";
import { formatColumn } from "./map-words.ts";

/** The map as a picture: principals with equal access are a row, what all of them have alike is a column. */
export interface MapTable {
  /** In the order of the map, each by the first of its names. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly who: string;
    readonly cells: readonly (MapAccess | undefined)[];
  }[];
}

export function createMapTable({ groups, map }: Pick<AccessMapView, "groups" | "map">): MapTable {
  const byColumn = groups.map(({ access }) => new Map(access.flatMap((one) => one.columns.map((name) => [name, one]))));
  const names = map.columns.map(formatColumn).filter((name) => byColumn.some((found) => found.has(name)));
  const merged = groupItems(names, (name) => JSON.stringify(byColumn.map((found) => found.get(name)?.label ?? "")));
  return {
    columns: merged.map((some) => joinFirst(some)),
    rows: groups.map(({ who }, at) => ({
      who: joinFirst(who),
      cells: merged.map(([name]) => byColumn[at]?.get(name)),
    })),
  };
}

/** Of hundreds the first few say enough in a table. */
const mostNames = 5;

function joinFirst(names: readonly string[]): string {
  const more = names.length - mostNames;
  return more > 0 ? `${names.slice(0, mostNames).join(", ")} and ${more} more` : names.join(", ");
}
