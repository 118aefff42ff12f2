// How much of the costly tests is played. GATE_SYNC_TESTS=whole plays all, as a workflow does every night; 2/4 plays the second
// quarter of each, as CI does; elsewhere a run stays short.
import { basename } from "node:path";

const asked = process.env.GATE_SYNC_TESTS ?? "";
const [, at = 1, of = 1] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(asked) ?? []).map(Number);

export const isWhole = asked === "whole";

/** Which of how many equal parts is played; undefined where it is all or little. */
export const part: { readonly at: number; readonly of: number } | undefined =
  of > 1 && at <= of ? { at, of } : undefined;

if (asked !== "" && !isWhole && !part)
  throw new Error(`GATE_SYNC_TESTS is “whole” or a part such as 2/4, not ${asked}`);

/** Whether what is not cut into parts is played whole. */
export const isFull = isWhole || part !== undefined;

/** So many random cases: of a part its share, and never fewer than in a short run. */
export function countOf(whole: number, few: number): number {
  if (isWhole) return whole;
  return part ? Math.max(few, Math.ceil(whole / part.of)) : few;
}

/** All, or its own share of a part; undefined in a short run, which draws a few. */
export function partOf<T>(all: readonly T[]): readonly T[] | undefined {
  if (isWhole) return all;
  return part && all.filter((_, index) => index % part.of === part.at - 1);
}

/** Whether it is in the part, by its own name: always in a whole run, never in a short one. */
export function isDrawn(path: string): boolean {
  const sum = [...basename(path)].reduce((before, character) => before + (character.codePointAt(0) ?? 0), 0);
  return part ? sum % part.of === part.at - 1 : isWhole;
}

/** As `partOf`, of no more parts than n; in a short run every nth, from the first on. */
export function everyNth<T>(n: number, all: Iterable<T>): readonly T[] {
  if (isWhole) return [...all];
  const step = part ? Math.min(n, part.of) : n;
  return [...all].filter((_, index) => index % step === ((part?.at ?? 1) - 1) % step);
}
