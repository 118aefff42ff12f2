// Whether a difference speaks of an action and an index.
import type { AccessDifference, Region } from "../../../src/model/access.ts";
import { isOfCluster } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";

/** By what the region says alone: a program that reads it knows nothing else. */
export function holds({ level, actions, indices }: AccessDifference, action: string, index?: string): boolean {
  return (
    (level === "cluster") === isOfCluster(action) &&
    isWithin(actions, action) &&
    (indices === undefined || (index !== undefined && isWithin(indices, index)))
  );
}

export function isWithin({ terms }: Region, name: string): boolean {
  return terms.some(
    ({ allOf, noneOf }) =>
      allOf.every((pattern) => matches(pattern, name)) && !noneOf.some((pattern) => matches(pattern, name)),
  );
}
