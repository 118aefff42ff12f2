// The adapter of deep-diff: a second opinion, by independent code, on whether two values differ.
import deepDiff from "deep-diff";
import { type Fields, reveal } from "./value.ts";

/** True when deep-diff finds any difference between the two. */
export function differs(a: Fields, b: Fields): boolean {
  const [one, other] = [reveal(a), reveal(b)];
  // In both directions: it ignores a member with the empty name that only the second one has.
  return deepDiff.diff(one, other) !== undefined || deepDiff.diff(other, one) !== undefined;
}
