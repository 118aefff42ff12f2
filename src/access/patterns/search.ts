import { type Alphabet, nicest } from "./alphabet.ts";
import { any, type Chars, end, has } from "./chars.ts";
import type { Sequence } from "./syntax.ts";

/** Patterns side by side: the items of all their sequences in one row, each sequence with an end of its own. */
export interface Net {
  readonly alphabet: Alphabet;
  readonly places: readonly Place[];
  readonly start: State;
  /** How many of the places are those of the alphabet's shape. */
  readonly shape: number;
}

interface Place {
  readonly chars: Chars;
  readonly many: boolean;
  /** Where the sequence begins, and how far on one gets from here without a character. */
  readonly first: number;
  readonly last: number;
  /** At the end of a sequence: the pattern it belongs to, -1 for the alphabet's shape. */
  readonly ends?: number;
}

/** Places where one can be after a text, ascending. */
type State = readonly number[];

interface Visit {
  readonly state: State;
  readonly code: number;
  readonly from: Visit | undefined;
}

export function netOf(alphabet: Alphabet, patterns: readonly (readonly Sequence[])[]): Net {
  const places: Place[] = [];
  const start: number[] = [];
  let shape = 0;
  for (const [index, sequences] of [alphabet.shape, ...patterns].entries()) {
    for (const items of sequences) {
      const first = places.length;
      for (const [at, { chars, many }] of items.entries()) {
        const next = items.findIndex((item, other) => other >= at && !item.optional);
        places.push({ chars, many, first, last: first + (next < 0 ? items.length : next) });
      }
      const last = places.length;
      places.push({ chars: [], many: false, first, last, ends: index - 1 });
      enter(places, start, first);
    }
    if (index === 0) shape = places.length;
  }
  return { alphabet, places, start, shape };
}

/** Which patterns meet a text, ascending; undefined if the alphabet does not have it. */
export function metBy({ alphabet, places, start }: Net, text: string): readonly number[] | undefined {
  let state = start;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (!alphabet.admits(code)) return undefined;
    state = after(places, state, code);
  }
  return metIn(places, state);
}

/**
 * The texts of the alphabet, the shortest first, but for those that no continuation tells from a shorter one: each with
 * the patterns that meet it. Ends early where `found` says so ("stopped"), or where it would take too long ("tooMany").
 */
export function search(
  { alphabet, places, start, shape }: Net,
  found: (met: readonly number[], text: () => string) => boolean,
): "all" | "stopped" | "tooMany" {
  const visits: Visit[] = [{ state: start, code: -1, from: undefined }];
  const seen = new Set([start.join()]);
  let effort = 0;
  for (const visit of visits) {
    const { state } = visit;
    const met = metIn(places, state);
    if (met && found(met, () => textOf(visit))) return "stopped";
    const codes = codesAt(alphabet, places, state);
    effort += (codes.length + 1) * (state.length + 4);
    if (effort > mostEffort) return "tooMany";
    for (const code of codes) {
      const next = after(places, state, code);
      // Nothing of the shape is left: no text goes on like this.
      if ((next[0] ?? shape) >= shape) continue;
      const key = next.join();
      if (seen.has(key)) continue;
      seen.add(key);
      visits.push({ state: next, code, from: visit });
    }
  }
  return "all";
}

/** In places looked at: some hundredths of a second. */
const mostEffort = 1_000_000;

/** Goes to a place and on to those behind it that need no character. */
function enter(places: readonly Place[], state: number[], target: number): void {
  const { first = 0, last = target } = places[target] ?? {};
  for (let at = Math.max(target, (state.at(-1) ?? -1) + 1); at <= last; at++) {
    const place = places[at];
    // Whatever an earlier place of the sequence still meets, one that takes all there is meets as well.
    if (place?.many && place.chars === any) while ((state.at(-1) ?? -1) >= first) state.pop();
    state.push(at);
  }
}

function after(places: readonly Place[], state: State, code: number): State {
  const next: number[] = [];
  for (const at of state) {
    const place = places[at];
    if (place && has(place.chars, code)) enter(places, next, place.many ? at : at + 1);
  }
  return next;
}

function metIn(places: readonly Place[], state: State): readonly number[] | undefined {
  const met: number[] = [];
  for (const at of state) {
    const ends = places[at]?.ends;
    if (ends !== undefined && ends !== met.at(-1)) met.push(ends);
  }
  return met.shift() === -1 ? met : undefined;
}

/** A character for each way in which it can go on, the nicest first. */
function codesAt(alphabet: Alphabet, places: readonly Place[], state: State): readonly number[] {
  const edges = [0, end];
  for (const at of state) {
    const chars = places[at]?.chars ?? [];
    if (chars !== any) edges.push(...chars);
  }
  edges.sort((a, b) => a - b);
  const found: (readonly [code: number, rank: number])[] = [];
  for (const [at, to] of edges.entries()) {
    const from = edges[at - 1] ?? 0;
    const one = from < to && nicest(alphabet, [from, to]);
    if (one) found.push(one);
  }
  return found.sort(([, a], [, b]) => a - b).map(([code]) => code);
}

function textOf(visit: Visit): string {
  const codes: number[] = [];
  for (let at: Visit | undefined = visit; at?.from; at = at.from) codes.push(at.code);
  return String.fromCodePoint(...codes.reverse());
}
