import { levelOf } from "../../dialects/requests.ts";
import type { Region } from "../../model/access.ts";
import { type Atom, atomsOf } from "../patterns/atoms.ts";
import { meets } from "../patterns/meets.ts";
import { expressionOf, isOpaque } from "../patterns/syntax.ts";
import { verdicts } from "./codes.ts";

/** Texts told apart by which of some patterns meet them, each part of them with one. */
export interface Parts {
  readonly patterns: readonly string[];
  readonly atoms: readonly Atom[];
  /** There were too many to tell them all apart. */
  readonly tooMany: boolean;
  /** Whether a pattern meets the texts of each part, as codes of verdicts. */
  readonly metBy: (pattern: string) => Uint8Array;
  /** Positions of all parts. */
  readonly every: readonly number[];
  /** Positions of the parts that are actions of a level. */
  readonly ofLevel: (level: "cluster" | "index") => readonly number[];
  /** Regions that were worked out before, by their parts. */
  readonly regions: Map<string, Region>;
}

/** Tells texts apart; the same patterns are worked out once. */
export type Parting = (patterns: ReadonlySet<string>, kind: "index" | "text") => Parts;

/** More parts than this are more than anybody reads, and take too long to tell apart. */
const mostParts = 1500;

export function parting(): Parting {
  const known = new Map<string, Parts>();
  return (patterns, kind) => {
    const sorted = [...patterns].sort();
    const key = JSON.stringify([kind, sorted]);
    const parts = known.get(key) ?? partsOf(sorted, kind);
    known.set(key, parts);
    return parts;
  };
}

function partsOf(patterns: readonly string[], kind: "index" | "text"): Parts {
  const { atoms, tooMany } = atomsOf(patterns, kind, mostParts);
  const met = new Map(toldBy(patterns, atoms));
  const positions = new Map(patterns.map((pattern, at) => [pattern, at]));
  const levels = new Map<string, readonly number[]>();
  return {
    patterns,
    atoms,
    tooMany,
    every: atoms.map((_, part) => part),
    metBy(pattern) {
      const found = met.get(pattern) ?? codesOf(pattern, positions.get(pattern), atoms);
      met.set(pattern, found);
      return found;
    },
    ofLevel(level) {
      const found =
        levels.get(level) ?? atoms.flatMap(({ example }, part) => (levelOf(example) === level ? [part] : []));
      levels.set(level, found);
      return found;
    },
    regions: new Map(),
  };
}

/** Of the patterns by which parts were told apart, which meet each, as far as that is all that is to be known. */
function toldBy(patterns: readonly string[], atoms: readonly Atom[]): ReadonlyMap<string, Uint8Array> {
  const found = patterns.map(() => new Uint8Array(atoms.length));
  for (const [part, { met }] of atoms.entries()) {
    for (const at of met) {
      const codes = found[at];
      if (codes) codes[part] = verdicts.yes;
    }
  }
  const isClear = (pattern: string): boolean => !isOpaque(pattern) && expressionOf(pattern) === undefined;
  return new Map(
    patterns.flatMap((pattern, at) => (isClear(pattern) ? [[pattern, found[at] ?? new Uint8Array()]] : [])),
  );
}

function codesOf(pattern: string, at: number | undefined, atoms: readonly Atom[]): Uint8Array {
  return Uint8Array.from(atoms, ({ met, example }) =>
    at !== undefined && met.includes(at) ? verdicts.yes : verdicts[meets(pattern, example)],
  );
}
