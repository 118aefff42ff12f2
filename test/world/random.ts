/** A stream of numbers that is the same for the same seed, on every machine. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** An integer, 0 ≤ x < limit. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some different items, `least` to `most` of them as far as there are so many. */
  some<T>(items: readonly T[], least: number, most: number): T[];
  shuffled<T>(items: Iterable<T>): T[];
}

/** Texts make it easy to have a stream for each part of a world, so that leaving one part out moves no other. */
export function randomFrom(seed: string | number): Random {
  const next = mulberry32(hashOf(String(seed)));
  const below = (limit: number) => Math.floor(next() * limit);
  const shuffled = <T>(items: Iterable<T>): T[] => {
    const result = [...items];
    for (let index = result.length - 1; index > 0; index--) {
      const other = below(index + 1);
      [result[index], result[other]] = [result[other] as T, result[index] as T];
    }
    return result;
  };
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => {
      if (items.length === 0) throw new Error("bug: nothing to pick from");
      return items[below(items.length)] as (typeof items)[number];
    },
    some: (items, least, most) => {
      const count = Math.min(least + below(most - least + 1), items.length);
      // Drawing beats shuffling a long list for a handful.
      const chosen = new Set<(typeof items)[number]>();
      while (chosen.size < count) chosen.add(items[below(items.length)] as (typeof items)[number]);
      return [...chosen];
    },
    shuffled,
  };
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
