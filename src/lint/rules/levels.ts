import { matchesPattern } from "../../access/patterns/matches.ts";
import { clusterActionPrefixes, clusterActions, isLevelUnknown, requestKinds } from "../../dialects/requests.ts";
import { createMemoisedFilter } from "../once.ts";
import type { LintFinding, LintRule, LintState, LintText } from "../rule.ts";

/** Cluster permissions in a list of index permissions: servers check them at cluster level only. */
export const clusterActionOnIndex: LintRule = {
  code: "cluster-action-on-index",
  goesBy: "meanings",
  find: (state) => {
    const isWrong = (pattern: string) => isForCluster(pattern) && !isLevelUnknown(pattern, state.dialect.release);
    const wrong = createMemoisedFilter(state.granted.indices, (text) => isAll(text, state, isWrong));
    if (wrong.size === 0) return [];
    return state.roles.flatMap(({ cluster, indices }) =>
      indices
        .flatMap(({ actions }) => actions.filter(({ value }) => wrong.has(value)))
        // The permission is at its right place, too: here it is superfluous, and does no harm.
        .filter(
          (action) =>
            !cluster.some(({ value }) => value === action.value || state.gives(value, action.value) === "yes"),
        )
        .map((action) =>
          findingOf(action, {
            where: "on indices",
            is: "a permission of the cluster",
            fix: "Move it to the cluster permissions of the role.",
          }),
        ),
    );
  },
};

/** The opposite mistake. */
export const indexActionOnCluster: LintRule = {
  code: "index-action-on-cluster",
  goesBy: "meanings",
  find: (state) => {
    const wrong = createMemoisedFilter(state.granted.cluster, (text) => isAll(text, state, isForIndices));
    if (wrong.size === 0) return [];
    return state.roles.flatMap(({ cluster }) =>
      cluster
        .filter(({ value }) => wrong.has(value))
        .map((action) =>
          findingOf(action, {
            where: "for the cluster",
            is: "a permission on indices",
            fix: "Move it to the index permissions of the role, with the patterns it is meant for.",
          }),
        ),
    );
  },
};

/** Whether all actions that a text comes to pass a check; for the name of a group, all that it holds. */
function isAll(text: string, { comesTo }: LintState, isOther: (pattern: string) => boolean): boolean {
  const { patterns, isSure } = comesTo(text);
  const actions = patterns.filter((pattern) => /[*?:/]/.test(pattern));
  return isSure && actions.length > 0 && actions.every(isOther);
}

const indexActions = [...new Set(requestKinds.flatMap(({ index, sinceSeven = [] }) => [...index, ...sinceSeven]))];

function isForCluster(pattern: string): boolean {
  const beginning = beginningOf(pattern);
  if (beginning === undefined) return false;
  return (
    beginning.startsWith("cluster:") ||
    clusterActionPrefixes.some((one) => beginning.startsWith(one)) ||
    clusterActions.has(pattern)
  );
}

/** Known to be asked for on indices, and by no request for the cluster. */
function isForIndices(pattern: string): boolean {
  const beginning = beginningOf(pattern);
  if (beginning === undefined || !beginning.startsWith("indices:")) return false;
  const mayBeFamily = clusterActionPrefixes.some(
    (one) => beginning.startsWith(one) || (beginning !== pattern && one.startsWith(beginning)),
  );
  if (mayBeFamily || [...clusterActions].some((action) => matchesPattern(pattern, action) !== "no")) return false;
  return indexActions.some((action) => matchesPattern(pattern, action) === "yes");
}

/** The text before the first wildcard; undefined for a regular expression. */
function beginningOf(pattern: string): string | undefined {
  return pattern.startsWith("/") ? undefined : pattern.replace(/[*?].*$/s, "");
}

function findingOf(
  text: LintText,
  words: { readonly where: string; readonly is: string; readonly fix: string },
): LintFinding {
  return {
    at: text,
    what: `${JSON.stringify(text.value)} is granted ${words.where}, and is ${words.is}.`,
    why: "The server looks for it there alone: here it grants nothing.",
    fix: words.fix,
  };
}
