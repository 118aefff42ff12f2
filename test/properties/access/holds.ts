// Whether a difference speaks of an action and an index.
import type { AccessDifference, Region } from "../../../src/model/access.ts";
import { isOfCluster } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";

/**
 * By what the region says alone: a program that reads it knows nothing else.
 *
 * @param aliases of the index, where the server shows them: a pattern of the region covers what it leads to
 */
export function holds(
  { level, actions, indices }: AccessDifference,
  action: string,
  index?: string,
  aliases: readonly string[] = [],
): boolean {
  return (
    (level === "cluster") === isOfCluster(action) &&
    isWithin(actions, action) &&
    (indices === undefined || (index !== undefined && isWithin(indices, index, aliases)))
  );
}

export function isWithin({ terms }: Region, name: string, aliases: readonly string[] = []): boolean {
  const isCovered = (pattern: string) => [name, ...aliases].some((one) => matches(pattern, one));
  return terms.some(({ allOf, noneOf }) => allOf.every(isCovered) && !noneOf.some(isCovered));
}
