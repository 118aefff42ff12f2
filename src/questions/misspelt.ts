import type { AccessModel } from "../access/model/access-model.ts";
import type { AccessState } from "../access/model/state.ts";
import { buildDeclaredAccess } from "../access/model/states.ts";
import { formatWho, listMembers, type Subject } from "../access/model/subject.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Message } from "../diagnostics/failure.ts";
import {
  areNumbered,
  differsInOnePart,
  findNearest,
  formatSuggestion,
  suggestNearest,
} from "../diagnostics/suggest.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { knownActions } from "../dialects/requests.ts";
import { listTexts } from "../json/value.ts";
import type { AccessTest } from "../model/access-test.ts";
import type { DesiredState } from "../model/desired.ts";
import type { Persona } from "../model/persona.ts";
import type { AskedQuestion } from "./asked.ts";
import { findMisspeltIndex, listWrittenPatterns } from "./misspelt-indices.ts";

/**
 * Names in an access test that look like misspelt actions, indices or principals: nothing is ever granted to them, so a test
 * that expects a denial would pass for no reason. They may be right all the same, so these are warnings.
 */
export function findMisspelt(
  tests: readonly AccessTest[],
  personas: ReadonlyMap<string, Persona>,
  declared: DesiredState,
  dialect: Dialect,
): readonly Diagnostic[] {
  if (tests.length === 0) return [];
  const state = buildDeclaredAccess(declared, dialect);
  const named = namesIn(state);
  const written = listWrittenPatterns(declared, state.semantics);
  const used = new Set(tests.flatMap(({ who }) => (who.kind === "persona" ? [who.name] : [])));
  const ofTests = tests.flatMap(({ actions, indices, who, origin }) => {
    const messages = [
      ...actions.flatMap((action) => misspeltAction(action, state)),
      ...indices.flatMap((index) => findMisspeltIndex(index, written)),
      ...(who.kind === "principal" ? misspeltNames(who.is, named) : []),
    ];
    return messages.map((userMessage) => createDiagnostic(origin, "doubtful-access-test", userMessage));
  });
  const ofPersonas = [...personas.values()]
    .filter(({ name }) => used.has(name))
    .flatMap((persona) =>
      misspeltNames(persona, named).map((userMessage) =>
        createDiagnostic(persona.origin, "doubtful-access-test", userMessage),
      ),
    );
  return [...ofTests, ...ofPersonas];
}

/**
 * The same of an action that is asked about by its own name, and of a tenant: the answer to a misspelt one is no, and
 * proves nothing.
 *
 * @param subjects everybody of whom it is asked
 */
export function listMisspeltNotes(
  asked: AskedQuestion,
  model: AccessModel,
  subjects: readonly Subject[],
): readonly string[] {
  return asked.of === "tenant"
    ? unknownTenant(asked.tenant, model, subjects)
    : misspeltAction(asked.request.name, model.state).map(({ what }) => what);
}

function unknownTenant(tenant: string, { state, rules }: AccessModel, subjects: readonly Subject[]): readonly string[] {
  const { semantics, roles, tenants } = state;
  const granted = () => [...roles.keys()].flatMap((role) => rules(role)?.tenants.flatMap((one) => one.patterns) ?? []);
  // Everybody has a tenant of their own, called as they are.
  const own = [...namesIn(state).users, ...subjects.flatMap(({ user }) => (user ? [formatWho(user)] : []))];
  const shared = [...tenants.keys(), semantics.globalTenant, ...(semantics.tenantsAreNames ? granted() : [])];
  if ([...shared, ...own].includes(tenant)) return [];
  return [`No tenant "${tenant}" is known here.${suggestNearest(tenant, shared.toSorted())}`];
}

function misspeltAction(action: string, { groups }: AccessState): readonly Message[] {
  if (!action.includes(":") || knownActions.includes(action)) return [];
  const known = [
    ...new Set([...knownActions, ...[...groups.values()].flatMap((group) => listTexts(group.allowed_actions))]),
  ]
    .filter((one) => one.includes(":") && !/[*?]/.test(one))
    .sort();
  if (known.includes(action)) return [];
  const meant = findNearest(
    action,
    known.filter((one) => differsInOnePart(action, one, /[/:]/)),
  );
  if (meant === undefined) return [];
  return [
    {
      what: `No action "${action}" is known here.${formatSuggestion(meant)}`,
      why: "A server without this action refuses it to no principal: the test would check nothing.",
      fix: `Write ${meant}, if that is meant.`,
    },
  ];
}

type Named = Readonly<Record<"users" | "backend_roles", readonly string[]>>;

/** What mappings name, but for what means everybody. */
function namesIn({ mappings }: AccessState): Named {
  const members = [...mappings.values()].flatMap(listMembers);
  const entries = (...fields: readonly string[]) =>
    [...new Set(members.flatMap((member) => (fields.includes(member.field) ? member.entries : [])))].filter(
      (one) => one !== "*",
    );
  return { users: entries("users"), backend_roles: entries("backend_roles", "and_backend_roles") };
}

/** A user with backend roles need not be named anywhere. */
function misspeltNames(
  { user, backendRoles }: Pick<Persona, "user" | "backendRoles">,
  named: Named,
): readonly Message[] {
  return [
    ...(user !== undefined && backendRoles.length === 0 ? misspeltName("user", user, named.users) : []),
    ...backendRoles.flatMap((role) => misspeltName("backend role", role, named.backend_roles)),
  ];
}

function misspeltName(noun: string, name: string, entries: readonly string[]): readonly Message[] {
  if (entries.some((entry) => matchesPattern(entry, name) !== "no")) return [];
  const meant = findNearest(
    name,
    entries.filter((entry) => name.length >= shortest && !areNumbered(entry, name)).sort(),
  );
  if (meant === undefined) return [];
  return [
    {
      what: `No mapping names the ${noun} "${name}".${formatSuggestion(meant)}`,
      why: "No mapping gives a role to this name: the test would check nothing.",
      fix: `Write ${meant}, if that is meant.`,
    },
  ];
}

/** Of shorter names, most are near to one another. */
const shortest = 4;
