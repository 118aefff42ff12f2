import type { Plan } from "../model/plan.ts";

/** What is said of the order as a whole once its story is told; nothing where there is no in-between, or it is not clean. */
export function formatOrderSummary({ operations, violations, waived }: Plan): string | undefined {
  // What somebody agreed to is wrong all the same.
  const isClean = [...violations, ...waived].every(({ rule }) => rule !== "order");
  return isClean && operations.length > 1 ? cleanWords : undefined;
}

const cleanWords =
  "Between the requests, no principal that was evaluated holds access that neither the state before nor the one after grants, or misses what both grant.";
