/** Where the random fixtures begin: fixed, so that a failure is found again; `GATE_SYNC_SEED` tries others. */
export const seed = Number(process.env.GATE_SYNC_SEED ?? 1);

/** So many seeds, one after the other. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => seed + index);
}
