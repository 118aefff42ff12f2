// What a server that looks at its roles refuses. What it holds already, and would not be written, is left to it.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { isEqual } from "../json/value.ts";
import type { DesiredResource } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";

/** Whether an entry will be written, as far as reading has shown it. */
export function isToBeWritten({ family, name, value, serverOwned }: DesiredResource, live: LiveState): boolean {
  return !serverOwned && !isEqual(live.resources.get(family)?.get(name)?.value, value);
}

/** Action groups that are named like a role of the server: a role that is made after the group may have its name. */
export function findGroupsNamedLikeRoles(
  resources: readonly DesiredResource[],
  live: LiveState,
): readonly Diagnostic[] {
  const roles = live.resources.get("roles");
  return resources
    .filter((resource) => resource.family === "action_groups" && roles?.has(resource.name))
    .filter((resource) => isToBeWritten(resource, live))
    .map(({ name, origin }) =>
      createDiagnostic(origin, "unsupported-here", {
        what: `The action group ${JSON.stringify(name)} is named like a role.`,
        why: "OpenSearch refuses such a group, and with it all that goes in the same request.",
        fix: "Give the group, or the role, another name.",
      }),
    );
}
