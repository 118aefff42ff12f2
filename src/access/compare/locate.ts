import { meets } from "../patterns/meets.ts";
import type { Parts } from "./parts.ts";

/** The part that a text is of; undefined for one that no part has, such as a name that no index can have. */
export function locator({ patterns, atoms }: Parts): (text: string) => number | undefined {
  const byMet = new Map(atoms.map(({ met }, part) => [met.join(), part]));
  const known = new Map<string, number | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const met = patterns.flatMap((pattern, at) => (meets(pattern, text) === "yes" ? [at] : []));
    const part = byMet.get(met.join());
    known.set(text, part);
    return part;
  };
}
