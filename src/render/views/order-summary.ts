import type { Plan } from "../../model/plan.ts";

/**
 * A sentence about the order as a whole, after its explanation; undefined where there is no intermediate state, or
 * one is not safe.
 */
export function formatOrderSummary({ operations, violations, waived }: Plan): string | undefined {
  // A waived violation is a violation all the same.
  const isClean = [...violations, ...waived].every(({ rule }) => rule !== "order");
  return isClean && operations.length > 1 ? cleanWords : undefined;
}

const cleanWords =
  "Between the requests, no principal that was evaluated holds access that neither the state before nor the one after grants, or misses what both grant.";
