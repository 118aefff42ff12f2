import { encodeCanonical } from "./canonical.ts";
import { type Fields, isList } from "./value.ts";

/**
 * Pairs elements of two lists, the most alike first, each at most once; of equally good pairs the first.
 *
 * @param least the share of parts that a pair has in common, 0 to 1
 * @param mayPair asked before two are compared
 * @returns places on the left with their places on the right
 */
export function pairMostAlike(
  left: readonly Fields[],
  right: readonly Fields[],
  least: number,
  mayPair: (a: Fields, b: Fields) => boolean = () => true,
): ReadonlyMap<number, number> {
  if (left.length === 0 || right.length === 0) return new Map();
  const [partsOfLeft, partsOfRight] = [left.map(listParts), right.map(listParts)];
  const candidates = left.flatMap((a, at) =>
    right.flatMap((b, other) =>
      mayPair(a, b) ? [{ at, other, likeness: measureLikeness(partsOfLeft[at], partsOfRight[other]) }] : [],
    ),
  );
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  // The sort is stable.
  for (const { at, other, likeness } of candidates.sort((a, b) => b.likeness - a.likeness)) {
    if (likeness < least || partners.has(at) || taken.has(other)) continue;
    partners.set(at, other);
    taken.add(other);
  }
  return partners;
}

/**
 * Pairs elements of two lists so that all pairs together are as alike as can be, and no two of them cross. What has nothing
 * in common is not paired.
 *
 * @param mostWork more comparisons of parts than these, and nothing is paired
 * @returns places on the left and on the right, ascending
 */
export function pairInOrder(
  left: readonly Fields[],
  right: readonly Fields[],
  mostWork: number,
): readonly (readonly [number, number])[] {
  const [partsOfLeft, partsOfRight] = [left.map(listParts), right.map(listParts)];
  const work = partsOfLeft.reduce((sum, { size }) => sum + size + 1, 0) * right.length;
  if (work === 0 || work > mostWork) return [];
  const best = Array.from({ length: left.length + 1 }, () => new Float64Array(right.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const measurePair = (i: number, j: number) => {
    const likeness = measureLikeness(partsOfLeft[i], partsOfRight[j]);
    return likeness === 0 ? -1 : likeness + at(i + 1, j + 1);
  };
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      (best[i] as Float64Array)[j] = Math.max(measurePair(i, j), at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (measurePair(i, j) === at(i, j)) pairs.push([i++, j++]);
    else if (at(i + 1, j) === at(i, j)) i++;
    else j++;
  }
  return pairs;
}

const none: ReadonlySet<string> = new Set();

/** The share of parts that two have in common. */
function measureLikeness(a = none, b = none): number {
  let common = 0;
  for (const part of a) if (b.has(part)) common++;
  return common === 0 ? 0 : (2 * common) / (a.size + b.size);
}

/** Every member of every field, with the field's name. */
function listParts(element: Fields): ReadonlySet<string> {
  return new Set(
    Object.entries(element).flatMap(([field, value]) =>
      (isList(value) ? value : [value]).map((member) => `${field} ${encodeCanonical(member)}`),
    ),
  );
}
