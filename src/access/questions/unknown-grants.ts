import { getActionLevel, knownActions, type Level } from "../../dialects/requests.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import type { RoleRules } from "../model/roles.ts";
import { matchesPattern } from "../patterns/matches.ts";

/** What a role grants of actions that belong to no request that is known here. */
export interface UnknownGrant {
  readonly role: string;
  /** Absent: on the cluster. */
  readonly indices?: readonly string[];
  /** Permissions as the role has them; groups by their names. */
  readonly actions: readonly string[];
}

export function listUnknownGrants({ name: role, cluster, index }: RoleRules): readonly UnknownGrant[] {
  const all = [
    { role, actions: listUnknownActions(cluster, "cluster") },
    ...index.map(({ patterns, actions }) => ({
      role,
      indices: patterns,
      actions: listUnknownActions(actions, "index"),
    })),
  ];
  return all.filter(({ actions }) => actions.length > 0);
}

const actionsOf: Readonly<Record<Level, readonly string[]>> = {
  cluster: knownActions.filter((action) => getActionLevel(action) === "cluster"),
  index: knownActions.filter((action) => getActionLevel(action) === "index"),
};

/** A group of which anything is known counts as known: its other actions go with that. */
function listUnknownActions(permissions: readonly ExpandedPermission[], level: Level): readonly string[] {
  const nameOf = ({ pattern, via: [group = pattern] }: ExpandedPermission): string => group;
  const isKnown = (pattern: string): boolean =>
    actionsOf[level].some((action) => matchesPattern(pattern, action) !== "no");
  const known = new Set(permissions.filter(({ pattern }) => isKnown(pattern)).map(nameOf));
  const mayGrant = permissions.filter(({ pattern }) => pattern.includes(":") && getActionLevel(pattern) === level);
  return [...new Set(mayGrant.map(nameOf).filter((name) => !known.has(name)))].sort();
}
