import { combineAny, negate, type Verdict } from "../verdict.ts";
import { anyText } from "./alphabet.ts";
import type { Expression } from "./expression.ts";
import { includes } from "./includes.ts";
import { buildNet, findMatchingPatterns } from "./search.ts";
import { isLiteral, readPattern } from "./syntax.ts";

/** User names and backend roles, or addresses that requests come from. */
export type NameKind = "names" | "addresses";

/**
 * Which share of the names that people, services and machines have some patterns match together, from 0 to 1, in the
 * kind of names (lower-case words, e-mail addresses, IPv6 …) where that is greatest. `most` counts those names of
 * which it is unknown as well. Names that are written down count for nothing: a thousand literals have breadth 0. By
 * a fixed sample of names: `*` and `??*` are 1, `/[^q]*` with `*q*` 1, `/[a-m].*` about a half, `a*` less than a
 * tenth, `ci-*` 0.
 */
export interface Breadth {
  readonly least: number;
  readonly most: number;
}

export function measureBreadth(patterns: readonly string[], kind: NameKind): Breadth {
  const open = [...new Set(patterns)].filter((pattern) => !isLiteral(pattern) && !listWrittenNames(pattern));
  if (open.length === 0) return { least: 0, most: 0 };
  const read = open.flatMap((pattern) => readPattern(pattern)?.compiled ?? []);
  const isUnsure = open.some((pattern) => readPattern(pattern) === undefined);
  const net = buildNet(anyText, [read]);
  const shares = getSamples()[kind].map(
    (names) => names.filter((name) => findMatchingPatterns(net, name)?.length).length / names.length,
  );
  const least = Math.max(...shares);
  return { least, most: isUnsure ? 1 : least };
}

/** Whether patterns together match nearly all names of a kind: by a share of names, see `breadthOf`. */
export function matchNearlyAll(patterns: readonly string[], kind: NameKind): Verdict {
  const { least, most } = measureBreadth(patterns, kind);
  if (least >= nearlyAll) return "yes";
  return most >= nearlyAll ? "unknown" : "no";
}

/** A pattern that matches half of all names is about more than those that begin alike. */
const nearlyAll = 0.5;

/** Whether patterns match a name that none of them writes down, as a literal and `/(ana|bob)/` do. */
export function matchUnwritten(patterns: readonly string[]): Verdict {
  const written = patterns.flatMap((pattern) => (isLiteral(pattern) ? [pattern] : (listWrittenNames(pattern) ?? [])));
  const open = patterns.filter((pattern) => !isLiteral(pattern) && !listWrittenNames(pattern));
  return combineAny(open.map((pattern) => negate(includes(written, pattern))));
}

/** Whether a pattern certainly matches no two names. */
export function matchesOneName(pattern: string): boolean {
  return isLiteral(pattern) || (listWrittenNames(pattern)?.length ?? 2) < 2;
}

const mostWritten = 64;

/** The names that a regular expression spells out, where these are few. */
function listWrittenNames(pattern: string): readonly string[] | undefined {
  const read = readPattern(pattern);
  if (!read?.compiled.every(({ also }) => also.length === 0)) return undefined;
  return listNamesOf(read.expression);
}

function listNamesOf(expression: Expression): readonly string[] | undefined {
  switch (expression.kind) {
    case "one": {
      const { chars } = expression;
      let names: string[] = [];
      for (let at = 0; at < chars.length; at += 2) {
        const [from = 0, to = 0] = [chars[at], chars[at + 1]];
        if (names.length + to - from > mostWritten) return undefined;
        names = [...names, ...Array.from({ length: to - from }, (_, more) => String.fromCodePoint(from + more))];
      }
      return names;
    }
    case "sequence":
      return expression.parts.reduce<readonly string[] | undefined>(
        (names, part) => joinNames(names, listNamesOf(part)),
        [""],
      );
    case "choice": {
      const all = expression.options.map(listNamesOf);
      const names = all.flatMap((some) => some ?? []);
      return all.includes(undefined) || names.length > mostWritten ? undefined : names;
    }
    case "repeat": {
      const { least, most } = expression;
      const each = most > mostWritten ? undefined : listNamesOf(expression.of);
      if (!each) return undefined;
      let names: readonly string[] = least === 0 ? [""] : [];
      let power: readonly string[] | undefined = [""];
      for (let time = 1; time <= most; time++) {
        power = joinNames(power, each);
        if (!power || names.length > mostWritten) return undefined;
        if (time >= least) names = [...names, ...power];
      }
      return names;
    }
    case "anchor":
      return [""];
    default:
      return undefined;
  }
}

function joinNames(before: readonly string[] | undefined, after: readonly string[] | undefined) {
  if (!before || !after || before.length * after.length > mostWritten) return undefined;
  return before.flatMap((first) => after.map((second) => first + second));
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

type Samples = Readonly<Record<NameKind, readonly (readonly string[])[]>>;

let samples: Samples | undefined;

/** The same names at each time: one list for each kind of names that a cluster has. */
function getSamples(): Samples {
  samples ??= {
    names: [
      sampleOf((next) => next.word(lower, 3, 12)),
      sampleOf((next) => next.word(lower + digits, 4, 16)),
      sampleOf((next) => `${next.word(lower, 2, 8)}${next.one("-_.")}${next.word(lower + digits, 2, 8)}`),
      sampleOf(
        (next) =>
          `${next.word(lower, 2, 8)}.${next.word(lower, 3, 9)}@${next.word(lower, 3, 9)}.${next.one(["org", "com", "de"])}`,
      ),
      sampleOf((next) => `CN=${next.word(lower, 3, 9)},OU=${next.word(lower, 2, 6)},O=${next.word(lower, 3, 8)}`),
      sampleOf((next) => next.word(lower.toUpperCase() + digits, 4, 10)),
    ],
    addresses: [
      sampleOf((next) => [1, 2, 3, 4].map(() => next.below(256)).join(".")),
      sampleOf((next) => Array.from({ length: 8 }, () => next.below(0x10000).toString(16)).join(":")),
      sampleOf((next) => `${next.word(lower, 3, 9)}.${next.word(lower, 3, 9)}.${next.one(["org", "com", "example"])}`),
    ],
  };
  return samples;
}

interface Next {
  readonly below: (limit: number) => number;
  readonly one: <T extends string>(of: readonly T[] | string) => string;
  readonly word: (alphabetics: string, least: number, most: number) => string;
}

function sampleOf(make: (next: Next) => string): readonly string[] {
  let state = 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one: Next["one"] = (of) => of[below(of.length)] ?? "";
  const word: Next["word"] = (alphabetics, least, most) =>
    Array.from({ length: least + below(most - least + 1) }, () => one(alphabetics)).join("");
  return Array.from({ length: 200 }, () => make({ below, one, word }));
}
