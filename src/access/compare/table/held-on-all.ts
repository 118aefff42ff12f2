// What a subject holds on all indices at once, of the actions that a server asks for so, whichever index a request names.
import { memoiseByObject } from "../../../json/memoise.ts";
import { isAskedOnAll } from "../../evaluate/request.ts";
import type { AccessModel } from "../../model/access-model.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import { type Condition, createFact, getConditionKey, joinAll, joinAny, negateCondition } from "../../verdict.ts";
import { verdicts } from "./codes.ts";
import { onAllIndices } from "./covering.ts";
import type { NameParts } from "./parts.ts";

/** What is held on all indices at once, of the actions that a server asks for so, whichever index a request names. */
export interface HeldOnAll {
  /** The same for those of which the same is held, on the same conditions. */
  readonly key: string;
  /** By the parts of the actions. */
  readonly conditions: ReadonlyMap<number, Condition>;
}

export const nothingOnAll: HeldOnAll = { key: "", conditions: new Map() };

/** What is granted on the indices of a part, by a code of a verdict for each part of the actions. */
interface Granted {
  readonly codes: () => Uint8Array;
  readonly condition: (action: number) => Condition;
}

interface HeldSource {
  readonly model: AccessModel;
  readonly indices: NameParts;
  readonly actions: NameParts;
  /** On the indices of a part, whatever is held on all; of `onAllIndices`, by patterns that match these by themselves. */
  readonly at: (index: number) => Granted;
}

export function findHeldOnAll({ model, indices, actions, at }: HeldSource): HeldOnAll {
  const { semantics } = model.state;
  const asked = actions.every.filter((action) => isAskedOnAll(model, actions.cells[action]?.example ?? ""));
  const own = findPartOf(indices, semantics.securityIndex);
  const codeAt = (index: number, action: number): number => at(index).codes()[action] ?? verdicts.no;
  const findCondition = (action: number): Condition => {
    const byOne = at(onAllIndices).condition(action);
    if (byOne === "yes" || semantics.everythingTakesOnePattern) return byOne;
    // The product's own index is on every cluster.
    if (own !== undefined && codeAt(own, action) === verdicts.no) return "no";
    if (indices.every.every((index) => codeAt(index, action) === verdicts.yes)) return "yes";
    if (indices.every.every((index) => codeAt(index, action) === verdicts.no)) return "no";
    const isThere = (index: number): Condition =>
      index === own ? "yes" : createFact(`there is ${indices.cells[index]?.example}`);
    return joinAll(
      indices.every.map((index) => joinAny([at(index).condition(action), negateCondition(isThere(index))])),
    );
  };
  const conditions = new Map(asked.map((action) => [action, findCondition(action)]));
  return { key: JSON.stringify([...conditions].map(([at, one]) => [at, getConditionKey(one)])), conditions };
}

/** Undefined where that is not known. */
function findPartOf(parts: NameParts, name: string): number | undefined {
  return partsOf(parts)(name);
}

const partsOf = memoiseByObject((parts: NameParts) => (name: string): number | undefined => {
  const matched = parts.patterns.flatMap((pattern, at) => (matchesPattern(pattern, name) === "yes" ? [at] : [])).join();
  const found = parts.every.filter((part) => parts.cells[part]?.matched.join() === matched);
  return found.length === 1 ? found[0] : undefined;
});
