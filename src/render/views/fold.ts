import { groupItems } from "../../json/collections.ts";

/** A part of a long list: one entry whole, or several at once. */
export type FoldedPart<T> = SingleItem<T> | SeveralItems<T>;

export interface SingleItem<T> {
  readonly kind: "one";
  readonly item: T;
}

export interface SeveralItems<T> {
  /** `alike`: what is shown of one is true of all. `more`: there is no room for them, so they are only named. */
  readonly kind: "alike" | "more";
  readonly items: readonly [T, ...T[]];
}

export interface FoldRules<T> {
  /** What would be shown of an entry: where that is the same text, two are alike. */
  readonly looks: (item: T) => string;
  /** Items that are always shown alone, whatever else looks like them. */
  readonly isApart: (item: T) => boolean;
  /** Items that are never only named; they may fold with items that look like them. */
  readonly isReporting: (item: T) => boolean;
  /** Entries with the same word may be named together. */
  readonly kindOf: (item: T) => string;
}

/** A list of so many is shown as it is. */
const mostUnfolded = 20;
/** So many that look alike are shown once. */
const leastAlike = 4;
/** At most so many parts are shown with all their fields; of more, which are not read to the end, the first. */
const mostParts = 100;
const firstParts = 40;

/** What is alike first, the most first; then the rest in the order of the list. Each entry is in exactly one part. */
export function fold<T>(
  items: readonly T[],
  { looks, isApart, isReporting, kindOf }: FoldRules<T>,
): readonly FoldedPart<T>[] {
  if (items.length <= mostUnfolded) return items.map(createSingle);
  const apart = new Set(items.filter(isApart));
  const groups = groupItems(
    items.filter((item) => !apart.has(item)),
    looks,
  );
  const alike = groups.filter((group) => group.length >= leastAlike).sort((a, b) => b.length - a.length);
  const ofGroups = alike.reduce((sum, group) => sum + group.length, 0);
  const isMany = alike.length + items.length - ofGroups > mostParts;
  const shownAlike = isMany ? alike.filter(([item], at) => at < firstParts || isReporting(item)) : alike;
  const folded = new Set(shownAlike.flat());
  let space = isMany ? firstParts - shownAlike.length : items.length;
  const shown: T[] = [];
  const left: T[] = [];
  for (const item of items) {
    if (folded.has(item)) continue;
    if (apart.has(item) || isReporting(item) || space-- > 0) shown.push(item);
    else left.push(item);
  }
  return [
    ...shownAlike.map((group) => createSeveral("alike", group)),
    ...shown.map(createSingle),
    ...groupItems(left, kindOf).map((group) => createSeveral("more", group)),
  ];
}

export function listItems<T>(part: FoldedPart<T>): readonly [T, ...T[]] {
  return part.kind === "one" ? [part.item] : part.items;
}

export function createSingle<T>(item: T): SingleItem<T> {
  return { kind: "one", item };
}

export function createSeveral<T>(kind: "alike" | "more", items: readonly [T, ...T[]]): SeveralItems<T> {
  return { kind, items };
}
