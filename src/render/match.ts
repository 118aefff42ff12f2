import { canonicalText } from "../json/canonical.ts";
import { type Fields, isList, type Value } from "../json/value.ts";

/** Two elements of a multiset that are the same thing before and after; one of them alone was added or removed. */
export interface Pair {
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
 * rest. Pairs stand in the order of `before`, additions last in the order of `after`.
 */
export function matchElements(before: readonly Fields[], after: readonly Fields[], key: string): readonly Pair[] {
  const [left, right] = withoutEqual(before, after);
  const partners = new Map<Fields, Fields>();
  pairUp(left, right, partners, (a, b) => sameKey(a, b, key));
  pairUp(left, right, partners, (_a, _b, overlap) => overlap >= leastOverlap);
  const taken = new Set(partners.values());
  return [
    ...left.map((element): Pair => {
      const partner = partners.get(element);
      return partner === undefined ? { before: element } : { before: element, after: partner };
    }),
    ...right.filter((element) => !taken.has(element)).map((element): Pair => ({ after: element })),
  ];
}

/** Each equal one is taken off once on either side: a multiset may hold it several times. */
function withoutEqual(
  before: readonly Fields[],
  after: readonly Fields[],
): readonly [readonly Fields[], readonly Fields[]] {
  const counts = new Map<string, number>();
  for (const element of after) bump(counts, canonicalText(element), 1);
  const left = before.filter((element) => !takeOne(counts, canonicalText(element)));
  // What is still counted has no equal before.
  const right = [...after].reverse().filter((element) => takeOne(counts, canonicalText(element)));
  return [left.map(copy), right.reverse().map(copy)];
}

/** The most alike first; ties by position, so that the same input gives the same pairs. */
function pairUp(
  left: readonly Fields[],
  right: readonly Fields[],
  partners: Map<Fields, Fields>,
  belong: (a: Fields, b: Fields, overlap: number) => boolean,
): void {
  const taken = new Set(partners.values());
  const open = left.filter((element) => !partners.has(element));
  const free = right.filter((element) => !taken.has(element));
  if (open.length * free.length > mostComparisons) return;
  const candidates: { a: Fields; b: Fields; overlap: number }[] = [];
  const tokens = new Map([...open, ...free].map((element) => [element, tokensOf(element)]));
  for (const a of open) {
    for (const b of free) {
      const overlap = overlapOf(tokens.get(a) ?? new Set(), tokens.get(b) ?? new Set());
      if (belong(a, b, overlap)) candidates.push({ a, b, overlap });
    }
  }
  // The sort is stable: of equally good ones, the first.
  for (const { a, b } of candidates.sort((x, y) => y.overlap - x.overlap)) {
    if (partners.has(a) || taken.has(b)) continue;
    partners.set(a, b);
    taken.add(b);
  }
}

function sameKey(a: Fields, b: Fields, key: string): boolean {
  return canonicalText(a[key] ?? []) === canonicalText(b[key] ?? []);
}

/** Every member of every field, with the field's name. */
function tokensOf(element: Fields): ReadonlySet<string> {
  const members = Object.entries(element).flatMap(([field, value]) =>
    (isList(value) ? value : [value]).map((member: Value) => `${field} ${canonicalText(member)}`),
  );
  return new Set(members);
}

/** The share of members that two elements have in common, 0 to 1. */
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
