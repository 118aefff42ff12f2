import { expander } from "../../access/groups.ts";
import { meets } from "../../access/patterns/meets.ts";
import type { Held } from "../../access/state.ts";
import { anyOf, type Verdict } from "../../access/verdict.ts";
import type { Judging } from "../../dialects/judging.ts";
import type { TrapState } from "./trap.ts";

/**
 * What texts in lists of permissions mean; worked out once for each, as few stand in thousands of roles.
 *
 * @param isComplete no group is there but these: else a word that is none of them may be one of the server
 */
export function meaningOf(groups: Held, judging: Judging, isComplete: boolean): Pick<TrapState, "comesTo" | "gives"> {
  const expand = expander(groups, judging);
  const comings = new Map<string, ReturnType<TrapState["comesTo"]>>();
  const comesTo: TrapState["comesTo"] = (text) => {
    const found = comings.get(text);
    if (found) return found;
    const patterns = expand([text]).map(({ pattern }) => pattern);
    // Names of groups that stay besides what they hold are no actions.
    const isUnknown = (one: string): boolean => !/[*?:/]/.test(one) && !groups.has(one);
    const coming = { patterns, isSure: isComplete || !patterns.some(isUnknown) };
    comings.set(text, coming);
    return coming;
  };
  return { comesTo, gives: giver(comesTo) };
}

function giver(comesTo: TrapState["comesTo"]): TrapState["gives"] {
  const known = new Map<string, Map<string, Verdict>>();
  return (text, action) => {
    const ofAction = known.get(action) ?? new Map<string, Verdict>();
    known.set(action, ofAction);
    const found = ofAction.get(text);
    if (found) return found;
    const { patterns, isSure } = comesTo(text);
    const verdict = anyOf([...patterns.map((pattern) => meets(pattern, action)), isSure ? "no" : "unknown"]);
    ofAction.set(text, verdict);
    return verdict;
  };
}
