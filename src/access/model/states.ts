import { addAliases } from "../../dialects/aliases.ts";
import { createBuiltins, findUnlistedRoles } from "../../dialects/builtin/index.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { getSemantics } from "../../dialects/find-semantics.ts";
import { createInternalUser } from "../../dialects/internal-users.ts";
import type { DesiredFamily, DesiredState } from "../../model/desired.ts";
import type { InternalUser } from "../../model/internal-user.ts";
import type { LiveState } from "../../model/live.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { coversAliases, readAccessSettings, readEvaluationType } from "./settings.ts";
import type { AccessState, HeldEntries } from "./state.ts";

/** The state of access by files alone: what they declare, and built-in entries that they do not redefine. */
export function buildDeclaredAccess({ resources: written, config }: DesiredState, dialect: Dialect): AccessState {
  const resources = dialect.namesLost ? withoutNames(written, dialect.namesLost) : written;
  const builtin = createBuiltins(dialect);
  const unlisted = findUnlistedRoles(dialect);
  const users = dialect.internalUsers && resources.get("internal_users");
  const declared = (family: ResourceFamily): HeldEntries =>
    new Map([...(resources.get(family) ?? [])].map(([name, { value }]) => [name, value]));
  return {
    semantics: getSemantics(dialect, config && readEvaluationType(config.value)),
    roles: new Map([...(unlisted.size === 0 ? builtin.roles : []), ...declared("roles")]),
    unlisted,
    mappings: new Map([...builtin.role_mappings, ...declared("role_mappings")]),
    groups: new Map([...builtin.action_groups, ...declared("action_groups")]),
    tenants: new Map([...builtin.tenants, ...declared("tenants")]),
    blocks: declared("blocks"),
    settings: config ? readAccessSettings(config.value) : {},
    ...(users && { users: { kind: "known", byName: collectUsers(users, dialect) } }),
  };
}

/** What a server does not store gives nothing. */
function withoutNames(resources: DesiredState["resources"], lost: ReadonlySet<string>): DesiredState["resources"] {
  return new Map(
    [...resources].map(([family, held]) => [family, new Map([...held].filter(([name]) => !lost.has(name)))]),
  );
}

function collectUsers(users: DesiredFamily, dialect: Dialect): ReadonlyMap<string, InternalUser> {
  return new Map([...users].map(([name, { value }]) => [name, createInternalUser(value, dialect)]));
}

/** The state of access on a server, as it was read. */
export function buildLiveAccess(live: LiveState, dialect: Dialect): AccessState {
  const entriesOf = (family: ResourceFamily): HeldEntries =>
    new Map([...(live.resources.get(family) ?? [])].map(([name, { value }]) => [name, value]));
  return buildServerAccess(entriesOf, dialect, live);
}

/** The state of access by the entries that a server holds, or will hold after a plan. */
export function buildServerAccess(
  entriesOf: (family: ResourceFamily) => HeldEntries,
  dialect: Dialect,
  { config, internalUsers, apiKeys, aliases }: Pick<LiveState, "config" | "internalUsers" | "apiKeys" | "aliases">,
): AccessState {
  const semantics = getSemantics(dialect, config && readEvaluationType(config.document));
  const isByAlias = aliases?.kind === "known" && coversAliases(config?.document ?? {});
  return {
    semantics: isByAlias ? addAliases(semantics, aliases.aliases) : semantics,
    roles: entriesOf("roles"),
    unlisted: findUnlistedRoles(dialect),
    mappings: entriesOf("role_mappings"),
    // Those that are part of a product are not always shown.
    groups: new Map([...createBuiltins(dialect).action_groups, ...entriesOf("action_groups")]),
    tenants: entriesOf("tenants"),
    blocks: entriesOf("blocks"),
    settings: config ? readAccessSettings(config.document) : {},
    ...(internalUsers && { users: internalUsers }),
    ...(apiKeys && { apiKeys }),
    ...(aliases && { aliases }),
  };
}
