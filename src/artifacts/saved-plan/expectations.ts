import type { SourceRange } from "../../diagnostics/source.ts";
import type { AccessTest, Expectations, TestedQuestion } from "../../model/access-test.ts";
import type { Persona } from "../../model/persona.ts";
import type { SavedAccessTest, SavedPersona, SavedPlan } from "../../model/plan-file.ts";
import { decodeOrigin, encodeOrigin } from "../desired.ts";

type Saved = Pick<SavedPlan, "access_tests" | "personas">;

/** The access tests and personas of the repository, for a run that applies without it. */
export function encodeExpectations({ tests, personas }: Expectations): Saved {
  return {
    ...(tests.length > 0 && { access_tests: tests.map(savedTest) }),
    ...(personas.size > 0 && { personas: [...personas.values()].map(savedPersona) }),
  };
}

export function restoreExpectations({ access_tests: tests = [], personas = [] }: Saved): Expectations {
  return { tests: tests.map(testFrom), personas: new Map(personas.map((one) => [one.name, personaFrom(one)])) };
}

function savedTest({
  name,
  who,
  actions,
  indices,
  tenant,
  expect,
  sees,
  allowsUnknown,
  origin,
}: AccessTest): SavedAccessTest {
  return {
    ...(name !== undefined && { name }),
    ...savedWho(who),
    action: actions,
    index: indices,
    ...(tenant !== undefined && { tenant }),
    expect,
    ...(sees && { sees }),
    allow_unknown: allowsUnknown,
    origin: encodeOrigin(origin),
  };
}

function savedWho(who: TestedQuestion): Pick<SavedAccessTest, "persona" | "principal" | "only"> {
  switch (who.kind) {
    case "persona":
      return { persona: who.name };
    case "principal":
      return { principal: savedPerson(who.is) };
    default: {
      const { backendRoles, ...but } = who.but;
      return { only: { ...but, backend_roles: backendRoles } };
    }
  }
}

function testFrom({
  name,
  action,
  index,
  tenant,
  expect,
  sees,
  allow_unknown,
  origin,
  ...saved
}: SavedAccessTest): AccessTest {
  return {
    ...(name !== undefined && { name }),
    who: whoFrom(saved, decodeOrigin(origin)),
    actions: action,
    indices: index,
    ...(tenant !== undefined && { tenant }),
    expect,
    ...(sees && { sees }),
    allowsUnknown: allow_unknown,
    origin: decodeOrigin(origin),
  };
}

function whoFrom({ persona, principal, only: but }: ReturnType<typeof savedWho>, place: SourceRange): TestedQuestion {
  if (persona !== undefined) return { kind: "persona", name: persona, place };
  if (principal) return { kind: "principal", is: personFrom(principal) };
  const { backend_roles: backendRoles = [], personas = [], users = [], hosts = [], roles = [] } = but ?? {};
  return { kind: "only", but: { personas, users, backendRoles, hosts, roles } };
}

type Person = Omit<Persona, "name" | "origin">;

function savedPerson({ user, backendRoles, host, attributes }: Person): Omit<SavedPersona, "name" | "origin"> {
  return {
    ...(user !== undefined && { user }),
    backend_roles: backendRoles,
    ...(host !== undefined && { host }),
    ...(attributes && { attributes }),
  };
}

function personFrom({ user, backend_roles: backendRoles, host, attributes }: ReturnType<typeof savedPerson>): Person {
  return {
    ...(user !== undefined && { user }),
    backendRoles,
    ...(host !== undefined && { host }),
    ...(attributes && { attributes }),
  };
}

function savedPersona({ name, origin, ...person }: Persona): SavedPersona {
  return { name, ...savedPerson(person), origin: encodeOrigin(origin) };
}

function personaFrom({ name, origin, ...person }: SavedPersona): Persona {
  return { name, ...personFrom(person), origin: decodeOrigin(origin) };
}
