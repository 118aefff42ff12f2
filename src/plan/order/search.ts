/** Pieces of work, each of one lane; a request takes some of one lane. Sets of pieces are bits. */
export interface Space {
  /** The lane of each piece. */
  readonly lanes: readonly number[];
  /** What is made before anything is chosen. */
  readonly start: bigint;
  /** Whether a request may lead from one state to another that is not the last. */
  readonly allows: (made: bigint, next: bigint) => boolean;
}

/**
 * What is made after each of so many requests, until all is; undefined where no choice is allowed all the way. Lanes are
 * tried in their order, and as much of a lane as is left at first: what is found first is nearest to the usual.
 */
export function routeThrough(space: Space, requests: number): readonly bigint[] | undefined {
  const all = (1n << BigInt(space.lanes.length)) - 1n;
  const lanes = masksOf(space.lanes);
  const failed = new Set<string>();
  const from = (made: bigint, left: number): readonly bigint[] | undefined => {
    if (made === all) return [];
    const open = lanes.map((lane) => lane & ~made).filter((lane) => lane !== 0n);
    const key = `${left} ${made}`;
    if (open.length > left || failed.has(key)) return undefined;
    for (const lane of open) {
      // Each of the others needs a request, too.
      const choices = open.length === left ? [lane] : partsOf(lane);
      for (const choice of choices) {
        const next = made | choice;
        if (next !== all && !space.allows(made, next)) continue;
        const rest = from(next, left - 1);
        if (rest) return [next, ...rest];
      }
    }
    failed.add(key);
    return undefined;
  };
  return from(space.start, requests);
}

function masksOf(lanes: readonly number[]): readonly bigint[] {
  const masks = new Map<number, bigint>();
  for (const [piece, lane] of lanes.entries()) masks.set(lane, (masks.get(lane) ?? 0n) | (1n << BigInt(piece)));
  return [...masks].sort(([a], [b]) => a - b).map(([, mask]) => mask);
}

/** All that can be taken of some bits, the most first. */
function partsOf(bits: bigint): readonly bigint[] {
  const single: bigint[] = [];
  for (let bit = 1n; bit <= bits; bit <<= 1n) if (bits & bit) single.push(bit);
  const parts = [0n];
  for (const bit of single) parts.push(...parts.map((part) => part | bit));
  return parts
    .slice(1)
    .map((part) => ({ part, size: sizeOf(part) }))
    .sort((a, b) => b.size - a.size)
    .map(({ part }) => part);
}

function sizeOf(bits: bigint): number {
  return bits.toString(2).replaceAll("0", "").length;
}
