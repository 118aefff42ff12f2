import type { Region } from "../../model/access.ts";
import { verdicts } from "./codes.ts";
import type { Parts } from "./parts.ts";

/**
 * @param some  positions of parts
 * @param among positions of the parts that are worth telling apart, as `Parts` has them; the rest may be named by the way
 */
export function regionOf(parts: Parts, some: readonly number[], among: readonly number[]): Region {
  const key = `${some.join()} ${among.length}`;
  const region = parts.regions.get(key) ?? described(parts, some, among);
  parts.regions.set(key, region);
  return region;
}

function described(parts: Parts, some: readonly number[], among: readonly number[]): Region {
  const { atoms } = parts;
  const wanted = membersOf(some, atoms.length);
  const largestFirst = meantBy(parts, among);
  const named: Named[] = [];
  const rest = new Set(some);
  for (const { pattern, parts: own } of largestFirst) {
    if (rest.size === 0) break;
    if (!own.some((part) => rest.has(part))) continue;
    const outside = own.filter((part) => !wanted[part]);
    const except = outside.length === 0 ? [] : exceptions(outside, largestFirst, wanted);
    // More exceptions than cases read worse than the cases.
    if (!except || (except.length > 0 && except.length >= own.length - outside.length)) continue;
    named.push({ pattern, except });
    for (const part of own) rest.delete(part);
  }
  return {
    patterns: named.map(({ pattern }) => pattern),
    except: [...new Set(named.flatMap(({ except }) => except))],
    suchAs: [...rest].map((part) => atoms[part]?.example ?? ""),
    examples: some.map((part) => atoms[part]?.example ?? ""),
  };
}

interface Meant {
  readonly pattern: string;
  /** Never none. */
  readonly parts: readonly number[];
}

interface Named {
  readonly pattern: string;
  readonly except: readonly string[];
}

const known = new WeakMap<readonly number[], readonly Meant[]>();

/** What each pattern meets, the one that meets most first: many regions of the same parts are described. */
function meantBy({ patterns, metBy }: Parts, among: readonly number[]): readonly Meant[] {
  const found = known.get(among);
  if (found) return found;
  const meant = patterns.map((pattern) => {
    const met = metBy(pattern);
    return { pattern, parts: among.filter((part) => met[part] === verdicts.yes) };
  });
  const some = [{ pattern: "*", parts: among }, ...meant].filter(({ parts }) => parts.length > 0);
  const largestFirst = some.sort((a, b) => b.parts.length - a.parts.length);
  known.set(among, largestFirst);
  return largestFirst;
}

function membersOf(some: readonly number[], count: number): Uint8Array {
  const members = new Uint8Array(count);
  for (const part of some) members[part] = 1;
  return members;
}

/** Patterns that take away just what is not wanted; undefined where there are none. */
function exceptions(
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
