/** A part of a long list: one entry whole, or several at once. */
export type Part<T> = One<T> | Several<T>;

export interface One<T> {
  readonly kind: "one";
  readonly item: T;
}

export interface Several<T> {
  /** `alike`: what is shown of one is shown of all. `more`: there is no room for them, so they are only named. */
  readonly kind: "alike" | "more";
  readonly items: readonly [T, ...T[]];
}

export interface Folding<T> {
  /** What would be shown of an entry: where that is the same text, two are alike. */
  readonly looks: (item: T) => string;
  /** What always stands by itself, whatever else looks like it. */
  readonly isApart: (item: T) => boolean;
  /** What is never only named; it may stand with what looks like it. */
  readonly isTelling: (item: T) => boolean;
  /** Entries with the same word may be named together. */
  readonly kindOf: (item: T) => string;
}

/** A list of so many is shown as it is. */
const mostUnfolded = 20;
/** So many that look alike are shown once. */
const leastAlike = 4;
/** So many parts are shown with all their fields; of more than that, which nobody reads to the end, the first. */
const mostParts = 100;
const firstParts = 40;

/** What is alike first, the most first; then the rest in the order of the list. Each entry is in exactly one part. */
export function fold<T>(items: readonly T[], { looks, isApart, isTelling, kindOf }: Folding<T>): readonly Part<T>[] {
  if (items.length <= mostUnfolded) return items.map(one);
  const apart = new Set(items.filter(isApart));
  const groups = groupsOf(
    items.filter((item) => !apart.has(item)),
    looks,
  );
  const alike = groups.filter((group) => group.length >= leastAlike).sort((a, b) => b.length - a.length);
  const ofGroups = alike.reduce((sum, group) => sum + group.length, 0);
  const isMany = alike.length + items.length - ofGroups > mostParts;
  const shownAlike = isMany ? alike.filter(([item], at) => at < firstParts || isTelling(item)) : alike;
  const folded = new Set(shownAlike.flat());
  let room = isMany ? firstParts - shownAlike.length : items.length;
  const shown: T[] = [];
  const left: T[] = [];
  for (const item of items) {
    if (folded.has(item)) continue;
    if (apart.has(item) || isTelling(item) || room-- > 0) shown.push(item);
    else left.push(item);
  }
  return [
    ...shownAlike.map((group) => several("alike", group)),
    ...shown.map(one),
    ...groupsOf(left, kindOf).map((group) => several("more", group)),
  ];
}

export function itemsOf<T>(part: Part<T>): readonly T[] {
  return part.kind === "one" ? [part.item] : part.items;
}

export function one<T>(item: T): One<T> {
  return { kind: "one", item };
}

export function several<T>(kind: "alike" | "more", items: readonly [T, ...T[]]): Several<T> {
  return { kind, items };
}

/** In the order of the first of each. */
export function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): readonly [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
