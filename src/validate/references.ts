import type { Severity } from "../diagnostics/catalogue.ts";
import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { shippedWith } from "../dialects/shipped/index.ts";
import { nounOf } from "../families/index.ts";
import { mentionsOf } from "../families/mentions.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { isSlip, type Knowledge, knowledgeOf } from "./known-names.ts";
import { groupsNamedLikeRoles, isToBeWritten } from "./needed-roles.ts";
import { differencesFromServer } from "./ownership.ts";
import { ringsOfGroups } from "./rings.ts";
import { looksShipped } from "./shipped.ts";
import { placeOf } from "./written.ts";

const codes = { roles: "unknown-role", action_groups: "unknown-action-group", tenants: "unknown-tenant" } as const;

const consequences: Readonly<Record<keyof typeof codes, string>> = {
  roles: "A mapping to a role that is not there grants nothing, and some servers refuse it.",
  action_groups: "The server takes it for the name of an action, which meets nothing.",
  tenants: "A permission for a tenant that is not there grants nothing.",
};

/**
 * What does not fit together in the desired state, and with what the server holds.
 *
 * @param live what was read of the server; undefined offline
 * @param declared all that the files declare, where `desired` is only the families that a run is about
 */
export function validateReferences(
  desired: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
  declared: DesiredState = desired,
): readonly Diagnostic[] {
  // Not groups of Search Guard 6: they stand for the RW and RO of its tenants. What is part of a product is there, shown or not.
  const spokenOf = [
    ...(dialect.documentTypes ? Object.values(dialect.tenantAccess) : []),
    ...(live ? shippedWith(dialect).action_groups.keys() : []),
  ];
  const known = {
    roles: knowledgeOf("roles", declared, live),
    action_groups: knowledgeOf("action_groups", declared, live, spokenOf),
    tenants: knowledgeOf("tenants", declared, live),
  };
  const resources = [...desired.resources.values()].flatMap((family) => [...family.values()]);
  return [
    ...resources.flatMap((resource) =>
      mentionsOf(resource)
        .filter(({ to, name }) => !known[to].has(name))
        .flatMap(({ to, name }) => {
          const isRefused =
            to === "roles" && dialect.checksRoles && live !== undefined && isToBeWritten(resource, live);
          return unknownReference(resource, to, name, known[to], isRefused ? "error" : "warning");
        }),
    ),
    ...(dialect.checksRoles && live ? groupsNamedLikeRoles(resources, live) : []),
    ...ringsOfGroups(desired, live, dialect),
    ...differencesFromServer(resources, live),
  ];
}

function unknownReference(
  resource: DesiredResource,
  to: keyof typeof codes,
  name: string,
  { complete, offline, nearestTo }: Knowledge,
  severity: Severity,
): readonly Diagnostic[] {
  if (offline && looksShipped(name)) return [];
  const near = nearestTo(name);
  // Offline, READ beside a shipped read proves nothing: other products ship the one in capitals.
  const meant = offline && near?.toLowerCase() === name.toLowerCase() ? undefined : near;
  if (!complete && !isSlip(name, meant)) return [];

  const noun = nounOf(to);
  // The role of a mapping is its own name.
  const range = (to === "roles" ? undefined : placeOf(resource.node, name)) ?? resource.origin;
  const where = offline ? "in these files" : "in these files or on the server";
  const letter = {
    what: `There is no ${noun} ${JSON.stringify(name)} ${where}.${meant ? ` Did you mean ${JSON.stringify(meant)}?` : ""}`,
    why: consequences[to],
    fix: meant
      ? `Write ${JSON.stringify(meant)}, or declare the ${noun}.`
      : `Declare the ${noun}, or take the reference out.`,
  };
  return [diagnosticAt(range, codes[to], letter, offline ? "warning" : severity)];
}
