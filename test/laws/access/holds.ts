// Whether a difference speaks of an action and an index.
import type { Difference, Region } from "../../../src/model/access.ts";
import { isOfCluster } from "../../support/judge.ts";
import { meets } from "../../support/judge-patterns.ts";

/** By what the region says alone: a program that reads it knows nothing else. */
export function holds({ level, actions, indices }: Difference, action: string, index?: string): boolean {
  return (
    (level === "cluster") === isOfCluster(action) &&
    isWithin(actions, action) &&
    (indices === undefined || (index !== undefined && isWithin(indices, index)))
  );
}

export function isWithin({ terms }: Region, name: string): boolean {
  return terms.some(
    ({ allOf, noneOf }) =>
      allOf.every((pattern) => meets(pattern, name)) && !noneOf.some((pattern) => meets(pattern, name)),
  );
}
