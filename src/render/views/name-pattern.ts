/** In the place of the word by which entries that are made from one pattern differ. */
export const hole = "…";

/**
 * Of entries that differ only by a word of their names, wherever that is in them, what all of them look like, and the
 * word of each. `hr_reader` of `hr-*` and `it_reader` of `it-*` are both `…_reader` of `…-*`.
 */
export interface PatternLooks {
  /** The name, then the lines, with {@link hole} for the word. */
  readonly key: string;
  readonly word: string;
}

/** What is shown of an entry, and what of it must be the same of all. */
export interface EntryLooks {
  readonly name: string;
  readonly text: string;
  /** No word of these is one by which entries may differ. */
  readonly fixed: readonly string[];
}

/** @param least so many make a pattern */
export function findNamePatterns<T>(
  items: readonly T[],
  looksOf: (item: T) => EntryLooks,
  least: number,
): ReadonlyMap<T, PatternLooks> {
  const candidates = items.map((item) => [item, listPatterns(looksOf(item))] as const);
  const counts = new Map<string, number>();
  for (const [, patterns] of candidates) for (const { key } of patterns) counts.set(key, (counts.get(key) ?? 0) + 1);
  const countOf = ({ key }: PatternLooks) => counts.get(key) ?? 0;
  return new Map(
    candidates.flatMap(([item, patterns]) => {
      const [most] = patterns.toSorted((a, b) => countOf(b) - countOf(a) || b.word.length - a.word.length);
      return most && countOf(most) >= least ? [[item, most] as const] : [];
    }),
  );
}

function listPatterns({ name, text, fixed }: EntryLooks): readonly PatternLooks[] {
  if (name.includes(hole) || text.includes(hole)) return [];
  const words = new Set(name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""));
  return [...words]
    .filter((word) => fixed.every((one) => putHole(one, word) === one))
    .map((word) => ({ key: `${putHole(name, word)}\n${putHole(text, word)}`, word }));
}

/** The text with a hole wherever the word is; of a single character, which is in too many words, where it is a word. */
export function putHole(text: string, word: string): string {
  if (word.length > 1) return text.replaceAll(word, hole);
  return text.replace(/[\p{L}\p{N}]+/gu, (one) => (one === word ? hole : one));
}
