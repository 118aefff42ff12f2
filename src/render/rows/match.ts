import { encodeCanonical } from "../../json/canonical.ts";
import { type Fields, isList, type Value } from "../../json/value.ts";

/** Two elements of a multiset that are the same thing before and after; one of them alone was added or removed. */
export interface MatchedPair {
  readonly before?: Fields;
  readonly after?: Fields;
}

/** Below this share of common members two elements are different things, not one that changed. */
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
  const partners = new Map<Fields, Fields>();
  const keyOf = once((element) => encodeCanonical(element[key] ?? []));
  const tokens = once(tokensOf);
  const overlap = (a: Fields, b: Fields) => overlapOf(tokens(a), tokens(b));
  pairUp(left, right, partners, { overlap, belong: (a, b) => keyOf(a) === keyOf(b) });
  pairUp(left, right, partners, { overlap, belong: (a, b) => overlap(a, b) >= leastOverlap });
  const taken = new Set(partners.values());
  return [
    ...left.map((element): MatchedPair => {
      const partner = partners.get(element);
      return partner === undefined ? { before: element } : { before: element, after: partner };
    }),
    ...right.filter((element) => !taken.has(element)).map((element): MatchedPair => ({ after: element })),
  ];
}

/** Each equal one is taken off once on either side: a multiset may hold it several times. */
function withoutEqual(
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

interface Likeness {
  /** The share of members that two have in common, 0 to 1. */
  readonly overlap: (a: Fields, b: Fields) => number;
  readonly belong: (a: Fields, b: Fields) => boolean;
}

/** The most alike first; ties by position, so that the same input gives the same pairs. */
function pairUp(
  left: readonly Fields[],
  right: readonly Fields[],
  partners: Map<Fields, Fields>,
  { overlap, belong }: Likeness,
): void {
  const taken = new Set(partners.values());
  const open = left.filter((element) => !partners.has(element));
  const free = right.filter((element) => !taken.has(element));
  if (open.length * free.length > mostComparisons) return;
  const pairs = open.flatMap((a) => free.filter((b) => belong(a, b)).map((b) => ({ a, b })));
  // Nearly always there is one, and nothing to rank it against.
  const ranked = pairs.length < 2 ? pairs : mostAlikeFirst(pairs, overlap);
  for (const { a, b } of ranked) {
    if (partners.has(a) || taken.has(b)) continue;
    partners.set(a, b);
    taken.add(b);
  }
}

/** The sort is stable: of equally good ones, the first. */
function mostAlikeFirst(
  pairs: readonly { readonly a: Fields; readonly b: Fields }[],
  overlap: Likeness["overlap"],
): readonly { readonly a: Fields; readonly b: Fields }[] {
  const rated = pairs.map(({ a, b }) => ({ a, b, rate: overlap(a, b) }));
  return rated.sort((x, y) => y.rate - x.rate);
}

/** The same, reckoned only once for each element. */
function once<T>(reckon: (element: Fields) => T): (element: Fields) => T {
  const known = new Map<Fields, T>();
  return (element) => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const value = reckon(element);
    known.set(element, value);
    return value;
  };
}

/** Every member of every field, with the field's name. */
function tokensOf(element: Fields): ReadonlySet<string> {
  const members = Object.entries(element).flatMap(([field, value]) =>
    (isList(value) ? value : [value]).map((member: Value) => `${field} ${encodeCanonical(member)}`),
  );
  return new Set(members);
}

function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const token of a) if (b.has(token)) common++;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
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
