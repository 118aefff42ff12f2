import { mayDecideAccess } from "../../access/compare/login-settings.ts";
import { createAccessModel } from "../../access/model/access-model.ts";
import { isAboutKeys } from "../../access/model/api-keys.ts";
import { type AccessSettings, type AccessState, getHeldEntries, type HeldEntries } from "../../access/model/state.ts";
import { buildServerAccess } from "../../access/model/states.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { createInternalUser } from "../../dialects/internal-users.ts";
import { credentialFields } from "../../families/credentials.ts";
import { type Fields, holdsSecret, type Value } from "../../json/value.ts";
import { getReadableConfig, readAliases, readApiKeys, readInternalUsers, readState } from "../../live/read.ts";
import type { Expectations } from "../../model/access-test.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { InternalUsers } from "../../model/internal-user.ts";
import type { LiveState } from "../../model/live.ts";
import type { Address, ResourceFamily } from "../../model/names.ts";
import type { ReadPort } from "../../model/ports.ts";
import type { AccessStates } from "../../plan/guards/guard.ts";
import { getStateAfter, getStateBefore } from "../../plan/guards/steps.ts";
import { redactChange } from "../../secrets/redact.ts";
import { hideRoleQueries } from "../../secrets/role-queries.ts";

/** What says who may do what. */
const reporting: readonly ResourceFamily[] = [
  "roles",
  "role_mappings",
  "action_groups",
  "tenants",
  "internal_users",
  "blocks",
];

/** Without these, access is unknown. */
const needed: readonly ResourceFamily[] = ["roles", "role_mappings", "action_groups"];

/** A principal that is no longer blocked has what its roles grant. */
const granting: readonly string[] = [...needed, "blocks", "internal_users"];

/** What an access state is made from. */
export interface AccessDecision {
  readonly changes: readonly Change[];
  readonly live: LiveState;
  readonly dialect: Dialect;
  /** Roles that stay as they are, of which the repository keeps a query secret: the server shows it as plain text. */
  readonly secret?: ReadonlySet<Address>;
}

/** Who may do what before and after a plan; undefined where it concerns no access and no test asks. */
export async function findAccessStates(
  deciding: AccessDecision,
  expected: Expectations | undefined,
  reader: ReadPort,
  withoutAccess = false,
): Promise<AccessStates | undefined> {
  const areTested = (expected?.tests.length ?? 0) > 0;
  const isAsked = areTested || touchedBy(deciding.changes, withoutAccess);
  if (!isAsked) return undefined;
  // The config decides how requests are evaluated; a saved plan reads it as well, whatever it changes.
  const [config, aliases] = await Promise.all([
    deciding.live.config ?? getReadableConfig(reader, deciding.dialect),
    readAliases(reader, deciding.dialect),
  ]);
  const apiKeys = concernsKeys(deciding.changes, expected) ? await readApiKeys(reader, deciding.dialect) : undefined;
  return buildAccessStates(
    {
      ...deciding,
      live: { ...deciding.live, ...(config && { config }), ...(apiKeys && { apiKeys }), ...(aliases && { aliases }) },
    },
    reader,
    areTested || !withoutAccess,
  );
}

/** Keys have no roles, but groups among their permissions; a test about all but some asks about them as well. */
function concernsKeys(changes: readonly Change[], expected: Expectations | undefined): boolean {
  const isOfKeys = ({ family }: Change): boolean => family === "action_groups" || family === "config";
  return changes.some((change) => isPending(change) && isOfKeys(change)) || (expected?.tests ?? []).some(isAboutKeys);
}

/** Who comes to administer is to be known, whatever else is not. */
function touchedBy(changes: readonly Change[], withoutAccess: boolean): boolean {
  return withoutAccess ? grantsAccess(changes) : touchesAccess(changes);
}

/** Whether anything is changed that says who may do what. */
export function touchesAccess(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      isPending(change) &&
      !isOfUserAlone(change) &&
      ((reporting as readonly string[]).includes(change.family) || changesConfigOfAccess(change)),
  );
}

/** Whether a config is another one in anything that is not known to decide about no access. */
function changesConfigOfAccess({ family, before = {}, after }: Change): boolean {
  return family === "config" && after !== undefined && mayDecideAccess(before, after);
}

/** Of a user that stays: what decides about no access. */
function isOfUserAlone({ family, action, edits }: Change): boolean {
  const others = ["description", ...credentialFields];
  return (
    family === "internal_users" &&
    action === "update" &&
    edits.every(({ path: [field = ""] }) => others.includes(field))
  );
}

/** Names of the settings in which two states differ, as the config has them. */
export function listDifferingSettings(before: AccessSettings, after: AccessSettings): readonly string[] {
  const [was, is] = [flattenSettings(before), flattenSettings(after)];
  return Object.keys(is)
    .filter((name) => was[name] !== is[name] && (typeof was[name] === "string") === (typeof is[name] === "string"))
    .map((name) => (typeof is[name] === "string" ? `${name} ${JSON.stringify(is[name])}` : name));
}

/** By the names in the config; of the dashboards nothing else decides where there is no multitenancy. */
function flattenSettings(settings: AccessSettings): Readonly<Record<string, Value | undefined>> {
  const dashboards = settings.dashboards || undefined;
  return {
    multi_rolespan_enabled: settings.spansRoles,
    privileges_evaluation_ignore_unauthorized_indices: settings.ignoresUnauthorized !== false,
    do_not_fail_on_forbidden: settings.reducesRequests,
    do_not_fail_on_forbidden_empty: settings.reducesToNothing,
    hosts_resolver_mode: settings.resolvesHosts,
    "http.anonymous_auth_enabled": settings.anonymous,
    "kibana.multitenancy_enabled": settings.dashboards !== false,
    "kibana.index": dashboards?.index,
    "kibana.server_username": dashboards?.server,
  };
}

/** Whether a change may give some principal more access. */
function grantsAccess(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      isPending(change) &&
      !isOfUserAlone(change) &&
      (granting.includes(change.family) || changesConfigOfAccess(change)),
  );
}

/** Both sides of a plan. What of the live state it had no need of is read for it, one GET a family. */
export async function buildAccessStates(
  { changes, live, dialect, secret }: AccessDecision,
  reader: ReadPort,
  readsUsers = true,
): Promise<AccessStates> {
  const missing = reporting.filter(
    (family) => family !== "internal_users" && !live.resources.has(family) && family in dialect.collections,
  );
  const [others, internalUsers] = await Promise.all([
    readState(reader, dialect, { needed: [], reference: missing }),
    live.internalUsers ?? (readsUsers ? readInternalUsers(reader, dialect) : undefined),
  ]);
  const users = splitChangedUsers(internalUsers, changes, dialect);
  const whole: LiveState = {
    ...live,
    resources: new Map([...live.resources, ...others.resources]),
    ...(users.unchanged && { internalUsers: users.unchanged }),
  };
  const unread = needed.filter((family) => !whole.resources.has(family));
  if (unread.length > 0) return { unread };
  const pending = changes.filter(isPending);
  const redact = new Map(pending.filter(hasSecret).map((change) => [change.name, redactChange(change)]));
  const evaluated = {
    live: whole,
    pending: pending.map((change) => (hasSecret(change) ? (redact.get(change.name) ?? change) : change)),
  };
  const { old, kept } = hideRoleQueries({ live: getStateBefore("roles", evaluated), changes: pending, redact, secret });
  const before = buildServerAccess((family) => instead(family, getStateBefore(family, evaluated), old), dialect, whole);
  const touched = new Set(pending.map(({ family }) => family));
  const after = buildServerAccess(
    (family) =>
      touched.has(family) ? instead(family, getStateAfter(family, evaluated), kept) : getHeldEntries(before, family),
    dialect,
    withConfigAfter(whole, pending),
  );
  // The same objects where they say the same: what a role grants is then worked out once for both.
  const { semantics } = before;
  const groups = touched.has("action_groups") ? after.groups : before.groups;
  const withUsers = (state: AccessState, end: "before" | "after"): AccessState =>
    users.names.size === 0 ? state : { ...state, changedUsers: { names: users.names, held: users[end] } };
  return {
    before: createAccessModel(withUsers(before, "before")),
    after: createAccessModel(withUsers({ ...after, semantics, groups }, "after")),
  };
}

/** Those that stay as they are, and what the others have before and after, as far as it decides about access. */
function splitChangedUsers(users: InternalUsers | undefined, changes: readonly Change[], dialect: Dialect) {
  const changed = changes.filter(
    (change) => change.family === "internal_users" && isPending(change) && !isOfUserAlone(change),
  );
  const names = new Set(changed.map(({ name }) => name));
  const unchanged: InternalUsers | undefined =
    users?.kind === "known"
      ? { kind: "known", byName: new Map([...users.byName].filter(([name]) => !names.has(name))) }
      : users;
  const heldAt = (end: "before" | "after"): HeldEntries =>
    new Map(
      changed.flatMap(({ name, [end]: value }): [string, Fields][] => {
        if (!value) return [];
        const { backendRoles, roles, attributes = {} } = createInternalUser(value, dialect);
        return [[name, { backend_roles: backendRoles, roles, attributes }]];
      }),
    );
  return { unchanged, names, before: heldAt("before"), after: heldAt("after") };
}

/** The changed config decides how requests are evaluated afterwards. */
function withConfigAfter(live: LiveState, pending: readonly Change[]): LiveState {
  const document = pending.find(({ family }) => family === "config")?.after;
  return document ? { ...live, config: { document } } : live;
}

/** A query may be a secret; of other fields that say who may do what, none is. */
function hasSecret({ family, before, after }: Change): boolean {
  return family === "roles" && (holdsSecret(after ?? {}) || holdsSecret(before ?? {}));
}

/** The same values in both states where a role stays as it is: they are compared by identity. */
function instead(family: ResourceFamily, values: HeldEntries, roles: HeldEntries): HeldEntries {
  if (family !== "roles" || roles.size === 0) return values;
  return new Map([...values].map(([name, value]) => [name, roles.get(name) ?? value]));
}
