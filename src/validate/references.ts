import type { Severity } from "../diagnostics/catalogue.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatSuggestion } from "../diagnostics/suggest.ts";
import { createBuiltins, findUnlistedRoles } from "../dialects/builtin/index.ts";
import {
  anyServer,
  isBuiltinName,
  listBuiltinNames,
  looksBuiltin,
  type PossibleServers,
} from "../dialects/builtin/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { withoutCredentials } from "../families/credentials.ts";
import { getNoun } from "../families/index.ts";
import { isName, listMentions, type Mention } from "../families/mentions.ts";
import { isEqual } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { listPossibleServers, type StatedServer } from "./builtin.ts";
import { findGroupCycles } from "./group-cycles.ts";
import { collectKnownNames, isSlip, type KnownNames } from "./known-names.ts";
import { findDifferencesFromServer } from "./ownership.ts";
import { findWrittenPlace } from "./written.ts";

const codes = { roles: "unknown-role", action_groups: "unknown-action-group", tenants: "unknown-tenant" } as const;

const consequences: Readonly<Record<keyof typeof codes, string>> = {
  roles: "A mapping to a role that is not there grants nothing, and some servers refuse it.",
  action_groups: "The server takes it for the name of an action, which matches nothing.",
  tenants: "A permission for a tenant that is not there grants nothing.",
};

export interface ReferenceOptions {
  /** All that the files declare, where the desired state is only the families that a run is about. */
  readonly declared?: DesiredState;
  /** What says which server the files are for. */
  readonly stated?: StatedServer;
}

/**
 * What does not fit together in the desired state, and with what the server holds.
 *
 * @param live what was read of the server; undefined offline
 */
export function validateReferences(
  desired: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
  { declared = desired, stated = {} }: ReferenceOptions = {},
): readonly Diagnostic[] {
  // Not groups of Search Guard 6: they mean the RW and RO of its tenants. Built-in entries exist, whether or not the
  // server shows them.
  const spokenOf = [
    ...(dialect.documentTypes ? Object.values(dialect.tenantAccess) : []),
    ...(live ? createBuiltins(dialect).action_groups.keys() : []),
  ];
  const servers = listPossibleServers(dialect, live ? dialect : stated);
  const collect = (to: Mention["to"], others: readonly string[]) =>
    collectKnownNames(to, declared, live, others, () => listBuiltinNames(to, servers));
  const known = {
    roles: collect("roles", [...findUnlistedRoles(dialect).keys()]),
    action_groups: collect("action_groups", spokenOf),
    tenants: collect("tenants", []),
  };
  // Few texts occur in thousands of entries: each with which all is well is looked at once.
  const proven = { roles: new Set<string>(), action_groups: new Set<string>(), tenants: new Set<string>() };
  const isUnknown = (text: string, to: Mention["to"]): boolean => {
    if (proven[to].has(text)) return false;
    if (isName(text, to) && !known[to].has(text)) return true;
    proven[to].add(text);
    return false;
  };
  const resources = [...desired.resources.values()].flatMap((family) => [...family.values()].map(asShown));
  return [
    ...resources.flatMap((resource) =>
      listMentions(resource, isUnknown)
        .filter(({ to, name }) => !known[to].has(name))
        .flatMap(({ to, name }) => {
          const isRefused =
            to === "roles" && dialect.checksRoles && live !== undefined && isToBeWritten(resource, live);
          return unknownReference(resource, to, name, { ...known[to], servers }, isRefused ? "error" : "warning");
        }),
    ),
    ...(dialect.checksRoles && live ? findGroupsNamedLikeRoles(resources, live) : []),
    ...findGroupCycles(desired, live, dialect),
    ...findDifferencesFromServer(resources, live),
  ];
}

function unknownReference(
  resource: DesiredResource,
  to: keyof typeof codes,
  name: string,
  known: KnownNames & { readonly servers: PossibleServers },
  severity: Severity,
): readonly Diagnostic[] {
  const { complete, offline, nearestTo, servers } = known;
  if (offline && servers.haveOwnPrefix && looksBuiltin(name)) return [];
  const near = findOfOtherProducts(name, known) ?? nearestTo(name);
  // READ beside a built-in read proves nothing where the product is not known: others have READ in upper case.
  const isOnlyCase = near?.toLowerCase() === name.toLowerCase();
  const meant = offline && isOnlyCase && servers === anyServer ? undefined : near;
  const isOfOtherProduct = offline && isBuiltinName(to, name);
  if (!complete && !isOfOtherProduct && !isSlip(name, meant)) return [];

  const noun = getNoun(to);
  // The role of a mapping is its own name.
  const range =
    (resource.family === "role_mappings" ? undefined : findWrittenPlace(resource.node, name)) ?? resource.origin;
  const where = isOfOtherProduct
    ? `in these files, and ${servers.title} ships none`
    : offline
      ? "in these files"
      : "in these files or on the server";
  const userMessage = {
    what: `There is no ${noun} ${JSON.stringify(name)} ${where}.${formatSuggestion(meant)}`,
    why:
      resource.family === "internal_users"
        ? "A user does not get a role that is not there, and OpenSearch refuses to write such a user."
        : consequences[to],
    fix: meant
      ? `Write ${JSON.stringify(meant)}, or declare the ${noun}.`
      : `Declare the ${noun}, or take the reference out.`,
  };
  return [createDiagnostic(range, codes[to], userMessage, offline ? "warning" : severity)];
}

/** `read` of OpenSearch is SGS_READ of Search Guard 7 and READ of Search Guard 6. */
function findOfOtherProducts(name: string, known: KnownNames): string | undefined {
  const plain = name.replace(/^sgs?_/i, "");
  const forms = [`SGS_${plain.toUpperCase()}`, plain.toUpperCase(), `sg_${plain.toLowerCase()}`, plain.toLowerCase()];
  return forms.find((form) => form !== name && known.has(form));
}

/** What of it a server shows. */
function asShown(resource: DesiredResource): DesiredResource {
  const value = withoutCredentials(resource.family, resource.value);
  return value === resource.value ? resource : { ...resource, value };
}

/** Whether an entry will be written, as far as reading has shown it. */
function isToBeWritten({ family, name, value, serverOwned }: DesiredResource, live: LiveState): boolean {
  return !serverOwned && !isEqual(live.resources.get(family)?.get(name)?.value, value);
}

/** Action groups that are named like a role of the server: a role that is made after the group may have its name. */
function findGroupsNamedLikeRoles(resources: readonly DesiredResource[], live: LiveState): readonly Diagnostic[] {
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
