import { memoiseByKey } from "../../json/memoise.ts";
import { overlaps } from "./includes.ts";
import { findMatchingStems, indexPositions } from "./stem-index.ts";
import { getPatternHead } from "./syntax.ts";

/**
 * Finds out whether a pattern overlaps one of many, or may: of thousands only those are tried that begin alike, as far as
 * both say how they begin.
 */
export function createOverlapFinder(patterns: Iterable<string>): (pattern: string) => boolean {
  const all = [...new Set(patterns)].sort(compareHeads);
  const heads = all.map(getReachingHead);
  const positions = indexPositions(heads);
  return memoiseByKey((pattern) => {
    const head = getReachingHead(pattern);
    const mayOverlap = (at: number): boolean => overlaps(all[at] ?? "", pattern) !== "no";
    // Shorter ones or its own, then longer ones, which are in a row.
    if (findMatchingStems(positions, head).some(mayOverlap)) return true;
    for (let at = findFirst(heads, head); heads[at]?.startsWith(head); at++) if (mayOverlap(at)) return true;
    return false;
  });
}

function compareHeads(a: string, b: string): number {
  const [head, other] = [getReachingHead(a), getReachingHead(b)];
  return head < other ? -1 : head > other ? 1 : 0;
}

/** A variable may come to be anything. */
function getReachingHead(pattern: string): string {
  return pattern.includes("${") ? "" : getPatternHead(pattern);
}

/** The first of sorted texts that is not less than one. */
function findFirst(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
