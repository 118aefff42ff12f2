import type { Verdict } from "../../verdict.ts";

// Verdicts as numbers, of which there are many: the larger one is the verdict of either, the smaller one that of both.

export const verdicts: Readonly<Record<Verdict, number>> = { no: 0, unknown: 1, yes: 2 };

const words: readonly Verdict[] = ["no", "unknown", "yes"];

export function decodeVerdict(code: number | undefined): Verdict {
  return words[code ?? 0] ?? "no";
}
