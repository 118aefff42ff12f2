import type { SourceRange } from "../../diagnostics/source.ts";
import type { AccessTest, Expectations, TestedQuestion } from "../../model/access-test.ts";
import type { Persona } from "../../model/persona.ts";
import type { SavedAccessTest, SavedPersona, SavedPlan } from "../../model/plan-file.ts";
import { decodeOrigin, encodeOrigin } from "../desired.ts";

type Saved = Pick<SavedPlan, "access_tests" | "personas">;

/** Access tests and personas as a plan file holds them: apply has no repository to read them from. */
export function encodeExpectations({ tests, personas }: Expectations): Saved {
  return {
    ...(tests.length > 0 && { access_tests: tests.map(encodeTest) }),
    ...(personas.size > 0 && { personas: [...personas.values()].map(encodePersona) }),
  };
}

export function restoreExpectations({ access_tests: tests = [], personas = [] }: Saved): Expectations {
  return { tests: tests.map(decodeTest), personas: new Map(personas.map((one) => [one.name, decodePersona(one)])) };
}

function encodeTest({
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
    ...encodeWho(who),
    action: actions,
    index: indices,
    ...(tenant !== undefined && { tenant }),
    expect,
    ...(sees && { sees }),
    allow_unknown: allowsUnknown,
    origin: encodeOrigin(origin),
  };
}

function encodeWho(who: TestedQuestion): Pick<SavedAccessTest, "persona" | "principal" | "only"> {
  switch (who.kind) {
    case "persona":
      return { persona: who.name };
    case "principal":
      return { principal: encodePerson(who.is) };
    default: {
      const { backendRoles, apiKeys, ...but } = who.but;
      return { only: { ...but, backend_roles: backendRoles, ...(apiKeys && { api_keys: apiKeys }) } };
    }
  }
}

function decodeTest({
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
    who: decodeWho(saved, decodeOrigin(origin)),
    actions: action,
    indices: index,
    ...(tenant !== undefined && { tenant }),
    expect,
    ...(sees && { sees }),
    allowsUnknown: allow_unknown,
    origin: decodeOrigin(origin),
  };
}

function decodeWho(
  { persona, principal, only: but }: ReturnType<typeof encodeWho>,
  place: SourceRange,
): TestedQuestion {
  if (persona !== undefined) return { kind: "persona", name: persona, place };
  if (principal) return { kind: "principal", is: decodePerson(principal) };
  const { backend_roles: backendRoles = [], personas = [], users = [], hosts = [], roles = [], api_keys } = but ?? {};
  const keys = api_keys ? { apiKeys: api_keys } : {};
  return { kind: "only", but: { personas, users, backendRoles, hosts, roles, ...keys } };
}

type Person = Omit<Persona, "name" | "origin">;

function encodePerson({ user, backendRoles, host, attributes }: Person): Omit<SavedPersona, "name" | "origin"> {
  return {
    ...(user !== undefined && { user }),
    backend_roles: backendRoles,
    ...(host !== undefined && { host }),
    ...(attributes && { attributes }),
  };
}

function decodePerson({
  user,
  backend_roles: backendRoles,
  host,
  attributes,
}: ReturnType<typeof encodePerson>): Person {
  return {
    ...(user !== undefined && { user }),
    backendRoles,
    ...(host !== undefined && { host }),
    ...(attributes && { attributes }),
  };
}

function encodePersona({ name, origin, ...person }: Persona): SavedPersona {
  return { name, ...encodePerson(person), origin: encodeOrigin(origin) };
}

function decodePersona({ name, origin, ...person }: SavedPersona): Persona {
  return { name, ...decodePerson(person), origin: decodeOrigin(origin) };
}
