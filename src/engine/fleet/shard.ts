import { computeTextDigest } from "../../json/canonical.ts";

/** In which of so many parts a target is, from 0. By the name alone, so that a new target moves no other. */
export function findShard(name: string, of: number): number {
  return Number.parseInt(computeTextDigest(name).slice(0, 12), 16) % of;
}
