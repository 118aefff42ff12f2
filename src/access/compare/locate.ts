import { meets } from "../patterns/meets.ts";
import type { Parts } from "./parts.ts";

/**
 * The part of some parts that a part of others is of, as its example is; undefined for one that no part has, such as a
 * name that no index can have.
 */
export function locator(others: Parts, { patterns, atoms }: Parts): (part: number) => number | undefined {
  const byMet = new Map(atoms.map(({ met }, part) => [met.join(), part]));
  const positions = new Map(patterns.map((pattern, at) => [pattern, at]));
  // What the others are told apart by, too, meets none but those of which that is known.
  const told = new Set(others.patterns);
  const untold = patterns.flatMap((pattern, at) => (told.has(pattern) ? [] : [{ pattern, at }]));
  const known = new Map<number, number | undefined>();
  return (part) => {
    if (known.has(part)) return known.get(part);
    const { met = [], example = "" } = others.atoms[part] ?? {};
    const own = met.flatMap((at) => positions.get(others.patterns[at] ?? "") ?? []);
    const besides = untold.flatMap(({ pattern, at }) => (meets(pattern, example) === "yes" ? [at] : []));
    const found = byMet.get([...own, ...besides].sort((a, b) => a - b).join());
    known.set(part, found);
    return found;
  };
}
