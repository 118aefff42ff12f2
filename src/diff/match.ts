import { encodeCanonical } from "../json/canonical.ts";
import { pairMostAlike } from "../json/likeness.ts";
import type { Fields } from "../json/value.ts";

/** Two elements of a multiset that are the same thing before and after; one of them alone was added or removed. */
export interface MatchedPair {
  readonly before?: Fields;
  readonly after?: Fields;
}

/** Below this share of common parts two elements are different things, not one that changed. */
const leastOverlap = 0.5;
/** More comparisons than this are not worth their time: the rest is shown as removed and added. */
const mostComparisons = 250_000;

/**
 * Finds which elements of two multisets belong together, so that one changed word is one changed line. Equal ones are
 * left out; then those whose `key` field (the patterns) is equal, the most alike first; then the most alike of the
 * rest. Pairs are in the order of `before`, additions last in the order of `after`.
 */
export function matchElements(
  before: readonly Fields[],
  after: readonly Fields[],
  key: string,
): readonly MatchedPair[] {
  const [left, right] = withoutEqual(before, after);
  const partners = pairElements(left, right, key);
  const taken = new Set(partners.values());
  return [
    ...left.map((element): MatchedPair => {
      const partner = partners.get(element);
      return partner === undefined ? { before: element } : { before: element, after: partner };
    }),
    ...right.filter((element) => !taken.has(element)).map((element): MatchedPair => ({ after: element })),
  ];
}

/** The same of elements of which none is equal to another one's; each object is one element. */
export function pairElements(
  left: readonly Fields[],
  right: readonly Fields[],
  key: string,
): ReadonlyMap<Fields, Fields> {
  const keyOf = (element: Fields) => encodeCanonical(element[key] ?? []);
  const partners = new Map<Fields, Fields>();
  const pairUp = (least: number, mayPair?: (a: Fields, b: Fields) => boolean) => {
    const taken = new Set(partners.values());
    const open = left.filter((element) => !partners.has(element));
    const free = right.filter((element) => !taken.has(element));
    if (open.length * free.length > mostComparisons) return;
    for (const [a, b] of pairMostAlike(open, free, least, mayPair)) partners.set(open[a] as Fields, free[b] as Fields);
  };
  pairUp(0, (a, b) => keyOf(a) === keyOf(b));
  pairUp(leastOverlap);
  return partners;
}

/** Each equal one is taken off once on either side: a multiset may hold it several times. */
export function withoutEqual(
  before: readonly Fields[],
  after: readonly Fields[],
): readonly [readonly Fields[], readonly Fields[]] {
  const counts = new Map<string, number>();
  for (const element of after) bump(counts, encodeCanonical(element), 1);
  const left = before.filter((element) => !takeOne(counts, encodeCanonical(element)));
  // What is still counted has no equal before.
  const right = [...after].reverse().filter((element) => takeOne(counts, encodeCanonical(element)));
  return [left.map(copy), right.reverse().map(copy)];
}

function bump(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  if ((counts.get(key) ?? 0) === 0) return false;
  bump(counts, key, -1);
  return true;
}

/** Its own identity for each: the same object may have been handed in twice. */
function copy(element: Fields): Fields {
  return { ...element };
}
