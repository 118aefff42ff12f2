// Fixtures of which not all is known, and all the fixtures that they may be: each pattern that cannot be decided here matches or
// does not, and where the server takes one of several restrictions it takes any.

import type { Random } from "../../fixtures/index.ts";
import type { Block, Element, Fixture, Mapping, Person, Role } from "../../support/evaluated.ts";
import { rolesOf } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { queries } from "./seen.ts";

export const index = "ab";
export const person: Person = { user: "u1", backendRoles: ["b1"], host: "10.0.0.1" };

/** By its text: what it is where it matches the index, or the user, and where it does not. A back reference decides no automaton. */
const undecided: ReadonlyMap<string, readonly [matches: string, misses: string]> = new Map([
  ["/()\\1a./", ["/[a]b/", "/zz1/"]],
  ["/()\\1.b/", ["/a[b]/", "/zz2/"]],
  ["/()\\1u./", ["/[u]1/", "/zz3/"]],
  ["/()\\1.1/", ["/u[1]/", "/zz4/"]],
]);

const [P, Q, U, V] = [...undecided.keys()] as [string, string, string, string];
const search = "indices:data/read/search";
const [one, two] = queries;

export function fixtureFrom(random: Random, product: Fixture["product"]): Fixture {
  return {
    product,
    groups: {},
    roles: { r: roleFrom(random), s: roleFrom(random) },
    mappings: { r: mappingFrom(random), s: mappingFrom(random) },
    blocks: random.chance(0.1) ? [blockFrom(random)] : [],
  };
}

/** The same in all but one thing, or two; whom blocks shut out is said apart. */
export function changedFrom(random: Random, fixture: Fixture): Fixture {
  const role = random.pick(["r", "s"]);
  const changed = ((): Fixture => {
    switch (random.below(7)) {
      case 0:
      case 1:
        return { ...fixture, mappings: { ...fixture.mappings, [role]: mappingFrom(random) } };
      case 2: {
        const [r, s] = [withDls(fixture.roles.r, fixture.roles.s), withDls(fixture.roles.s, fixture.roles.r)];
        return { ...fixture, roles: { r, s } };
      }
      default:
        return { ...fixture, roles: { ...fixture.roles, [role]: roleFrom(random) } };
    }
  })();
  return random.chance(0.2) ? changedFrom(random, changed) : changed;
}

/** With the queries of another one, so that two are exchanged. */
function withDls(role: Role = {}, other: Role = {}): Role {
  const queriesOf = (other.index_permissions ?? []).map(({ dls }) => dls);
  return {
    index_permissions: (role.index_permissions ?? []).map(({ dls: own, ...element }, at): Element => {
      const dls = queriesOf[at];
      return { ...element, ...(own !== undefined && dls !== undefined ? { dls } : own !== undefined && { dls: own }) };
    }),
  };
}

function roleFrom(random: Random): Role {
  return { index_permissions: Array.from({ length: random.pick([0, 1, 1, 1, 2]) }, () => elementFrom(random)) };
}

function elementFrom(random: Random): Element {
  const restricts: readonly Partial<Element>[] = [
    {},
    {},
    { dls: one as string },
    { dls: two as string },
    { fls: ["f", "h"] },
    { fls: ["~g"] },
    { masked_fields: ["f"] },
    { dls: one as string, masked_fields: ["z"] },
  ];
  return {
    index_patterns: random.some(["a*", index, P, Q, "?b", "c*"], 1, 2),
    allowed_actions: random.pick([[search], ["*"], ["indices:data/write/index"], []]),
    ...random.pick(restricts),
  };
}

function mappingFrom(random: Random): Mapping {
  return random.pick<Mapping>([
    { users: ["u1"] },
    { users: ["u1"] },
    { users: [U] },
    { users: [V] },
    { users: [U, V] },
    { backend_roles: ["b1"] },
    {},
  ]);
}

function blockFrom(random: Random): Block {
  const verdict = random.pick(["allow", "disallow"] as const);
  return { type: "name", value: [random.pick([U, V, "u1", "x"])], verdict };
}

/** With each undecided pattern as one that matches, or not: `matching` has those that do. */
function decided(fixture: Fixture, matching: ReadonlySet<string>): Fixture {
  let text = JSON.stringify(fixture);
  for (const [pattern, [matches, misses]] of undecided) {
    text = text.replaceAll(JSON.stringify(pattern), JSON.stringify(matching.has(pattern) ? matches : misses));
  }
  return JSON.parse(text) as Fixture;
}

/** All that some fixtures may be, at once: what is undecided is the same in each of them. */
export function* completionsOf(fixtures: readonly Fixture[]): Generator<readonly Fixture[]> {
  const text = JSON.stringify(fixtures);
  const there = [...undecided.keys()].filter((pattern) => text.includes(JSON.stringify(pattern)));
  for (let bits = 0; bits < 2 ** there.length; bits++) {
    const matching = new Set(there.filter((_, at) => bits & (1 << at)));
    const all = fixtures.map((fixture) => decided(fixture, matching));
    yield* combined(all);
  }
}

/** One of each; of two fixtures in which the same covers the index, the same one. */
function combined(fixtures: readonly Fixture[]): readonly (readonly Fixture[])[] {
  const texts = fixtures.map(coveringText);
  const all = fixtures.map(chosen);
  const places = all.reduce<readonly (readonly number[])[]>(
    (found, choices, at) =>
      found.flatMap((before) => {
        const same = texts.indexOf(texts[at] ?? "");
        const taken = same < at ? before[same] : undefined;
        return (taken === undefined ? [...choices.keys()] : [taken]).map((place) => [...before, place]);
      }),
    [[]],
  );
  return places.map((one) => one.flatMap((place, at) => all[at]?.[place] ?? []));
}

/** Whatever covers the index, with what is held of it. */
function coveringText(fixture: Fixture): string {
  const sorted = (element: Element) => Object.entries(element).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return coveringIn(fixture)
    .map((element) => JSON.stringify(sorted(element)))
    .sort()
    .join();
}

function coveringIn(fixture: Fixture): readonly Element[] {
  const held = rolesOf(fixture, person).flatMap((name) => fixture.roles[name]?.index_permissions ?? []);
  return held.filter(({ index_patterns: patterns = [] }) => patterns.some((pattern) => matches(pattern, index)));
}

const kinds = ["dls", "fls", "masked_fields"] as const;

/** A fixture for each choice among restrictions by different patterns; names and `*` are one. */
function chosen(fixture: Fixture): readonly Fixture[] {
  if (fixture.product === "search-guard-6") return [fixture];
  return kinds.reduce<readonly Fixture[]>(
    (fixtures, kind) => fixtures.flatMap((each) => chosenOf(each, kind)),
    [fixture],
  );
}

function chosenOf(fixture: Fixture, kind: (typeof kinds)[number]): readonly Fixture[] {
  const keysOf = ({ index_patterns: patterns = [] }: Element): readonly string[] =>
    patterns.filter((pattern) => matches(pattern, index)).map((pattern) => (/\?|^\//.test(pattern) ? pattern : ""));
  const restricting = coveringIn(fixture).filter((element) => [element[kind] ?? []].flat().length > 0);
  const keys = [...new Set(restricting.flatMap(keysOf))].sort();
  if (keys.length < 2) return [fixture];
  return keys.map((key) =>
    withElements(fixture, (element) => (keysOf(element).includes(key) ? element : without(element, kind))),
  );
}

function without(element: Element, kind: (typeof kinds)[number]): Element {
  const { [kind]: _, ...rest } = element;
  return rest;
}

function withElements(fixture: Fixture, of: (element: Element) => Element): Fixture {
  const roles = Object.entries(fixture.roles).map(([name, role]) => [
    name,
    { ...role, index_permissions: (role.index_permissions ?? []).map(of) },
  ]);
  return { ...fixture, roles: Object.fromEntries(roles) };
}
