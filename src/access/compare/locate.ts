import { matchesPattern } from "../patterns/matches.ts";
import type { NameParts } from "./parts.ts";

/**
 * The part of some parts that a part of others is of, as its example is; undefined for one that no part has, such as a
 * name that no index can have.
 */
export function createPartLocator(others: NameParts, parts: NameParts): (part: number) => number | undefined {
  const { positions, byMatched } = placesIn(parts);
  const placesOf = others.patterns.map((pattern) => positions.get(pattern));
  // Other patterns that distinguish parts match only parts for which this is known.
  const shown = new Set(others.patterns);
  const untold = parts.patterns.flatMap((pattern, at) => (shown.has(pattern) ? [] : [{ pattern, at }]));
  const known = new Map<number, number | undefined>();
  return (part) => {
    if (known.has(part)) return known.get(part);
    const { matched = [], example = "" } = others.cells[part] ?? {};
    const own = matched.flatMap((at) => placesOf[at] ?? []);
    const besides = untold.flatMap(({ pattern, at }) => (matchesPattern(pattern, example) === "yes" ? [at] : []));
    const found = byMatched.get([...own, ...besides].sort((a, b) => a - b).join());
    known.set(part, found);
    return found;
  };
}

interface Places {
  readonly positions: ReadonlyMap<string, number>;
  readonly byMatched: ReadonlyMap<string, number>;
}

const sorted = new WeakMap<NameParts, Places>();

/** Computed once: a subject may be one of hundreds of pairs. */
function placesIn(parts: NameParts): Places {
  const found = sorted.get(parts) ?? {
    positions: new Map(parts.patterns.map((pattern, at) => [pattern, at])),
    byMatched: new Map(parts.cells.map(({ matched }, part) => [matched.join(), part])),
  };
  sorted.set(parts, found);
  return found;
}
