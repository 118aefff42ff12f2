import { type Alphabet, nicest } from "./alphabet.ts";
import { type Chars, codeOf, end, everyCharacter, has } from "./chars.ts";
import type { Sequence } from "./syntax.ts";

/** Patterns side by side: the items of all their sequences in one row, each sequence with an end of its own. */
export interface Net {
  readonly alphabet: Alphabet;
  readonly places: readonly Place[];
  readonly start: State;
  /** How many of the places are those of the alphabet's shape. */
  readonly shape: number;
  /** States that were come by so far, by their places. */
  readonly states: Map<string, State>;
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

/** Where one can be after a text. */
interface State {
  /** Ascending. */
  readonly at: readonly number[];
  /** The patterns that meet the text, ascending; undefined if its shape is not that of the alphabet. */
  readonly met: readonly number[] | undefined;
  /** By the next character, as far as it was asked for. */
  readonly next: Map<number, State>;
}

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
  const states = new Map<string, State>();
  return { alphabet, places, shape, states, start: stateAt(places, states, start) };
}

/** Which patterns meet a text, ascending; undefined if the alphabet does not have it. */
export function metBy(net: Net, text: string): readonly number[] | undefined {
  let state = net.start;
  for (const char of text) {
    const code = codeOf(char);
    if (!net.alphabet.admits(code)) return undefined;
    state = after(net, state, code);
  }
  return state.met;
}

/**
 * The texts of the alphabet, the shortest first, but for those that no continuation tells from a shorter one: each with
 * the patterns that meet it. Ends early where `found` says so ("stopped"), or where it would take too long ("tooMany").
 */
export function search(
  net: Net,
  found: (met: readonly number[], text: () => string) => boolean,
): "all" | "stopped" | "tooMany" {
  const visits: Visit[] = [{ state: net.start, code: -1, from: undefined }];
  const seen = new Set([net.start]);
  let effort = 0;
  for (const visit of visits) {
    const { at, met } = visit.state;
    if (met && found(met, () => textOf(visit))) return "stopped";
    const codes = codesAt(net, at);
    effort += (codes.length + 1) * (at.length + 4);
    if (effort > mostEffort) return "tooMany";
    for (const code of codes) {
      const state = after(net, visit.state, code);
      // Where nothing of the shape is left, no text goes on like this.
      if ((state.at[0] ?? net.shape) >= net.shape || seen.has(state)) continue;
      seen.add(state);
      visits.push({ state, code, from: visit });
    }
  }
  return "all";
}

/** In places looked at: some hundredths of a second. */
const mostEffort = 500_000;

/** Goes to a place and on to those behind it that need no character. */
function enter(places: readonly Place[], all: number[], target: number): void {
  const { first = 0, last = target } = places[target] ?? {};
  for (let at = Math.max(target, (all.at(-1) ?? -1) + 1); at <= last; at++) {
    const place = places[at];
    // Whatever an earlier place of the sequence still meets, one that takes all there is meets as well.
    if (place?.many && place.chars === everyCharacter) while ((all.at(-1) ?? -1) >= first) all.pop();
    all.push(at);
  }
}

function after({ places, states }: Net, state: State, code: number): State {
  const known = state.next.get(code);
  if (known) return known;
  const all: number[] = [];
  for (const at of state.at) {
    const place = places[at];
    if (place && has(place.chars, code)) enter(places, all, place.many ? at : at + 1);
  }
  const next = stateAt(places, states, all);
  state.next.set(code, next);
  return next;
}

function stateAt(places: readonly Place[], states: Map<string, State>, all: readonly number[]): State {
  const key = all.join();
  const state = states.get(key) ?? { at: all, met: metAt(places, all), next: new Map() };
  states.set(key, state);
  return state;
}

function metAt(places: readonly Place[], all: readonly number[]): readonly number[] | undefined {
  const met: number[] = [];
  for (const at of all) {
    const ends = places[at]?.ends;
    if (ends !== undefined && ends !== met.at(-1)) met.push(ends);
  }
  return met.shift() === -1 ? met : undefined;
}

/** A character for each way in which it can go on, the nicest first. */
function codesAt({ alphabet, places }: Net, all: readonly number[]): readonly number[] {
  const edges = [0, end];
  for (const at of all) {
    const chars = places[at]?.chars ?? [];
    if (chars !== everyCharacter) edges.push(...chars);
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
