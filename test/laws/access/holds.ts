// Whether a difference speaks of an action and an index.
import { knownActions, levelPatterns } from "../../../src/dialects/requests.ts";
import type { Difference, Region } from "../../../src/model/access.ts";
import { expanded, isOfCluster, rolesOf } from "../../support/judge.ts";
import { meets } from "../../support/judge-patterns.ts";
import type { Person, World } from "../../support/judged.ts";

/** Where a region names an example, whatever the rules that somebody has do not tell from it is meant. */
export function holds(worlds: readonly World[], person: Person) {
  const rules = worlds.flatMap((world) =>
    rolesOf(world, person).flatMap((name) => {
      const { cluster_permissions, index_permissions = [] } = world.roles[name] ?? {};
      const actions = [cluster_permissions, ...index_permissions.map(({ allowed_actions }) => allowed_actions)];
      return [
        {
          actions: actions.flatMap((texts) => expanded(world, texts)),
          indices: index_permissions.flatMap(({ index_patterns = [] }) => index_patterns),
        },
      ];
    }),
  );
  const actionPatterns = [...knownActions, ...levelPatterns, ...rules.flatMap(({ actions }) => actions)];
  const indexPatterns = rules.flatMap((rule) => rule.indices);
  return ({ level, actions, indices }: Difference, action: string, index?: string): boolean =>
    (level === "cluster") === isOfCluster(action) &&
    isWithin(actions, action, actionPatterns) &&
    (indices === undefined || (index !== undefined && isWithin(indices, index, indexPatterns)));
}

function isWithin({ patterns, except, suchAs }: Region, text: string, rules: readonly string[]): boolean {
  const any = (some: readonly string[]) => some.some((pattern) => meets(pattern, text));
  const isLike = (other: string) => rules.every((pattern) => meets(pattern, text) === meets(pattern, other));
  return (any(patterns) && !any(except)) || suchAs.some(isLike);
}
