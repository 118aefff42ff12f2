import { countOf, part } from "../support/extent.ts";

/** Where the random fixtures begin: fixed, so that a failure is found again; `GATE_SYNC_SEED` tries others. */
export const seed = Number(process.env.GATE_SYNC_SEED ?? 1);

/** So many seeds, one after the other; where a short run has few, a part has its own of the whole. */
export function seeds(whole: number, few = whole): number[] {
  const count = countOf(whole, few);
  const first = part && count < whole ? seed + (part.at - 1) * count : seed;
  return Array.from({ length: count }, (_, index) => first + index);
}
