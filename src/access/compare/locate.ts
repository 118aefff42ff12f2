import { meets } from "../patterns/meets.ts";
import type { Parts } from "./table.ts";

/** The part that a text is of; undefined for one that no part has, such as a name that no index can have. */
export function locator({ patterns, atoms }: Parts): (text: string) => number | undefined {
  const byMet = new Map(atoms.map(({ met }, part) => [met.join(), part]));
  return (text) => {
    const met = patterns.flatMap((pattern, at) => (meets(pattern, text) === "yes" ? [at] : []));
    return byMet.get(met.join());
  };
}
