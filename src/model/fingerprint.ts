import { computeDigest } from "../json/canonical.ts";

/** Of plans of several targets together, in whatever order: those that do something count, and each names its target. */
export function combineFingerprints(fingerprints: readonly string[]): string {
  return computeDigest([...fingerprints].sort()).slice(0, 32);
}
