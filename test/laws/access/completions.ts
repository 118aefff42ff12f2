// Worlds of which not all is known, and all the worlds that they may be: each pattern that nobody here can decide matches or
// does not, and where the server takes one of several restrictions it takes any.
import { rolesOf } from "../../support/judge.ts";
import { meets } from "../../support/judge-patterns.ts";
import type { Block, Element, Mapping, Person, Role, World } from "../../support/judged.ts";
import type { Random } from "../../world/index.ts";
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

export function worldFrom(random: Random, product: World["product"]): World {
  return {
    product,
    groups: {},
    roles: { r: roleFrom(random), s: roleFrom(random) },
    mappings: { r: mappingFrom(random), s: mappingFrom(random) },
    blocks: random.chance(0.1) ? [blockFrom(random)] : [],
  };
}

/** The same in all but one thing, or two; whom blocks shut out is said apart. */
export function changedFrom(random: Random, world: World): World {
  const role = random.pick(["r", "s"]);
  const changed = ((): World => {
    switch (random.below(7)) {
      case 0:
      case 1:
        return { ...world, mappings: { ...world.mappings, [role]: mappingFrom(random) } };
      case 2: {
        const [r, s] = [withDls(world.roles.r, world.roles.s), withDls(world.roles.s, world.roles.r)];
        return { ...world, roles: { r, s } };
      }
      default:
        return { ...world, roles: { ...world.roles, [role]: roleFrom(random) } };
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
function decided(world: World, matching: ReadonlySet<string>): World {
  let text = JSON.stringify(world);
  for (const [pattern, [matches, misses]] of undecided) {
    text = text.replaceAll(JSON.stringify(pattern), JSON.stringify(matching.has(pattern) ? matches : misses));
  }
  return JSON.parse(text) as World;
}

/** All that some worlds may be, at once: what is undecided is the same in each of them. */
export function* completionsOf(worlds: readonly World[]): Generator<readonly World[]> {
  const text = JSON.stringify(worlds);
  const there = [...undecided.keys()].filter((pattern) => text.includes(JSON.stringify(pattern)));
  for (let bits = 0; bits < 2 ** there.length; bits++) {
    const matching = new Set(there.filter((_, at) => bits & (1 << at)));
    const all = worlds.map((world) => decided(world, matching));
    yield* combined(all);
  }
}

/** One of each; of two worlds in which the same covers the index, the same one. */
function combined(worlds: readonly World[]): readonly (readonly World[])[] {
  const texts = worlds.map(coveringText);
  const all = worlds.map(chosen);
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
function coveringText(world: World): string {
  const sorted = (element: Element) => Object.entries(element).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return coveringIn(world)
    .map((element) => JSON.stringify(sorted(element)))
    .sort()
    .join();
}

function coveringIn(world: World): readonly Element[] {
  const held = rolesOf(world, person).flatMap((name) => world.roles[name]?.index_permissions ?? []);
  return held.filter(({ index_patterns: patterns = [] }) => patterns.some((pattern) => meets(pattern, index)));
}

const kinds = ["dls", "fls", "masked_fields"] as const;

/** A world for each choice among restrictions by different patterns; names and `*` are one. */
function chosen(world: World): readonly World[] {
  if (world.product === "search-guard-6") return [world];
  return kinds.reduce<readonly World[]>((worlds, kind) => worlds.flatMap((each) => chosenOf(each, kind)), [world]);
}

function chosenOf(world: World, kind: (typeof kinds)[number]): readonly World[] {
  const keysOf = ({ index_patterns: patterns = [] }: Element): readonly string[] =>
    patterns.filter((pattern) => meets(pattern, index)).map((pattern) => (/\?|^\//.test(pattern) ? pattern : ""));
  const restricting = coveringIn(world).filter((element) => [element[kind] ?? []].flat().length > 0);
  const keys = [...new Set(restricting.flatMap(keysOf))].sort();
  if (keys.length < 2) return [world];
  return keys.map((key) =>
    withElements(world, (element) => (keysOf(element).includes(key) ? element : without(element, kind))),
  );
}

function without(element: Element, kind: (typeof kinds)[number]): Element {
  const { [kind]: _, ...rest } = element;
  return rest;
}

function withElements(world: World, of: (element: Element) => Element): World {
  const roles = Object.entries(world.roles).map(([name, role]) => [
    name,
    { ...role, index_permissions: (role.index_permissions ?? []).map(of) },
  ]);
  return { ...world, roles: Object.fromEntries(roles) };
}
