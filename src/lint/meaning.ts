import { createGroupExpander } from "../access/model/groups.ts";
import type { HeldEntries } from "../access/model/state.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import { combineAny, type Verdict } from "../access/verdict.ts";
import type { Semantics } from "../dialects/semantics.ts";
import type { LintState } from "./rule.ts";

/**
 * What strings in lists of permissions mean; computed once for each, as few occur in thousands of roles.
 *
 * @param isComplete there are no other groups: otherwise an unknown word may be a group of the server
 */
export function createMeaning(
  groups: HeldEntries,
  semantics: Semantics,
  isComplete: boolean,
): Pick<LintState, "comesTo" | "gives"> {
  const expand = createGroupExpander(groups, semantics);
  const comings = new Map<string, ReturnType<LintState["comesTo"]>>();
  const comesTo: LintState["comesTo"] = (text) => {
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

function giver(comesTo: LintState["comesTo"]): LintState["gives"] {
  const known = new Map<string, Map<string, Verdict>>();
  return (text, action) => {
    const ofAction = known.get(action) ?? new Map<string, Verdict>();
    known.set(action, ofAction);
    const found = ofAction.get(text);
    if (found) return found;
    const { patterns, isSure } = comesTo(text);
    const verdict = combineAny([
      ...patterns.map((pattern) => matchesPattern(pattern, action)),
      isSure ? "no" : "unknown",
    ]);
    ofAction.set(text, verdict);
    return verdict;
  };
}
