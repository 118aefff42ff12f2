/** Those with the same key together, in the order of the first of each. */
export function groupItems<T>(items: Iterable<T>, keyOf: (item: T) => string): readonly [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Each once, in the order of the first; two are the same where their JSON is. */
export function listDistinct<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** The index of the first item from which on a check holds, by halving; the length of the list where it holds for none. */
export function findFirstIndex<T>(sorted: readonly T[], isReached: (item: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
