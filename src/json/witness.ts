// The one door to deep-diff: a second opinion, by other people's code, on whether two values differ.
import deepDiff from "deep-diff";
import { type Fields, reveal } from "./value.ts";

/** True when deep-diff finds any difference between the two. */
export function differs(a: Fields, b: Fields): boolean {
  return deepDiff.diff(reveal(a), reveal(b)) !== undefined;
}
