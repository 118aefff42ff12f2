import { positionOf, type SourceRange } from "../../diagnostics/source.ts";
import type { AccessTest, Tested } from "../../model/access-test.ts";
import type { Persona } from "../../model/persona.ts";
import type { FiledAccessTest, FiledOrigin, FiledPersona, FiledPlan } from "../../model/plan-file.ts";
import type { Expectations } from "../broken-tests.ts";
import { rangeOf } from "./desired.ts";

type Filed = Pick<FiledPlan, "access_tests" | "personas">;

/** The access tests and personas of the repository, for whoever applies without it. */
export function filedTests({ tests, personas }: Expectations): Filed {
  return {
    ...(tests.length > 0 && { access_tests: tests.map(filedTest) }),
    ...(personas.size > 0 && { personas: [...personas.values()].map(filedPersona) }),
  };
}

export function filedExpectations({ access_tests: tests = [], personas = [] }: Filed): Expectations {
  return { tests: tests.map(testFrom), personas: new Map(personas.map((one) => [one.name, personaFrom(one)])) };
}

function filedTest({
  name,
  who,
  actions,
  indices,
  tenant,
  expect,
  sees,
  allowsUnknown,
  origin,
}: AccessTest): FiledAccessTest {
  return {
    ...(name !== undefined && { name }),
    ...filedWho(who),
    action: actions,
    index: indices,
    ...(tenant !== undefined && { tenant }),
    expect,
    ...(sees && { sees }),
    allow_unknown: allowsUnknown,
    origin: filedOrigin(origin),
  };
}

function filedWho(who: Tested): Pick<FiledAccessTest, "persona" | "somebody" | "nobody_but"> {
  switch (who.kind) {
    case "persona":
      return { persona: who.name };
    case "somebody":
      return { somebody: filedPerson(who.is) };
    default: {
      const { backendRoles, ...but } = who.but;
      return { nobody_but: { ...but, backend_roles: backendRoles } };
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
  ...filed
}: FiledAccessTest): AccessTest {
  return {
    ...(name !== undefined && { name }),
    who: whoFrom(filed, rangeOf(origin)),
    actions: action,
    indices: index,
    ...(tenant !== undefined && { tenant }),
    expect,
    ...(sees && { sees }),
    allowsUnknown: allow_unknown,
    origin: rangeOf(origin),
  };
}

function whoFrom({ persona, somebody, nobody_but: but }: ReturnType<typeof filedWho>, place: SourceRange): Tested {
  if (persona !== undefined) return { kind: "persona", name: persona, place };
  if (somebody) return { kind: "somebody", is: personFrom(somebody) };
  const { backend_roles: backendRoles = [], personas = [], users = [], hosts = [], roles = [] } = but ?? {};
  return { kind: "nobody-but", but: { personas, users, backendRoles, hosts, roles } };
}

type Person = Omit<Persona, "name" | "origin">;

function filedPerson({ user, backendRoles, host, attributes }: Person): Omit<FiledPersona, "name" | "origin"> {
  return {
    ...(user !== undefined && { user }),
    backend_roles: backendRoles,
    ...(host !== undefined && { host }),
    ...(attributes && { attributes }),
  };
}

function personFrom({ user, backend_roles: backendRoles, host, attributes }: ReturnType<typeof filedPerson>): Person {
  return {
    ...(user !== undefined && { user }),
    backendRoles,
    ...(host !== undefined && { host }),
    ...(attributes && { attributes }),
  };
}

function filedPersona({ name, origin, ...person }: Persona): FiledPersona {
  return { name, ...filedPerson(person), origin: filedOrigin(origin) };
}

function personaFrom({ name, origin, ...person }: FiledPersona): Persona {
  return { name, ...personFrom(person), origin: rangeOf(origin) };
}

function filedOrigin({ file, start }: SourceRange): FiledOrigin {
  return { path: file.path, ...positionOf(file, start) };
}
