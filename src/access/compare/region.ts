import type { Region } from "../../model/access.ts";
import type { Parts } from "./table.ts";

/**
 * @param some  positions of parts
 * @param among positions of the parts that are worth telling apart; the rest may be named by the way
 */
export function regionOf({ patterns, atoms }: Parts, some: readonly number[], among: readonly number[]): Region {
  const universe = new Set(among);
  const wanted = new Set(some);
  const examples = some.map((part) => atoms[part]?.example ?? "");
  const meant = [
    { pattern: "*", parts: among },
    ...patterns.map((pattern, at) => ({
      pattern,
      parts: atoms.flatMap(({ met }, part) => (universe.has(part) && met.includes(at) ? [part] : [])),
    })),
  ].filter(({ parts }) => parts.length > 0);
  const largestFirst = meant.toSorted((a, b) => b.parts.length - a.parts.length);
  const named: Named[] = [];
  let rest = new Set(wanted);
  for (const { pattern, parts } of largestFirst) {
    if (rest.size === 0) break;
    if (!parts.some((part) => rest.has(part))) continue;
    const outside = parts.filter((part) => !wanted.has(part));
    const except = outside.length === 0 ? [] : exceptions(outside, meant, wanted);
    // More exceptions than cases read worse than the cases.
    if (!except || (except.length > 0 && except.length >= parts.length - outside.length)) continue;
    named.push({ pattern, except });
    rest = new Set([...rest].filter((part) => !parts.includes(part)));
  }
  return {
    patterns: named.map(({ pattern }) => pattern),
    except: [...new Set(named.flatMap(({ except }) => except))],
    suchAs: [...rest].map((part) => atoms[part]?.example ?? ""),
    examples,
  };
}

interface Named {
  readonly pattern: string;
  readonly except: readonly string[];
}

/** Patterns that take away just what is not wanted; undefined where there are none. */
function exceptions(
  outside: readonly number[],
  meant: readonly { readonly pattern: string; readonly parts: readonly number[] }[],
  wanted: ReadonlySet<number>,
): readonly string[] | undefined {
  const found: string[] = [];
  let rest = new Set(outside);
  for (const { pattern, parts } of meant.toSorted((a, b) => b.parts.length - a.parts.length)) {
    if (rest.size === 0) break;
    if (parts.some((part) => wanted.has(part)) || !parts.some((part) => rest.has(part))) continue;
    found.push(pattern);
    rest = new Set([...rest].filter((part) => !parts.includes(part)));
  }
  return rest.size === 0 ? found : undefined;
}
