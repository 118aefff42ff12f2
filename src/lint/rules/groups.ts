import { type Fields, isList, isObject, type Value } from "../../json/value.ts";
import type { LintFinding, LintGroup, LintRule, LintState } from "../rule.ts";

/** A permission that looks like the pattern is taken for the name of the group as well, or for nothing else. */
export const patternNamedGroup: LintRule = {
  code: "pattern-named-group",
  find: ({ groups, semantics }) =>
    groups
      .filter(({ name }) => /[*?]|^\/.*\/$|^(indices|cluster|kibana):/s.test(name))
      .map(({ name, origin }) => ({
        at: origin,
        what: `The action group ${JSON.stringify(name)} is named like a pattern of actions.`,
        why: semantics.groupsReplaceNames
          ? "Every role that has this text among its permissions, the built-in ones too, gets what the group holds, and no longer what the pattern matches."
          : "Every role that has this text among its permissions, the built-in ones too, gets what the group holds as well.",
        fix: "Give it a name without colons and wildcards.",
      })),
};

/** Offline alone: a server that was read says itself which groups are its own. */
export const builtinNamedGroup: LintRule = {
  code: "builtin-named-group",
  where: ({ tenantsAreNames }) => !tenantsAreNames,
  find: ({ groups, known, dialect }) =>
    groups
      .filter(({ name }) => known.builtinGroups.has(name))
      .map(({ name, origin }) => ({
        at: origin,
        what: `The action group ${JSON.stringify(name)} is named like one that ${dialect.product} ships, and holds something else.`,
        why:
          dialect.product === "opensearch"
            ? "The server may store it over its own, and then fails to take what is written after it."
            : "The server refuses every write to it.",
        fix: "Give it another name, and use that in the roles.",
        ...(dialect.product !== "opensearch" && { severity: "error" as const }),
      })),
};

/** No role uses the group, not through other groups either. */
export const unusedActionGroup: LintRule = {
  code: "unused-action-group",
  find: (state) => {
    const { roles } = state.known;
    if (!roles || state.groups.length === 0) return [];
    const left = unreached(roles, state);
    return state.groups.filter(({ name }) => left.has(name)).map(unused);
  },
};

/** Most groups are found in one of the first roles: then no other role is searched. */
function unreached(roles: ReadonlyMap<string, Fields>, { groups, known }: LintState): ReadonlySet<string> {
  const left = new Set(groups.map(({ name }) => name));
  const found = new Set<string>();
  const waiting: string[] = [];
  const add = (value: Value | undefined): void => {
    if (typeof value === "string") {
      if (found.has(value) || !known.groups.has(value)) return;
      found.add(value);
      waiting.push(value);
    } else if (isList(value)) for (const item of value) add(item);
    else if (isObject(value)) for (const item of Object.values(value)) add(item);
  };
  for (const role of roles.values()) {
    if (left.size === 0) break;
    add(role);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      left.delete(name);
      add(known.groups.get(name)?.allowed_actions);
    }
  }
  return left;
}

function unused({ origin }: LintGroup): LintFinding {
  return {
    at: origin,
    what: "No role uses this action group.",
    why: "It grants nothing to anybody.",
    fix: "Use it in a role, or take it out.",
  };
}
