import type { ConcernedSubject } from "../access/compare/between.ts";
import { compareAccess } from "../access/compare/compare.ts";
import { type AccessModel, createAccessModel } from "../access/model.ts";
import { readAccessSettings } from "../access/settings.ts";
import type { AccessState, HeldEntries } from "../access/state.ts";
import { createBuiltins } from "../dialects/builtin/index.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getSemantics } from "../dialects/semantics.ts";
import { getNoun } from "../families/index.ts";
import { holdsSecret } from "../json/value.ts";
import { readInternalUsers, readState } from "../live/read.ts";
import type { AccessDifferences } from "../model/access.ts";
import { type Change, isPending } from "../model/change.ts";
import type { LiveState } from "../model/live.ts";
import type { Address, ResourceFamily } from "../model/names.ts";
import type { Persona } from "../model/persona.ts";
import type { ReadPort } from "../model/ports.ts";
import type { AccessStates } from "../plan/guards/guard.ts";
import { getStateAfter, getStateBefore } from "../plan/guards/steps.ts";
import { redactChange } from "../render/secrets.ts";
import { createAsker } from "./access/subject.ts";
import { hideRoleQueries } from "./hidden-queries.ts";

/** What says who may do what. */
const reporting: readonly ResourceFamily[] = ["roles", "role_mappings", "action_groups", "tenants", "blocks"];

/** Without these nothing can be said. */
const needed: readonly ResourceFamily[] = ["roles", "role_mappings", "action_groups"];

/** Whoever is no longer shut out has what their roles grant. */
const granting: readonly string[] = [...needed, "blocks"];

/** What an access state is made from. */
export interface AccessDecision {
  readonly changes: readonly Change[];
  readonly live: LiveState;
  readonly dialect: Dialect;
  /** Roles that stay as they are, of which the repository keeps a query secret: the server shows it as plain text. */
  readonly secret?: ReadonlySet<Address>;
}

/** Whether anything is changed that says who may do what. */
export function touchesAccess(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      isPending(change) &&
      ((reporting as readonly string[]).includes(change.family) || otherwiseEvaluated(change).length > 0),
  );
}

/** Settings by which requests are judged that a change of the config sets otherwise. */
function otherwiseEvaluated({ family, before, after }: Change): readonly string[] {
  if (family !== "config" || !after) return [];
  const [was, is] = [readAccessSettings(before ?? {}), readAccessSettings(after)];
  return Object.entries(settingNames).flatMap(([setting, name]) => {
    const key = setting as keyof typeof settingNames;
    return was[key] === is[key] ? [] : [name];
  });
}

const settingNames = {
  spansRoles: "multi_rolespan_enabled",
  reducesRequests: "do_not_fail_on_forbidden",
  reducesToNothing: "do_not_fail_on_forbidden_empty",
  resolvesHosts: "hosts_resolver_mode",
  anonymous: "http.anonymous_auth_enabled",
} as const;

/** Whether anything is changed by which somebody may come to have more. */
export function grantsAccess(changes: readonly Change[]): boolean {
  return changes.some(
    (change) => isPending(change) && (granting.includes(change.family) || otherwiseEvaluated(change).length > 0),
  );
}

/** Both sides of a plan. What of the live state it had no need of is read for it, one GET a family. */
export async function buildAccessStates(
  { changes, live, dialect, secret }: AccessDecision,
  reader: ReadPort,
  withUsers = true,
): Promise<AccessStates> {
  const missing = reporting.filter((family) => !live.resources.has(family) && family in dialect.collections);
  const [others, internalUsers] = await Promise.all([
    readState(reader, dialect, { needed: [], reference: missing }),
    live.internalUsers ?? (withUsers ? readInternalUsers(reader, dialect) : undefined),
  ]);
  const whole: LiveState = {
    ...live,
    resources: new Map([...live.resources, ...others.resources]),
    ...(internalUsers && { internalUsers }),
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
  const before = stateOf((family) => instead(family, getStateBefore(family, evaluated), old), dialect, whole);
  const touched = new Set(pending.map(({ family }) => family));
  const after = stateOf(
    (family) => (touched.has(family) ? instead(family, getStateAfter(family, evaluated), kept) : held(before, family)),
    dialect,
    withConfigAfter(whole, pending),
  );
  const document = pending.find(({ family }) => family === "config")?.after;
  const settings = document ? readAccessSettings(document) : after.settings;
  return { before: createAccessModel(before), after: createAccessModel({ ...after, settings }) };
}

/** Who gains and who loses by a plan. */
export function findAccessChanges(
  statePair: AccessStates,
  changes: readonly Change[],
  personas: ReadonlyMap<string, Persona> = new Map(),
): AccessDifferences {
  if ("unread" in statePair) {
    const untold = [`who gains and who loses: ${formatUnread(statePair.unread)} may not be read.`];
    return { blockedDiff: [], statements: [], unchanged: [], untold };
  }
  const found = compareAccess(statePair.before, statePair.after, subjectsOf(personas, statePair.before.state));
  const settings = changes.filter(isPending).flatMap(otherwiseEvaluated);
  return {
    ...found,
    untold: [
      ...found.untold,
      ...byUnreadUsers(statePair.before.state),
      ...(settings.length === 0 ? [] : [bySettings(settings)]),
    ],
  };
}

function subjectsOf(personas: ReadonlyMap<string, Persona>, state?: AccessState) {
  return [...personas.keys()].map((name) => {
    const { subject } = createAsker({ persona: name, backendRoles: [], attributes: [] }, personas, state);
    return { name, subject };
  });
}

/** Those of the repository whom a plan may concern. */
export function findConcernedPersonas(
  personas: ReadonlyMap<string, Persona> = new Map(),
  statePair?: AccessStates,
): readonly ConcernedSubject[] {
  const state = statePair && "before" in statePair ? statePair.before.state : undefined;
  return subjectsOf(personas, state).map(({ name, subject }) => ({ who: { kind: "persona", name }, subject }));
}

/** Who gains and who loses by each request of a plan, against what was just before it. */
export function explainOrder(
  statePair: AccessStates | undefined,
  modelsAfter: () => readonly AccessModel[],
  personas?: ReadonlyMap<string, Persona>,
): readonly AccessDifferences[] {
  if (!statePair || "unread" in statePair) return [];
  const models = modelsAfter();
  return models.map((after, at) =>
    findAccessChanges({ before: models[at - 1] ?? statePair.before, after }, [], personas),
  );
}

function byUnreadUsers({ users }: AccessState): readonly string[] {
  return users?.kind === "unread" ? [`what internal users gain and lose by roles of their own: ${users.why}.`] : [];
}

/** They decide about requests for several things at once, and about hosts: tables of single permissions do not tell. */
function bySettings(settings: readonly string[]): string {
  return `who gains and who loses by ${settings.join(" and ")} of the config, by which the server judges all requests.`;
}

export function formatUnread(unread: readonly ResourceFamily[]): string {
  return unread.map((family) => getNoun(family, 2)).join(" and ");
}

/** Its settings say how requests are judged. */
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

function stateOf(
  heldIn: (family: ResourceFamily) => HeldEntries,
  dialect: Dialect,
  { config, internalUsers }: LiveState,
): AccessState {
  return {
    semantics: getSemantics(dialect),
    roles: heldIn("roles"),
    mappings: heldIn("role_mappings"),
    // Those that are part of a product are not always shown.
    groups: new Map([...createBuiltins(dialect).action_groups, ...heldIn("action_groups")]),
    tenants: heldIn("tenants"),
    blocks: heldIn("blocks"),
    settings: config ? readAccessSettings(config.document) : {},
    ...(internalUsers && { users: internalUsers }),
  };
}

function held({ roles, mappings, groups, tenants, blocks }: AccessState, family: ResourceFamily): HeldEntries {
  return { roles, role_mappings: mappings, action_groups: groups, tenants, blocks }[family];
}
