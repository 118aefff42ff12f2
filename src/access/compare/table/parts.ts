import { getActionLevel } from "../../../dialects/requests.ts";
import type { Semantics } from "../../../dialects/semantics.ts";
import { memoiseByKey } from "../../../json/memoise.ts";
import type { Region } from "../../../model/access.ts";
import { partitionIndexNames } from "../../evaluate/partition-indices.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import { type NamePartition, partitionNames } from "../../patterns/partition.ts";
import { getExpressionText, isOpaque } from "../../patterns/syntax.ts";
import { combineAny } from "../../verdict.ts";
import { verdicts } from "./codes.ts";

/** Strings, parted by which of some patterns match them; `cells` has one entry for each part. */
export interface NameParts {
  readonly patterns: readonly string[];
  readonly cells: readonly NamePartition[];
  /** There were too many parts to find all of them. */
  readonly tooMany: boolean;
  /** What it cost to find them, in places of patterns looked at. */
  readonly effort: number;
  /** Whether a pattern matches the strings of each part, as codes of verdicts. */
  readonly matchedBy: (pattern: string) => Uint8Array;
  /** The same part by part, and the positions of the parts that a pattern matches, or may: of most patterns there are few. */
  readonly codesOf: (pattern: string) => (part: number) => number;
  readonly listMatched: (pattern: string) => readonly number[];
  /** Positions of all parts. */
  readonly every: readonly number[];
  /** Positions of the parts that are actions of a level. */
  readonly ofLevel: (level: "cluster" | "index") => readonly number[];
  /** Regions that were worked out before, by their parts. */
  readonly regions: Map<string, Region>;
}

/** Parts strings by patterns; remembers the result for each set of patterns. */
export type PartFinder = (patterns: ReadonlySet<string>, kind: "index" | "text", semantics?: Semantics) => NameParts;

/** More parts than these are not readable and take too long to find. */
const mostParts = 1500;

export function createParting(): PartFinder {
  const known = new Map<string, NameParts>();
  return (patterns, kind, semantics) => {
    const sorted = [...patterns].sort();
    const key = JSON.stringify([kind, sorted]);
    const parts = known.get(key) ?? createParts(sorted, kind, semantics);
    known.set(key, parts);
    return parts;
  };
}

function createParts(patterns: readonly string[], kind: "index" | "text", semantics?: Semantics): NameParts {
  const { cells, tooMany, effort } = semantics
    ? partitionIndexNames(patterns, semantics, mostParts)
    : partitionNames(patterns, kind, mostParts);
  const positions = new Map(patterns.map((pattern, at) => [pattern, at]));
  const matched = listMatchedParts(patterns, cells);
  const matchedBy = memoiseByKey((pattern: string) => {
    const known = matched.get(pattern);
    return known ? markParts(known, cells.length) : computeCodes(pattern, positions.get(pattern), cells, semantics);
  });
  const every = cells.map((_, part) => part);
  const listMatched = memoiseByKey((pattern: string) => {
    const codes = matchedBy(pattern);
    return every.filter((part) => codes[part] !== verdicts.no);
  });
  return {
    patterns,
    cells,
    tooMany,
    effort,
    every,
    matchedBy,
    codesOf(pattern) {
      if (!matched.has(pattern)) {
        const codes = matchedBy(pattern);
        return (part) => codes[part] ?? verdicts.no;
      }
      const position = positions.get(pattern) ?? -1;
      return (part) => (cells[part]?.matched.includes(position) ? verdicts.yes : verdicts.no);
    },
    listMatched: (pattern) => matched.get(pattern) ?? listMatched(pattern),
    ofLevel: memoiseByKey((level) =>
      cells.flatMap(({ example }, part) => (getActionLevel(example) === level ? [part] : [])),
    ),
    regions: new Map(),
  };
}

/** Of the patterns by which parts were found, the parts that each matches; absent where more than that decides. */
function listMatchedParts(
  patterns: readonly string[],
  cells: readonly NamePartition[],
): ReadonlyMap<string, readonly number[]> {
  const found = patterns.map((): number[] => []);
  for (const [part, { matched }] of cells.entries()) for (const at of matched) found[at]?.push(part);
  const isClear = (pattern: string): boolean => !isOpaque(pattern) && getExpressionText(pattern) === undefined;
  return new Map(patterns.flatMap((pattern, at) => (isClear(pattern) ? [[pattern, found[at] ?? []]] : [])));
}

function markParts(parts: readonly number[], count: number): Uint8Array {
  const codes = new Uint8Array(count);
  for (const part of parts) codes[part] = verdicts.yes;
  return codes;
}

function computeCodes(
  pattern: string,
  at: number | undefined,
  cells: readonly NamePartition[],
  semantics: Semantics | undefined,
): Uint8Array {
  const namesOf = (example: string) => [example, ...(semantics?.aliases?.ofIndex.get(example) ?? [])];
  return Uint8Array.from(cells, ({ matched, example }) =>
    at !== undefined && matched.includes(at)
      ? verdicts.yes
      : verdicts[combineAny(namesOf(example).map((name) => matchesPattern(pattern, name)))],
  );
}
