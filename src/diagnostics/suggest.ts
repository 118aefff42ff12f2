/** What is longer is no name that anybody misspells. */
const longest = 256;

/** The candidate that a misspelt word most probably meant, the first of several, or undefined where none is near. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  const wanted = word.toLowerCase();
  const measure = measureFrom(wanted);
  let best: string | undefined;
  // The distance from which on a candidate is no better than what is known.
  let tooFar = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= tooFar) continue;
    const distance = measure(candidate.toLowerCase(), tooFar);
    if (distance >= tooFar) continue;
    best = candidate;
    tooFar = distance;
  }
  return best;
}

/**
 * Distances from one word, where insertions, deletions, substitutions and swaps of neighbours count one each (optimal
 * string alignment). Of what is `tooFar` or farther it only says so. Thousands of words may be held against thousands:
 * nothing is allocated for a pair.
 */
function measureFrom(word: string): (other: string, tooFar: number) => number {
  const shared = sharedWith(word);
  const length = word.length;
  let [beforeLast, last, row] = [new Uint16Array(length + 1), new Uint16Array(length + 1), new Uint16Array(length + 1)];
  return (other, tooFar) => {
    // Every character that the two do not share costs at least one.
    if (Math.max(length, other.length) - shared(other) >= tooFar) return tooFar;
    for (let j = 0; j <= length; j++) last[j] = j;
    for (let i = 1; i <= other.length; i++) {
      const character = other.charCodeAt(i - 1);
      // What is farther from the diagonal is too far: the cells outside the band say so.
      const from = Math.max(1, i - tooFar + 1);
      const to = Math.min(length, i + tooFar - 1);
      row[from - 1] = from === 1 ? i : tooFar;
      let least = row[from - 1] as number;
      for (let j = from; j <= to; j++) {
        const same = word.charCodeAt(j - 1) === character;
        let cost = (last[j - 1] as number) + (same ? 0 : 1);
        cost = Math.min(cost, (last[j] as number) + 1, (row[j - 1] as number) + 1);
        const isSwap =
          i > 1 && j > 1 && word.charCodeAt(j - 2) === character && word.charCodeAt(j - 1) === other.charCodeAt(i - 2);
        if (isSwap) cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
        row[j] = cost;
        if (cost < least) least = cost;
      }
      if (to < length) row[to + 1] = tooFar;
      // No later row gets below it: not by a swap either, as a row's least is at most one more than that before it.
      if (least >= tooFar) return tooFar;
      [beforeLast, last, row] = [last, row, beforeLast];
    }
    return Math.min(tooFar, last[length] as number);
  };
}

/** How many characters another text has in common with a word, in any order. */
function sharedWith(word: string): (other: string) => number {
  const slots = 64;
  const left = new Int16Array(slots);
  for (let at = 0; at < word.length; at++)
    left[word.charCodeAt(at) % slots] = (left[word.charCodeAt(at) % slots] as number) + 1;
  return (other) => {
    let shared = 0;
    for (let at = 0; at < other.length; at++) {
      const slot = other.charCodeAt(at) % slots;
      const count = left[slot] as number;
      if (count > 0) shared++;
      left[slot] = count - 1;
    }
    for (let at = 0; at < other.length; at++) {
      const slot = other.charCodeAt(at) % slots;
      left[slot] = (left[slot] as number) + 1;
    }
    return shared;
  };
}
