import { type Alphabet, pickReadableChar } from "./alphabet.ts";
import { type Chars, end, everyCharacter, getCharCode, has } from "./chars.ts";
import type { CompiledPattern, Machine } from "./machine.ts";

/** Patterns side by side: the places of all their machines in one row, each machine with an end of its own. */
export interface Net {
  readonly alphabet: Alphabet;
  readonly places: readonly Place[];
  readonly start: State;
  /** How many of the places decide whether anything of the alphabet's shape is left. */
  readonly shape: number;
  /** States that were come by so far, by their places. */
  readonly states: Map<string, State>;
}

interface Place {
  readonly chars: Chars;
  /** Where one gets from here, counted from `base` on, ascending. */
  readonly next: readonly number[];
  readonly base: number;
  /** The first of the places that are not needed beside this one, its own number where there is none. */
  readonly replaces: number;
  /** At the end of a machine. */
  readonly ends?: End;
}

interface End {
  readonly machine: number;
  /** The pattern, -1 for the alphabet's shape, if this is no lookaround; and what of others it takes then. */
  readonly pattern?: number;
  readonly also?: readonly { readonly machine: number; readonly wanted: boolean }[];
}

/** All places of the net that a text may lead to. */
interface State {
  /** Ascending. */
  readonly at: readonly number[];
  /** Indexes of the patterns that match the string, ascending; undefined if its shape is not that of the alphabet. */
  readonly matched: readonly number[] | undefined;
  /** By the next character, as far as it was asked for. */
  readonly next: Map<number, State>;
}

interface Visit {
  readonly state: State;
  readonly code: number;
  readonly from: Visit | undefined;
}

export function buildNet(alphabet: Alphabet, patterns: readonly CompiledPattern[]): Net {
  const places: Place[] = [];
  const start: number[] = [];
  let machines = 0;
  const add = (machine: Machine, more: Omit<End, "machine">): number => {
    const base = places.length;
    for (const [at, { chars, next, replaces = at }] of machine.places.entries())
      places.push({ chars, next, base, replaces: base + replaces });
    const ends = { machine: machines, ...more };
    places.push({ chars: [], next: [], base, replaces: places.length, ends });
    start.push(...machine.start.map((at) => base + at));
    return machines++;
  };
  // Lookarounds of the shape do not say whether anything is left of it.
  const shaped = alphabet.shape.map(({ machine, also }, branch) => ({ machine, also, id: branch }));
  let later = shaped.length;
  for (const { machine, also } of shaped)
    add(machine, { pattern: -1, also: also.map(({ wanted }) => ({ machine: later++, wanted })) });
  const shape = places.length;
  for (const { also } of shaped) for (const one of also) add(one.machine, {});
  for (const [pattern, branches] of patterns.entries())
    for (const { machine, also } of branches) {
      const others = also.map((one) => ({ machine: add(one.machine, {}), wanted: one.wanted }));
      add(machine, { pattern, also: others });
    }
  const states = new Map<string, State>();
  return { alphabet, places, shape, states, start: getStateAt(places, states, start) };
}

/** Which patterns match a string, ascending indexes; undefined if the alphabet does not have it. */
export function findMatchingPatterns(net: Net, text: string): readonly number[] | undefined {
  let state = net.start;
  for (const char of text) {
    const code = getCharCode(char);
    if (!net.alphabet.admits(code)) return undefined;
    state = stepTo(net, state, code);
  }
  return state.matched;
}

/**
 * Visits the strings of the alphabet, the shortest first, each with the patterns that match it; leaves out strings
 * that no continuation distinguishes from a shorter one. Ends early where `found` says so ("stopped"), or where the
 * search is too large ("tooMany").
 *
 * @param spend takes what it cost, in places looked at
 */
export function searchStrings(
  net: Net,
  found: (matched: readonly number[], text: () => string) => boolean,
  spend: (effort: number) => void = () => {},
): "all" | "stopped" | "tooMany" {
  const visits: Visit[] = [{ state: net.start, code: -1, from: undefined }];
  const seen = new Set([net.start]);
  let effort = 0;
  for (const visit of visits) {
    const { at, matched } = visit.state;
    if (matched && found(matched, () => getVisitText(visit))) return "stopped";
    const codes = listCodesAt(net, at);
    const one = (codes.length + 1) * (countSteps(net, at) + 4);
    effort += one;
    spend(one);
    if (effort > mostEffort) return "tooMany";
    for (const code of codes) {
      const state = stepTo(net, visit.state, code);
      // Where nothing of the shape is left, no text goes on like this.
      if ((state.at[0] ?? net.shape) >= net.shape || seen.has(state)) continue;
      seen.add(state);
      visits.push({ state, code, from: visit });
    }
  }
  return "all";
}

/** In places looked at: some hundredths of a second. */
const mostEffort = 1_000_000;

function countSteps({ places }: Net, all: readonly number[]): number {
  return all.reduce((steps, at) => steps + (places[at]?.next.length ?? 0), all.length);
}

function stepTo({ places, states }: Net, state: State, code: number): State {
  const known = state.next.get(code);
  if (known) return known;
  const all: number[] = [];
  for (const at of state.at) {
    const place = places[at];
    if (place && has(place.chars, code)) for (const next of place.next) all.push(place.base + next);
  }
  const next = getStateAt(places, states, all);
  state.next.set(code, next);
  return next;
}

function getStateAt(places: readonly Place[], states: Map<string, State>, reached: readonly number[]): State {
  const at = pickNeeded(places, reached);
  const key = at.join();
  const state = states.get(key) ?? { at, matched: listMatchedAt(places, at), next: new Map() };
  states.set(key, state);
  return state;
}

/** Each once, ascending, without those that a later one replaces. */
function pickNeeded(places: readonly Place[], reached: readonly number[]): readonly number[] {
  const sorted = isAscending(reached) ? reached : [...new Set(reached)].sort((a, b) => a - b);
  let from = Number.POSITIVE_INFINITY;
  const kept: number[] = [];
  for (let index = sorted.length - 1; index >= 0; index--) {
    const at = sorted[index] ?? 0;
    if (at >= from) continue;
    kept.push(at);
    const { replaces = at } = places[at] ?? {};
    // Its own number where it replaces none.
    if (replaces < at) from = replaces;
  }
  return kept.reverse();
}

function isAscending(numbers: readonly number[]): boolean {
  for (let index = 1; index < numbers.length; index++)
    if ((numbers[index - 1] ?? 0) >= (numbers[index] ?? 0)) return false;
  return true;
}

function listMatchedAt(places: readonly Place[], all: readonly number[]): readonly number[] | undefined {
  const ends = all.flatMap((at) => places[at]?.ends ?? []);
  const accepted = new Set(ends.map(({ machine }) => machine));
  const matched = new Set<number>();
  for (const { pattern, also = [] } of ends)
    if (pattern !== undefined && also.every(({ machine, wanted }) => accepted.has(machine) === wanted))
      matched.add(pattern);
  return matched.delete(-1) ? [...matched].sort((a, b) => a - b) : undefined;
}

/** One character for each possible continuation, the most readable first. */
function listCodesAt({ alphabet, places }: Net, all: readonly number[]): readonly number[] {
  const edges = [0, end];
  for (const at of all) {
    const chars = places[at]?.chars ?? [];
    if (chars !== everyCharacter) edges.push(...chars);
  }
  edges.sort((a, b) => a - b);
  const found: (readonly [code: number, rank: number])[] = [];
  for (const [at, to] of edges.entries()) {
    const from = edges[at - 1] ?? 0;
    const one = from < to && pickReadableChar(alphabet, [from, to]);
    if (one) found.push(one);
  }
  return found.sort(([, a], [, b]) => a - b).map(([code]) => code);
}

function getVisitText(visit: Visit): string {
  const codes: number[] = [];
  for (let at: Visit | undefined = visit; at?.from; at = at.from) codes.push(at.code);
  return String.fromCodePoint(...codes.reverse());
}
