import type { Places } from "../access/explain/grant-path.ts";
import type { AccessModel } from "../access/model/access-model.ts";
import { isKeyOf } from "../access/model/api-keys.ts";
import { isGiven } from "../access/model/mapped.ts";
import type { AccessState } from "../access/model/state.ts";
import { formatMember, type Member, type Subject } from "../access/model/subject.ts";
import { findAnyInternalUser } from "../access/model/users.ts";
import { findContradiction, type Question, type TestedAccess, type TestOutcome } from "../access/questions/tested.ts";
import { findUnknownMember, listAllPrincipals } from "../access/questions/who.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Message, RunError } from "../diagnostics/failure.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { findNearest, formatSuggestion } from "../diagnostics/suggest.ts";
import type { AccessTest, ExceptedPrincipals, TestedQuestion } from "../model/access-test.ts";
import type { Persona } from "../model/persona.ts";
import { parseQuestion } from "./asked.ts";
import { listOpenAskers, openSubject, type PartlyDeclared } from "./partly-declared.ts";
import { type Asker, createAsker } from "./subject.ts";

/** What access tests are evaluated with. */
export interface TestContext {
  readonly model: AccessModel;
  /** As dialects name it. */
  readonly release: string;
  readonly personas: ReadonlyMap<string, Persona>;
  readonly places: Places;
  /** Absent where all that grants access is known. */
  readonly partly?: PartlyDeclared;
}

/** Why a test cannot be asked: an unknown persona, an unknown action, no principal, no index. */
export function findUnaskable(
  tests: readonly AccessTest[],
  personas: ReadonlyMap<string, Persona>,
  release: string,
): readonly Diagnostic[] {
  return tests.flatMap((test) => {
    const { who } = test;
    const named = who.kind === "only" ? who.but.personas : who.kind === "persona" ? [who.name] : [];
    const unknown = named.filter((name) => !personas.has(name));
    const place = who.kind === "persona" ? who.place : test.origin;
    return [
      ...unknown.map((name) => bad(place, noPersona(name, personas))),
      ...(isNoPerson(who) ? [bad(test.origin, namesNone)] : []),
      ...problemOf(() => questionsOf(test, release)).map((userMessage) => bad(test.origin, userMessage)),
      ...(test.sees && !seesAnything(test, release) ? [bad(test.origin, seesNothing)] : []),
    ];
  });
}

/** Evaluates each test, in the order of the files; a test that cannot be asked is left out. */
export function evaluateTests(tests: readonly AccessTest[], context: TestContext): readonly TestedAccess[] {
  return listAskable(tests, context).map((test) => {
    const questions = questionsOf(test, context.release);
    const title = test.name ?? titleOf(test, questions, context.personas);
    const findAll = (askers: readonly Asker[]) =>
      askers.flatMap((asker) =>
        questions.flatMap((question) => findContradiction(context.model, asker, question, test, context.places) ?? []),
      );
    const findings = findAll(askersOf(test.who, context));
    const open = findings.length === 0 && test.expect === "denied" ? findAll(listOpen(test, questions, context)) : [];
    if (open.length > 0) {
      return { test, title, outcome: "unknown", passes: true, isLeftToPlan: true, findings: open };
    }
    const outcome: TestOutcome = findings.some((one) => one.outcome === "failed")
      ? "failed"
      : findings.length > 0
        ? "unknown"
        : "passed";
    return {
      test,
      title,
      outcome,
      passes: outcome === "passed" || (outcome === "unknown" && test.allowsUnknown),
      findings: findings.filter((one) => one.outcome === outcome),
    };
  });
}

/** Everybody whom the tests ask about. */
export function listTestSubjects(tests: readonly AccessTest[], context: TestContext): readonly Subject[] {
  return listAskable(tests, context).flatMap(({ who }) => askersOf(who, context).map(({ subject }) => subject));
}

function listAskable(tests: readonly AccessTest[], { personas, release }: TestContext): readonly AccessTest[] {
  return tests.filter((test) => findUnaskable([test], personas, release).length === 0);
}

function questionsOf({ actions, indices, tenant }: AccessTest, release: string): readonly Question[] {
  const index = indices.length > 0 ? { index: indices.join(",") } : {};
  return actions.map((action) => parseQuestion({ action, ...index, ...(tenant !== undefined && { tenant }) }, release));
}

function askersOf(who: TestedQuestion, { model, personas }: TestContext): readonly Asker[] {
  if (who.kind !== "only") return [askerFor(who, personas, model.state)];
  const entries = listAllPrincipals(model).flatMap((principal): readonly Asker[] =>
    principal.kind === "entry" ? [{ subject: principal.subject, title: formatMember(principal.member) }] : [],
  );
  const declared = [...personas.keys()]
    .filter((name) => !who.but.personas.includes(name))
    .sort()
    .map((name) => askerFor({ kind: "persona", name }, personas, model.state));
  const unread = findAnyInternalUser(model.state);
  const unknown = findUnknownMember(model, who.but.roles);
  const others = [
    ...(unread ? [{ subject: unread, title: "an internal user" }] : []),
    ...(unknown ? [{ subject: unknown.subject, title: `a principal of mapping ${unknown.roles.join(", ")}` }] : []),
  ];
  return [...entries, ...declared, ...others].filter(({ subject }) => !isExcepted(subject, who.but, model));
}

/** Those who may have more than the files say. */
function listOpen(
  { who, tenant: name }: AccessTest,
  questions: readonly Question[],
  context: TestContext,
): readonly Asker[] {
  const { partly, model } = context;
  if (!partly) return [];
  const askers = askersOf(who, context);
  const writes = questions.every((question) => question.of === "tenant" && question.writes);
  const tenant = name === undefined ? undefined : { tenant: name, writes };
  if (who.kind === "only") return listOpenAskers(partly, model, askers, tenant);
  return askers.flatMap(({ subject, title }) => {
    const open = openSubject(partly, model, subject, tenant);
    return open ? [{ subject: open, title }] : [];
  });
}

type AskedPerson =
  | Exclude<TestedQuestion, { kind: "only" | "persona" }>
  | { readonly kind: "persona"; readonly name: string };

function askerFor(who: AskedPerson, personas: ReadonlyMap<string, Persona>, state?: AccessState): Asker {
  if (who.kind === "persona")
    return createAsker({ backendRoles: [], attributes: [], persona: who.name }, personas, state);
  const { attributes, ...is } = who.is;
  return createAsker({ ...is, attributes: Object.entries(attributes ?? {}) }, personas, state);
}

/** Whether a subject certainly has one of these. */
function isExcepted(
  subject: Subject,
  { users, backendRoles, hosts, roles, apiKeys = [] }: ExceptedPrincipals,
  model: AccessModel,
): boolean {
  if (subject.apiKey !== undefined) return isKeyOf(subject.apiKey, apiKeys, model.state);
  const members: readonly Member[] = [
    ...users.map((entry): Member => ({ field: "users", entries: [entry] })),
    ...backendRoles.map((entry): Member => ({ field: "backend_roles", entries: [entry] })),
    ...hosts.map((entry): Member => ({ field: "hosts", entries: [entry] })),
  ];
  return (
    members.some((member) => isGiven(member, subject, { starMatchesNone: "no", resolvesHosts: "no" }) === "yes") ||
    (roles.length > 0 && model.holdings(subject).some(({ role, verdict }) => verdict === "yes" && roles.includes(role)))
  );
}

function isNoPerson(who: TestedQuestion): boolean {
  if (who.kind !== "principal") return false;
  const { user, host, backendRoles } = who.is;
  return user === undefined && host === undefined && backendRoles.length === 0;
}

/** `only backend role hr may search hr-*`: a title for a test without a name. */
function titleOf(
  { who, expect, sees }: AccessTest,
  questions: readonly Question[],
  personas: ReadonlyMap<string, Persona>,
): string {
  const what = questions.map(({ title }) => title).join(", ");
  if (who.kind !== "only") {
    const all = sees ? " and see all of it" : "";
    return `${askerFor(who, personas).title} may ${expect === "allowed" ? "" : "not "}${what}${all}`;
  }
  const { personas: named, users, backendRoles, hosts, roles, apiKeys = [] } = who.but;
  const but = [
    ...named.map((name) => `persona ${name}`),
    ...users.map((name) => `user ${name}`),
    ...backendRoles.map((name) => `backend role ${name}`),
    ...hosts.map((name) => `host ${name}`),
    ...roles.map((name) => `role ${name}`),
    ...apiKeys.map((name) => `api key ${name}`),
  ];
  return `${but.length === 0 ? "no one" : `only ${but.join(", ")}`} may ${what}`;
}

/** What a test is called in reports. */
export function describeTest(test: AccessTest, release: string, personas: ReadonlyMap<string, Persona>): string {
  const isAskable = findUnaskable([test], personas, release).length === 0;
  return test.name ?? (isAskable ? titleOf(test, questionsOf(test, release), personas) : test.actions.join(", "));
}

/**
 * A denied request, and one that returns no documents, shows nothing. A test that cannot be asked is reported as
 * that.
 */
function seesAnything(test: AccessTest, release: string): boolean {
  if (test.expect === "denied") return false;
  return (
    problemOf(() => questionsOf(test, release)).length > 0 ||
    questionsOf(test, release).every((question) => question.of === "request" && question.request.reads)
  );
}

function problemOf(ask: () => unknown): readonly Message[] {
  try {
    ask();
    return [];
  } catch (error) {
    if (error instanceof RunError) return [error.userMessage];
    throw error;
  }
}

function bad(range: SourceRange, userMessage: Message): Diagnostic {
  return createDiagnostic(range, "bad-access-test", {
    why: "The test cannot be asked, so it would hold nothing.",
    ...userMessage,
  });
}

function noPersona(name: string, personas: ReadonlyMap<string, Persona>): Message {
  const meant = findNearest(name, personas.keys());
  return {
    what: `There is no persona "${name}".${formatSuggestion(meant)}`,
    fix:
      personas.size === 0
        ? "Declare it in a state file under personas:, or write who is meant: {backend_roles: [hr]}."
        : `Declared are ${[...personas.keys()].sort().join(", ")}.`,
  };
}

const seesNothing: Message = {
  what: "`sees` is about what is read, and this test is not about reading that is allowed.",
  fix: "Write expect: allowed, and actions such as search or get; what reads nothing is another test, without sees.",
};

const namesNone: Message = {
  what: "The access test does not say who is meant.",
  fix: "Write under as: a user, backend_roles or a host; or the name of a persona.",
};
