// Users whose names are written nowhere, as the naive evaluator sees them: of the small fixtures, one of every kind.

import type { Fixture, Mapping, Person } from "../../support/evaluated.ts";
import { rolesOf } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { isOut } from "./people.ts";
import { kindOf, seenBy, tenantsSeen } from "./seen.ts";

const users = ["a", "q", "x", "u", "aa", "aq", "ax", "qa", "qx", "ux", "xa", "xq", "xx", "axa", "aqa", "xqx", "uxa"];
const roles = ["a", "q", "x", "b", "aq", "xq", "xx"];
const roleSets = [[], ...roles.flatMap((one, at) => [[one], ...roles.slice(at + 1).map((two) => [one, two])])];
const hosts = [
  // That a block spells it out says nothing of who comes from there.
  "10.0.0.1",
  "10.0.0.9",
  "10.0.7.9",
  ...["1.2.3.4", "1.2.3.9", "5.5.5.5", "5.5.5.9", "15.5.5.5", "15.5.5.9", "55.5.5.5", "55.5.5.9"],
  ...["2001:db8::1", "2001:db8::9", "1::8", "1::9"],
];

/** What anybody gains or sees more, in lines. */
export function accessDiffOfAnybody(was: Fixture, is: Fixture): readonly string[] {
  const [before, after] = [withoutWrittenHosts(was), withoutWrittenHosts(is)];
  const kinds = new Map<string, Person>();
  for (const person of anybodyIn([before, after])) {
    const key = JSON.stringify([before, after].map((fixture) => [rolesOf(fixture, person), isOut(fixture, person)]));
    if (!kinds.has(key)) kinds.set(key, person);
  }
  return [...kinds.values()].flatMap((person) => accessDiffOf(before, after, person));
}

const known = new WeakMap<Fixture, Fixture>();

/** The address in blocks is that of anybody only while no mapping names it, alone or by the network that it is in. */
function withoutWrittenHosts(fixture: Fixture): Fixture {
  const isOpen = (host: string) => !host.startsWith("10.");
  const mappings = Object.entries(fixture.mappings).map(
    ([role, mapping]) => [role, { ...mapping, hosts: (mapping.hosts ?? []).filter(isOpen) }] as const,
  );
  const open = known.get(fixture) ?? { ...fixture, mappings: Object.fromEntries(mappings) };
  known.set(fixture, open);
  return open;
}

/** One for each combination of names that mappings and blocks distinguish. */
function anybodyIn(fixtures: readonly Fixture[]): readonly Person[] {
  const mappings = fixtures.flatMap((fixture) => Object.values(fixture.mappings));
  const named = fixtures.flatMap(({ blocks = [] }) => blocks.flatMap(({ value }) => value));
  const entries = (...fields: readonly (keyof Mapping)[]) =>
    mappings.flatMap((mapping) => fields.flatMap((field) => mapping[field] ?? []));
  const ofUsers = oneOfEach([...users, ...letInBy(fixtures)], (name) =>
    [...entries("users"), ...named].map((entry) => matches(entry, name)),
  );
  const ofRoles = oneOfEach(roleSets, (names) => [
    names.length > 0,
    ...entries("backend_roles", "and_backend_roles").map((entry) => names.some((name) => matches(entry, name))),
  ]);
  const byAddress = fixtures.map((fixture) => ({
    ...fixture,
    blocks: (fixture.blocks ?? []).filter(({ type }) => type !== "name"),
  }));
  const ofHosts = oneOfEach(hosts, (host) => [
    ...entries("hosts").map((entry) => matches(entry, host)),
    ...byAddress.map((fixture) => isOut(fixture, { user: "", backendRoles: [], host })),
  ]);
  return ofUsers.flatMap((user) =>
    ofRoles.flatMap((backendRoles) => ofHosts.map((host) => ({ user, backendRoles, host }))),
  );
}

/** Those whom blocks let in by name, before and after, are left where all others are shut out. */
function letInBy(fixtures: readonly Fixture[]): readonly string[] {
  const blocks = fixtures.flatMap((fixture) => fixture.blocks ?? []);
  const names = blocks.flatMap(({ type, verdict, value }) => (type === "name" && verdict === "allow" ? value : []));
  const written = fixtures.flatMap(({ mappings }) => Object.values(mappings).flatMap((mapping) => mapping.users ?? []));
  const byName = fixtures.map((fixture) => ({
    ...fixture,
    blocks: (fixture.blocks ?? []).filter(({ type }) => type === "name"),
  }));
  const isLetIn = (user: string) => byName.every((fixture) => !isOut(fixture, { user, backendRoles: [] }));
  return names.filter((name) => !name.includes("*") && !written.includes(name) && isLetIn(name));
}

function oneOfEach<T>(all: readonly T[], kindOfOne: (one: T) => readonly boolean[]): readonly T[] {
  return [...new Map(all.map((one) => [kindOfOne(one).join(), one])).values()];
}

function accessDiffOf(before: Fixture, after: Fixture, person: Person): readonly string[] {
  const [was, is] = [seenBy(before, person), seenBy(after, person)];
  const ofIndices = [...is].flatMap(([at, seen]) => {
    const kind = kindOf(was.get(at) ?? "denied", seen);
    return kind === "gained" || kind === "widened" || kind === "changed" ? [`${kind} ${at}`] : [];
  });
  const levels = ["nothing", "read", "write"];
  const [had, has] = [tenantsSeen(before, person), tenantsSeen(after, person)];
  const ofTenants = [...has].flatMap(([tenant, level]) =>
    levels.indexOf(level) > levels.indexOf(had.get(tenant) ?? "nothing") ? [`${level} tenant ${tenant}`] : [],
  );
  return [...ofIndices, ...ofTenants].map((gain) => `${JSON.stringify(person)}: ${gain}`);
}
