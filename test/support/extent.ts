/** In CI all is played; elsewhere so much of it that a run stays short: GATE_SYNC_TESTS=whole plays all. */
export const isWhole = process.env.GATE_SYNC_TESTS === "whole";

/** Every nth, from the first on; in CI all. */
export function everyNth<T>(n: number, all: Iterable<T>): readonly T[] {
  return isWhole ? [...all] : [...all].filter((_, at) => at % n === 0);
}
