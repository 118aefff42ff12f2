import { memoiseByObject } from "../../../json/memoise.ts";
import type { Region, Term } from "../../../model/access.ts";
import { verdicts } from "./codes.ts";
import type { NameParts } from "./parts.ts";

/** @param some positions of parts, at least one */
export function getRegion(parts: NameParts, some: readonly number[]): Region {
  const key = some.join();
  const region = parts.regions.get(key) ?? {
    terms: describeTerms(parts, some),
    examples: some.map(createExampleFinder(parts)),
  };
  parts.regions.set(key, region);
  return region;
}

function createExampleFinder({ cells }: NameParts): (part: number) => string {
  return (part) => cells[part]?.example ?? "";
}

/** Single patterns with exceptions first, as people write them; what is left by as few patterns together as will do. */
function describeTerms(parts: NameParts, some: readonly number[]): readonly Term[] {
  const wanted = markParts(some, parts.cells.length);
  const largestFirst = listMatchedParts(parts);
  const terms: Term[] = [];
  const rest = new Set(some);
  for (const { pattern, parts: own } of largestFirst) {
    if (rest.size === 0) break;
    if (!own.some((part) => rest.has(part))) continue;
    const outside = own.filter((part) => !wanted[part]);
    const noneOf = outside.length === 0 ? [] : findExceptions(outside, largestFirst, wanted);
    // More exceptions than cases read worse than the cases.
    if (!noneOf || (noneOf.length > 0 && noneOf.length >= own.length - outside.length)) continue;
    terms.push({ allOf: [pattern], noneOf });
    for (const part of own) rest.delete(part);
  }
  const others = rest.size === 0 ? [] : parts.every.filter((part) => !wanted[part]);
  for (const part of rest) {
    const { term, has } = findTerm(part, parts, others);
    terms.push(term);
    for (const one of rest) if (has(one)) rest.delete(one);
  }
  return terms;
}

/** Whether a pattern matches the names of a part, and by which parts this is known. */
interface Sign {
  readonly pattern: string;
  readonly isMatched: boolean;
  readonly codes: Uint8Array;
}

/** A term that holds a part and none of some others: each time what leaves out most of those that are still in it. */
function findTerm(part: number, { patterns, matchedBy }: NameParts, others: readonly number[]) {
  const signs = patterns.flatMap((pattern): readonly Sign[] => {
    const codes = matchedBy(pattern);
    return codes[part] === verdicts.unknown ? [] : [{ pattern, codes, isMatched: codes[part] === verdicts.yes }];
  });
  const isLeftOut = ({ codes, isMatched }: Sign, other: number): boolean =>
    codes[other] === (isMatched ? verdicts.no : verdicts.yes);
  const chosen: Sign[] = [];
  let left = others;
  while (left.length > 0) {
    const candidates =
      chosen.length === 0 && signs.some(({ isMatched }) => isMatched) ? signs.filter((one) => one.isMatched) : signs;
    let [best, most] = [candidates[0], -1];
    for (const sign of candidates) {
      let count = 0;
      for (const other of left) if (isLeftOut(sign, other)) count++;
      if (count > most) [best, most] = [sign, count];
    }
    if (!best || (most === 0 && chosen.length > 0)) break;
    const sign = best;
    chosen.push(sign);
    left = left.filter((other) => !isLeftOut(sign, other));
  }
  const named = (isMatched: boolean) =>
    chosen.filter((one) => one.isMatched === isMatched).map(({ pattern }) => pattern);
  const allOf = named(true);
  return {
    term: { allOf: allOf.length > 0 ? allOf : ["*"], noneOf: named(false) },
    has: (one: number): boolean =>
      chosen.every(({ codes, isMatched }) => codes[one] === (isMatched ? verdicts.yes : verdicts.no)),
  };
}

interface Meant {
  readonly pattern: string;
  /** Never none. */
  readonly parts: readonly number[];
}

/** Which parts each pattern matches, the one that matches most first: many regions of the same parts are described. */
const listMatchedParts = memoiseByObject((parts: NameParts): readonly Meant[] => {
  const { patterns, matchedBy, every } = parts;
  const meant = patterns.flatMap((pattern) => {
    const matched = matchedBy(pattern);
    // Whether it matches the others is unknown: it describes none of them.
    if (matched.includes(verdicts.unknown)) return [];
    return [{ pattern, parts: every.filter((part) => matched[part] === verdicts.yes) }];
  });
  const some = [{ pattern: "*", parts: every }, ...meant].filter((one) => one.parts.length > 0);
  return some.sort((a, b) => b.parts.length - a.parts.length);
});

function markParts(some: readonly number[], count: number): Uint8Array {
  const members = new Uint8Array(count);
  for (const part of some) members[part] = 1;
  return members;
}

/** Patterns that take away just what is not wanted; undefined where there are none. */
function findExceptions(
  outside: readonly number[],
  largestFirst: readonly Meant[],
  wanted: Uint8Array,
): readonly string[] | undefined {
  const found: string[] = [];
  const rest = new Set(outside);
  for (const { pattern, parts } of largestFirst) {
    if (rest.size === 0) break;
    if (parts.some((part) => wanted[part]) || !parts.some((part) => rest.has(part))) continue;
    found.push(pattern);
    for (const part of parts) rest.delete(part);
  }
  return rest.size === 0 ? found : undefined;
}
