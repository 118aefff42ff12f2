import { meets } from "../patterns/meets.ts";
import type { Parts } from "./parts.ts";

/**
 * The part of some parts that a part of others is of, as its example is; undefined for one that no part has, such as a
 * name that no index can have.
 */
export function locator(others: Parts, parts: Parts): (part: number) => number | undefined {
  const { positions, byMet } = placesIn(parts);
  const placesOf = others.patterns.map((pattern) => positions.get(pattern));
  // What the others are told apart by, too, meets none but those of which that is known.
  const told = new Set(others.patterns);
  const untold = parts.patterns.flatMap((pattern, at) => (told.has(pattern) ? [] : [{ pattern, at }]));
  const known = new Map<number, number | undefined>();
  return (part) => {
    if (known.has(part)) return known.get(part);
    const { met = [], example = "" } = others.atoms[part] ?? {};
    const own = met.flatMap((at) => placesOf[at] ?? []);
    const besides = untold.flatMap(({ pattern, at }) => (meets(pattern, example) === "yes" ? [at] : []));
    const found = byMet.get([...own, ...besides].sort((a, b) => a - b).join());
    known.set(part, found);
    return found;
  };
}

interface Places {
  readonly positions: ReadonlyMap<string, number>;
  readonly byMet: ReadonlyMap<string, number>;
}

const sorted = new WeakMap<Parts, Places>();

/** Sorted out once: somebody may be one of hundreds of pairs. */
function placesIn(parts: Parts): Places {
  const found = sorted.get(parts) ?? {
    positions: new Map(parts.patterns.map((pattern, at) => [pattern, at])),
    byMet: new Map(parts.atoms.map(({ met }, part) => [met.join(), part])),
  };
  sorted.set(parts, found);
  return found;
}
