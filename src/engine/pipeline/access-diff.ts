import type { ConcernedSubject } from "../../access/compare/between/intermediate-check.ts";
import { compareAccess } from "../../access/compare/compare.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import type { AccessState } from "../../access/model/state.ts";
import { isList } from "../../json/value.ts";
import type { AccessDifferences } from "../../model/access.ts";
import type { Persona } from "../../model/persona.ts";
import type { AccessStates } from "../../plan/guards/guard.ts";
import { formatUnread } from "../../questions/broken-tests.ts";
import { createAsker } from "../../questions/subject.ts";
import { listDifferingSettings } from "./access-states.ts";

/** Which principals gain or lose access by a plan. */
export function findAccessChanges(
  statePair: AccessStates,
  personas: ReadonlyMap<string, Persona> = new Map(),
  mostPrincipals?: number,
): AccessDifferences {
  if ("unread" in statePair) {
    const unknowns = [`who gains and who loses: ${formatUnread(statePair.unread)} may not be read.`];
    return { blockedDiff: [], statements: [], unchanged: [], unknowns };
  }
  const found = compareAccess(
    statePair.before,
    statePair.after,
    subjectsOf(personas, statePair.before.state),
    mostPrincipals,
  );
  const settings = listDifferingSettings(statePair.before.state.settings, statePair.after.state.settings);
  return {
    ...found,
    unknowns: [
      ...found.unknowns,
      ...byUnreadUsers(statePair.before.state),
      ...(isAboutAnyAddress(found) && [statePair.before, statePair.after].some(hasBlocksByAddress)
        ? ["from which addresses the principals above come; blocks by address are not included."]
        : []),
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

function hasBlocksByAddress({ state }: AccessModel): boolean {
  return [...state.blocks.values()].some(({ type, value }) => type !== "name" && isList(value) && value.length > 0);
}

/**
 * These settings decide about requests for several indices at once, and about hosts: tables of single permissions do
 * not show that.
 */
function bySettings(settings: readonly string[]): string {
  return `who gains and who loses by ${settings.join(" and ")} of the config, by which the server evaluates all requests.`;
}
