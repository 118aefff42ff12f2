import type { Region } from "../../model/access.ts";
import { verdicts } from "./codes.ts";
import type { Parts } from "./parts.ts";

/**
 * @param some  positions of parts
 * @param among positions of the parts that are worth telling apart; the rest may be named by the way
 */
export function regionOf(parts: Parts, some: readonly number[], among: readonly number[]): Region {
  const key = `${some.join()} ${among.length}`;
  const region = parts.regions.get(key) ?? described(parts, some, among);
  parts.regions.set(key, region);
  return region;
}

function described({ patterns, atoms, metBy }: Parts, some: readonly number[], among: readonly number[]): Region {
  const wanted = new Set(some);
  const meant = [
    { pattern: "*", parts: among },
    ...patterns.map((pattern) => {
      const met = metBy(pattern);
      return { pattern, parts: among.filter((part) => met[part] === verdicts.yes) };
    }),
  ].filter(({ parts }) => parts.length > 0);
  const largestFirst = meant.toSorted((a, b) => b.parts.length - a.parts.length);
  const named: Named[] = [];
  let rest = new Set(wanted);
  for (const { pattern, parts } of largestFirst) {
    if (rest.size === 0) break;
    if (!parts.some((part) => rest.has(part))) continue;
    const outside = parts.filter((part) => !wanted.has(part));
    const except = outside.length === 0 ? [] : exceptions(outside, largestFirst, wanted);
    // More exceptions than cases read worse than the cases.
    if (!except || (except.length > 0 && except.length >= parts.length - outside.length)) continue;
    named.push({ pattern, except });
    rest = new Set([...rest].filter((part) => !parts.includes(part)));
  }
  return {
    patterns: named.map(({ pattern }) => pattern),
    except: [...new Set(named.flatMap(({ except }) => except))],
    suchAs: [...rest].map((part) => atoms[part]?.example ?? ""),
    examples: some.map((part) => atoms[part]?.example ?? ""),
  };
}

interface Named {
  readonly pattern: string;
  readonly except: readonly string[];
}

/** Patterns that take away just what is not wanted; undefined where there are none. */
function exceptions(
  outside: readonly number[],
  largestFirst: readonly { readonly pattern: string; readonly parts: readonly number[] }[],
  wanted: ReadonlySet<number>,
): readonly string[] | undefined {
  const found: string[] = [];
  let rest = new Set(outside);
  for (const { pattern, parts } of largestFirst) {
    if (rest.size === 0) break;
    if (parts.some((part) => wanted.has(part)) || !parts.some((part) => rest.has(part))) continue;
    found.push(pattern);
    rest = new Set([...rest].filter((part) => !parts.includes(part)));
  }
  return rest.size === 0 ? found : undefined;
}
