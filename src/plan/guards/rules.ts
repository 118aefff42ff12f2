import type { Guard } from "./guard.ts";
import { guards } from "./index.ts";

/** The guards that a person may waive, in the order in which violations are shown. */
export const waivableRules = listRules(({ waivedFor }) => waivedFor !== "nothing");

/** The guards that count the entries of whole families. */
export const countingRules = listRules(({ countsEntries = false }) => countsEntries);

/** The guards whose findings depend on how the plan is made: by which login, compared with which commit. */
export const runRules = listRules(({ dependsOnRun = false }) => dependsOnRun);

function listRules(isListed: (guard: Guard) => boolean): readonly string[] {
  return guards.filter(isListed).map(({ rule }) => rule);
}
