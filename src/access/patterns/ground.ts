import type { Alphabet } from "./alphabet.ts";
import { metBy, type Net, netOf } from "./search.ts";
import { headOf, readPattern, stemOf } from "./syntax.ts";

/** Patterns that are not spelt out, and how they tell texts apart. */
export interface Ground {
  readonly alphabet: Alphabet;
  /** Those of the net, then those of the stems. */
  readonly open: readonly string[];
  readonly net: Net;
  readonly stems: Stems;
  /** Which of them meet a text, ascending; undefined if it is none of the alphabet. */
  readonly metBy: (text: string) => readonly number[] | undefined;
}

/** What a text has to begin with to be met, and by which patterns then. */
export type Stems = ReadonlyMap<string, readonly number[]>;

/**
 * Nearly all patterns are a stem with a star. Where no other pattern has to do with what begins so, all that such a one
 * meets begins with its stem, and with those that are the beginning of that: it needs no net. Each of these stems has a
 * text that meets no more, as others leave most of what may follow it.
 */
export function groundOf(patterns: readonly string[], alphabet: Alphabet): Ground {
  const heads = positionsOf(patterns.filter((pattern) => stemOf(pattern) === undefined).map(headOf));
  const bare = netOf(alphabet, []);
  const apart = patterns.filter((pattern) => {
    const stem = stemOf(pattern);
    if (stem === undefined || stemsMetBy(heads, stem).length > 0) return false;
    // There may be no text that begins so.
    return metBy(bare, `${stem}a`) !== undefined;
  });
  const isApart = new Set(apart);
  const netted = patterns.filter((pattern) => !isApart.has(pattern));
  const net = netOf(
    alphabet,
    netted.map((pattern) => readPattern(pattern)?.compiled ?? []),
  );
  const stems = positionsOf(
    apart.map((pattern) => stemOf(pattern) ?? ""),
    netted.length,
  );
  return {
    alphabet,
    open: [...netted, ...apart],
    net,
    stems,
    metBy(text) {
      const met = metBy(net, text);
      return met && [...met, ...stemsMetBy(stems, text)];
    },
  };
}

/** The patterns of the stems that a text begins with, ascending. */
export function stemsMetBy(stems: Stems, text: string): readonly number[] {
  const met: number[] = [];
  for (let length = 0; length <= text.length; length++) met.push(...(stems.get(text.slice(0, length)) ?? []));
  return met.sort((a, b) => a - b);
}

/** Where each text stands, counted from `first` on. */
export function positionsOf(texts: readonly string[], first = 0): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    const all = positions.get(text);
    if (all) all.push(first + at);
    else positions.set(text, [first + at]);
  }
  return positions;
}
