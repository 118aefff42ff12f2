import { memoiseByObject } from "../../json/memoise.ts";
import type { Alphabet } from "./alphabet.ts";
import { buildNet, findMatchingPatterns, type Net } from "./search.ts";
import { getPatternHead, getStem, readPattern } from "./syntax.ts";

/** Patterns that are no literals, and how they part strings. */
export interface StemIndex {
  readonly alphabet: Alphabet;
  /** Those of the net, then those of the stems. */
  readonly open: readonly string[];
  readonly net: Net;
  readonly stems: Stems;
  /** Indexes of the patterns that match a string, ascending; undefined if it is not in the alphabet. */
  readonly matchedBy: (text: string) => readonly number[] | undefined;
}

/** What a string has to begin with to be matched, and by which patterns. */
export type Stems = ReadonlyMap<string, readonly number[]>;

/**
 * Nearly all patterns are a stem with a star. Where no other pattern can match such a beginning, all matches begin
 * with the stem: it needs no automaton. Each of these stems has a string that matches nothing more, as other patterns
 * leave most continuations free.
 */
export function buildStemIndex(patterns: readonly string[], alphabet: Alphabet): StemIndex {
  const heads = indexPositions(patterns.filter((pattern) => getStem(pattern) === undefined).map(getPatternHead));
  const bare = bareNet(alphabet);
  const apart = patterns.filter((pattern) => {
    const stem = getStem(pattern);
    if (stem === undefined || findMatchingStems(heads, stem).length > 0) return false;
    // There may be no text that begins so.
    return findMatchingPatterns(bare, `${stem}a`) !== undefined;
  });
  const isApart = new Set(apart);
  const netted = patterns.filter((pattern) => !isApart.has(pattern));
  const compiled = netted.map((pattern) => readPattern(pattern)?.compiled ?? []);
  const net = compiled.length === 0 ? bare : buildNet(alphabet, compiled);
  const stems = indexPositions(
    apart.map((pattern) => getStem(pattern) ?? ""),
    netted.length,
  );
  return {
    alphabet,
    open: [...netted, ...apart],
    net,
    stems,
    matchedBy(text) {
      const matched = findMatchingPatterns(net, text);
      return matched && [...matched, ...findMatchingStems(stems, text)];
    },
  };
}

/** Of no patterns: which texts the alphabet has. */
const bareNet = memoiseByObject((alphabet: Alphabet) => buildNet(alphabet, []));

/** The patterns of the stems that a text begins with, ascending. */
export function findMatchingStems(stems: Stems, text: string): readonly number[] {
  const matched: number[] = [];
  for (const length of listLengths(stems)) {
    if (length > text.length) break;
    const found = stems.get(text.slice(0, length));
    if (found) for (const at of found) matched.push(at);
  }
  return matched.length > 1 ? matched.sort((a, b) => a - b) : matched;
}

/** Of the stems, ascending. */
const listLengths = memoiseByObject((stems: Stems): readonly number[] =>
  [...new Set([...stems.keys()].map((stem) => stem.length))].sort((a, b) => a - b),
);

/** The positions of each string, counted from `first` on. */
export function indexPositions(texts: readonly string[], first = 0): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    const all = positions.get(text);
    if (all) all.push(first + at);
    else positions.set(text, [first + at]);
  }
  return positions;
}
