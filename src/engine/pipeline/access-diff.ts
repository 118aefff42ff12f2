import type { ConcernedSubject } from "../../access/compare/between/intermediate-check.ts";
import { compareAccess } from "../../access/compare/compare.ts";
import { hasBlocksByAddress } from "../../access/compare/login-children.ts";
import { listUnknownSettings, loginSettings, mayDecideAccess } from "../../access/compare/login-settings.ts";
import { compareLogins, listRoleSources } from "../../access/compare/logins.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import type { AccessState } from "../../access/model/state.ts";
import { listLikelyAdminRoles } from "../../dialects/caller.ts";
import { getReadableConfig } from "../../live/read.ts";
import type { AccessDifferences, LoginDifference } from "../../model/access.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { Persona } from "../../model/persona.ts";
import type { AccessStates } from "../../plan/guards/guard.ts";
import { formatUnread } from "../../questions/broken-tests.ts";
import { createAsker } from "../../questions/subject.ts";
import { redactChange } from "../../secrets/redact.ts";
import { listDifferingSettings } from "./access-states.ts";
import type { PlanContext } from "./context.ts";

/** What a change of the config does besides what two states say. */
export interface ConfigAccess {
  readonly logins: readonly LoginDifference[];
  /** Names of settings that differ, and of which it is unknown what they do. */
  readonly settings: readonly string[];
}

/** Undefined where no change of the config is pending that may decide about access. */
export function findConfigAccess(
  { target, detected: { dialect }, referencesThen }: Pick<PlanContext, "target" | "detected" | "referencesThen">,
  changes: readonly Change[],
  statePair: AccessStates | undefined,
): ConfigAccess | undefined {
  const change = changes.find((one) => one.family === "config" && isPending(one));
  if (!change?.after || !mayDecideAccess(change.before ?? {}, change.after)) return undefined;
  const redacted = redactChange(change);
  const state = statePair && !("unread" in statePair) ? statePair.after.state : undefined;
  return {
    logins: compareLogins(
      redacted,
      { dialect, referencesThen },
      state,
      target.adminRoles ?? listLikelyAdminRoles(dialect),
    ),
    // What is unknown of logins has a line of its own.
    settings: listUnknownSettings(redacted.before ?? {}, redacted.after ?? {})
      .filter(([child = ""]) => !loginSettings.includes(child))
      .map((path) => path.join(".")),
  };
}

/** Which domains can assert any backend role once the plan is done: asked where access tests are evaluated. */
export async function findRoleSources(
  { expected, live, reader, detected: { dialect } }: PlanContext,
  changes: readonly Change[],
): Promise<readonly string[]> {
  if (!expected || expected.tests.length === 0) return [];
  const after = changes.find((one) => one.family === "config" && isPending(one))?.after;
  const config = after ?? (live.config ?? (await getReadableConfig(reader, dialect)))?.document;
  return config ? listRoleSources(config, { dialect }) : [];
}

/** Which principals gain or lose access by a plan. */
export function findAccessChanges(
  statePair: AccessStates,
  personas: ReadonlyMap<string, Persona> = new Map(),
  mostPrincipals?: number,
  config?: ConfigAccess,
): AccessDifferences {
  const logins = config && config.logins.length > 0 && { logins: config.logins };
  if ("unread" in statePair) {
    const unknowns = [`who gains and who loses: ${formatUnread(statePair.unread)} may not be read.`];
    return { ...logins, blockedDiff: [], statements: [], unchanged: [], unknowns };
  }
  const found = compareAccess(
    statePair.before,
    statePair.after,
    subjectsOf(personas, statePair.before.state),
    mostPrincipals,
  );
  const shownAsLogins = config ? ["http.anonymous_auth_enabled", "hosts_resolver_mode"] : [];
  const settings = listDifferingSettings(statePair.before.state.settings, statePair.after.state.settings).filter(
    (name) => !shownAsLogins.includes(name),
  );
  const unknown = config?.settings ?? [];
  return {
    ...found,
    ...logins,
    unknowns: [
      ...found.unknowns,
      ...byUnreadUsers(statePair.before.state),
      ...(isAboutAnyAddress(found) &&
      [statePair.before, statePair.after].some((model) => hasBlocksByAddress(model.state))
        ? ["from which addresses the principals above come; blocks by address are not included."]
        : []),
      ...(settings.length === 0 ? [] : [bySettings(settings)]),
      ...(unknown.length === 0
        ? []
        : [`who gains and who loses by ${unknown.join(" and ")} of the config: what they decide is unknown.`]),
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

/** Which principals gain or lose access by each request of a plan, compared with the state just before it. */
export function explainOrder(
  statePair: AccessStates | undefined,
  modelsAfter: () => readonly AccessModel[],
  personas?: ReadonlyMap<string, Persona>,
): readonly AccessDifferences[] {
  if (!statePair || "unread" in statePair) return [];
  const models = modelsAfter();
  return models.map((after, at) => findAccessChanges({ before: models[at - 1] ?? statePair.before, after }, personas));
}

function byUnreadUsers({ users }: AccessState): readonly string[] {
  return users?.kind === "unread" ? [`what internal users gain and lose by roles of their own: ${users.why}.`] : [];
}

/** Whether it says of some principal, not of an address, that they gain or lose. */
function isAboutAnyAddress({ statements }: AccessDifferences): boolean {
  return statements.some(({ who }) => who.some((one) => one.kind === "principal" && one.member.field !== "hosts"));
}

/**
 * These settings decide about requests for several indices at once, and about hosts: tables of single permissions do
 * not show that.
 */
function bySettings(settings: readonly string[]): string {
  return `who gains and who loses by ${settings.join(" and ")} of the config, by which the server evaluates all requests.`;
}
