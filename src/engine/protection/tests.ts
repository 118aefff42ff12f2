import { includes } from "../../access/patterns/includes.ts";
import { isEqual, type Value } from "../../json/value.ts";
import type { AccessTest, Expectations } from "../../model/access-test.ts";
import type { Persona } from "../../model/persona.ts";
import { describeTest } from "../../questions/tests.ts";

/** A test of the base that the tests of today do not imply, and what came in its place, if anything. */
export interface LostTest {
  readonly test: AccessTest;
  readonly title: string;
  readonly instead?: AccessTest;
}

/** Tests that are deleted or loosened; one that was moved, renamed, split or made stricter is not. */
export function findLostTests(then: Expectations, now: Expectations, release: string): readonly LostTest[] {
  const isKept = (test: AccessTest) =>
    divideTest(test).every((part) => now.tests.some((one) => implies(one, part, { own: now, others: then })));
  const lost = then.tests.filter((test) => !isKept(test));
  if (lost.length === 0) return [];
  const written = then.tests.map(describeTested);
  const others = now.tests.filter((test) => !written.some((one) => isEqual(one, describeTested(test))));
  const named = new Set(then.tests.flatMap(({ name }) => name ?? []));
  return lost.map((test) => {
    const isMeant = ({ name }: AccessTest) => name !== undefined && name === test.name;
    const instead =
      now.tests.find((one) => isEqual(describeTested(one), describeTested(test))) ??
      others.find(isMeant) ??
      others.find((one) => !(one.name !== undefined && named.has(one.name)) && isAlike(one, test));
    return { test, title: describeTest(test, release, then.personas), ...(instead && { instead }) };
  });
}

/** What a test asks, one question each: it may be divided among several. */
function divideTest(test: AccessTest): readonly AccessTest[] {
  const indices = test.indices.length === 0 ? [[]] : test.indices.map((index) => [index]);
  return test.actions.flatMap((action) => indices.map((some) => ({ ...test, actions: [action], indices: some })));
}

/** Where a test is of, and where the others are of. */
interface Sides {
  readonly own: Expectations;
  readonly others: Expectations;
}

function implies(test: AccessTest, part: AccessTest, sides: Sides): boolean {
  const [action = ""] = part.actions;
  const [index] = part.indices;
  return (
    test.expect === part.expect &&
    test.tenant === part.tenant &&
    test.actions.includes(action) &&
    (!test.allowsUnknown || part.allowsUnknown) &&
    (test.sees !== undefined || part.sees === undefined) &&
    (index === undefined ? test.indices.length === 0 : coversIndex(test, index)) &&
    coversPrincipals(test, part, sides)
  );
}

function coversIndex({ indices, expect }: AccessTest, index: string): boolean {
  if (indices.includes(index)) return true;
  return expect === "denied" && indices.length > 0 && !index.includes(",") && includes(indices, index) === "yes";
}

function coversPrincipals({ who }: AccessTest, { who: asked }: AccessTest, sides: Sides): boolean {
  if (who.kind !== "only" || asked.kind !== "only") {
    return (
      who.kind !== "only" &&
      asked.kind !== "only" &&
      isEqual(describePrincipal(who, sides.own), describePrincipal(asked, sides.others))
    );
  }
  const { personas, ...rest } = who.but;
  const { personas: excepted, ...other } = asked.but;
  const [ofOwn, ofOthers] = [sides.own.personas, sides.others.personas];
  const isExcepted = (persona: Persona | undefined) =>
    excepted.some((name) => isSamePersona(ofOthers.get(name), persona));
  return (
    personas.every((name) => isExcepted(ofOwn.get(name))) &&
    Object.entries(rest).every(([key, names]) =>
      (names as readonly string[]).every((name) => other[key as keyof typeof other]?.includes(name) === true),
    ) &&
    // Each persona that is not excepted is asked about.
    [...ofOthers.values()].every((one) => isExcepted(one) || hasPersona(sides.own, one))
  );
}

function hasPersona({ personas }: Expectations, persona: Persona): boolean {
  return [...personas.values()].some((one) => isSamePersona(one, persona));
}

function isSamePersona(one: Persona | undefined, other: Persona | undefined): boolean {
  return one !== undefined && other !== undefined && isEqual(identify(one), identify(other));
}

/** Whether lost tests of the base are explained by a persona that is another now: their text is as it was, or they ask about all. */
export function isExplainedBy(name: string, lost: readonly LostTest[], then: Expectations, now: Expectations): boolean {
  const persona = then.personas.get(name);
  return lost.some(({ test, instead }) => {
    const isAsWritten = instead !== undefined && isEqual(describeTested(test), describeTested(instead));
    if (test.who.kind === "persona") return isAsWritten && test.who.name === name;
    if (test.who.kind !== "only") return false;
    return (isAsWritten && test.who.but.personas.includes(name)) || !(persona && hasPersona(now, persona));
  });
}

function describePrincipal(who: Exclude<AccessTest["who"], { kind: "only" }>, { personas }: Expectations): Value {
  if (who.kind === "principal") return identify(who.is);
  const persona = personas.get(who.name);
  return persona ? identify(persona) : who.name;
}

/** The same for whatever asks about the same. */
function identify(persona: Omit<Persona, "name" | "origin">): Value {
  return describePersona({ ...persona, backendRoles: [...new Set(persona.backendRoles)].toSorted() });
}

export function describePersona({ user, backendRoles, host, attributes }: Omit<Persona, "name" | "origin">): Value {
  return {
    ...(user !== undefined && { user }),
    ...(backendRoles.length > 0 && { backend_roles: backendRoles }),
    ...(host !== undefined && { host }),
    ...(attributes && Object.keys(attributes).length > 0 && { attributes }),
  };
}

function isAlike(a: AccessTest, b: AccessTest): boolean {
  const about = ({ actions, indices, tenant }: AccessTest) => [actions, indices, tenant ?? null];
  return isEqual(about(a), about(b)) || isEqual(describeTested(a).as ?? null, describeTested(b).as ?? null);
}

/** As it is written in files. */
export function describeTested({ who, actions, indices, tenant, expect, sees, allowsUnknown }: AccessTest): {
  readonly [key: string]: Value;
} {
  const one = (list: readonly string[]): Value => (list.length === 1 ? (list[0] ?? "") : list);
  return {
    ...(who.kind === "persona" && { as: who.name }),
    ...(who.kind === "principal" && { as: describePersona(who.is) }),
    ...(who.kind === "only" && { only: describeExcepted(who.but) }),
    action: one(actions),
    ...(indices.length > 0 && { index: one(indices) }),
    ...(tenant !== undefined && { tenant }),
    ...(who.kind !== "only" && { expect }),
    ...(sees && { sees }),
    ...(allowsUnknown && { allow_unknown: true }),
  };
}

function describeExcepted({
  backendRoles,
  apiKeys = [],
  ...rest
}: Extract<AccessTest["who"], { kind: "only" }>["but"]): Value {
  return Object.fromEntries(
    Object.entries({ ...rest, backend_roles: backendRoles, api_keys: apiKeys }).filter(([, names]) => names.length > 0),
  );
}
