import { groupItems } from "../../json/collections.ts";

/**
 * What a long list shows at one place: one item, several of which what is shown of one is true of all (`alike`), or
 * several for which there is no space, so that they are only named (`more`).
 */
export interface ListPart<T> {
  readonly kind: "one" | "alike" | "more";
  readonly items: readonly [T, ...T[]];
}

export interface PartRules<T> {
  /** What would be shown of an item: where that is the same text, two are alike. */
  readonly looks: (item: T) => string;
  /** Items that are always shown alone, whatever else looks like them. */
  readonly isAlone: (item: T) => boolean;
  /** Items that are never only named; they may be shown with items that look like them. */
  readonly isShown: (item: T) => boolean;
  /** Items of the same kind may be named together. */
  readonly kindOf: (item: T) => string;
}

/** A list of so many is shown as it is. */
export const mostWhole = 12;
/** So many that look alike are shown once. */
export const leastAlike = 4;
/** More names than these are counted. */
export const mostNames = 100;
/** At most so many parts are shown with all their fields; of more, which are not read to the end, the first. */
const mostParts = 100;
const firstParts = 40;

/** What is alike first, the most first; then the rest in the order of the list. Each item is in exactly one part. */
export function splitIntoParts<T>(
  items: readonly T[],
  { looks, isAlone, isShown, kindOf }: PartRules<T>,
): readonly ListPart<T>[] {
  if (items.length <= mostWhole) return listSingly(items);
  const alone = new Set(items.filter(isAlone));
  const groups = groupItems(
    items.filter((item) => !alone.has(item)),
    looks,
  );
  const alike = groups.filter((group) => group.length >= leastAlike).sort((a, b) => b.length - a.length);
  const ofGroups = alike.reduce((sum, group) => sum + group.length, 0);
  const isMany = alike.length + items.length - ofGroups > mostParts;
  const shownAlike = isMany ? alike.filter(([item], at) => at < firstParts || isShown(item)) : alike;
  const done = new Set(shownAlike.flat());
  let space = isMany ? firstParts - shownAlike.length : items.length;
  const single: T[] = [];
  const left: T[] = [];
  for (const item of items) {
    if (done.has(item)) continue;
    if (alone.has(item) || isShown(item) || space-- > 0) single.push(item);
    else left.push(item);
  }
  return [
    ...shownAlike.map((group) => ({ kind: "alike", items: group }) as const),
    ...listSingly(single),
    ...groupItems(left, kindOf).map((group) => ({ kind: "more", items: group }) as const),
  ];
}

export function listSingly<T>(items: readonly T[]): readonly ListPart<T>[] {
  return items.map((item) => ({ kind: "one", items: [item] }));
}
