// Two fixtures of two roles, a few principals, a group, a tenant, a block and what restricts, of which the second is the first
// with several families changed at once, and often in opposite directions: who loses a role while it grows, who comes to it
// while it shrinks. Or roles are renamed, split, merged or swapped, and what they grant goes elsewhere.

import type { Random } from "../../fixtures/index.ts";
import type { Block, Element, Fixture, Mapping, Role } from "../../support/evaluated.ts";
import { queries } from "../access/seen.ts";

export type Pair = readonly [before: Fixture, after: Fixture];

export function pairFrom(random: Random, product: Fixture["product"]): Pair {
  const before = fixtureFrom(random, product);
  const names = random.chance(0.6) ? [random.pick(roleNames)] : roleNames;
  const kind = random.below(20);
  if (kind < 5) return crossed(before, random, random.pick(names));
  if (kind < 12) return [before, reshaped(before, random, product)];
  const positions = random.some(positionsOf(product), 2, 3);
  const after = positions.reduce((fixture, position) => position(fixture, random, random.pick(names)), before);
  return [before, after];
}

const roleNames = ["r", "s"];
const search = "indices:data/read/search";
const get = "indices:data/read/get";
const write = "indices:data/write/index";
const actions = ["g", search, get, write, "indices:data/read/*"];
const patterns = ["a*", "ab", "*b"];
const clusterActions = ["cluster:monitor/main", "cluster:admin/other", "g"];

const restrictions: readonly Element[] = [
  { dls: queries[0] ?? "" },
  { dls: queries[1] ?? "" },
  { fls: ["f", "h"] },
  { fls: ["~g"] },
  { masked_fields: ["f"] },
];

const blocks: readonly Block[] = [
  { type: "name", value: ["u1"], verdict: "disallow" },
  { type: "name", value: ["u2"], verdict: "disallow" },
  { type: "name", value: ["u1", "u2"], verdict: "disallow" },
  { type: "name", value: ["u1"], verdict: "allow" },
  { type: "name", value: ["u1", "u2"], verdict: "allow" },
  { type: "name", value: ["u*"], verdict: "allow" },
  { type: "ip", value: ["10.1.2.9"], verdict: "disallow" },
  { type: "ip", value: ["10.1.2.9"], verdict: "allow" },
];

function fixtureFrom(random: Random, product: Fixture["product"]): Fixture {
  const names = random.chance(0.7) ? roleNames : ["r"];
  const spans = product !== "opensearch" && random.chance(0.3);
  const mapped = names.filter(() => random.chance(0.85));
  return {
    product,
    ...(spans && { settings: { multi_rolespan_enabled: random.chance(0.5) } }),
    groups: random.chance(0.7) ? { g: random.some(actions.slice(1), 1, 2).sort() } : {},
    roles: Object.fromEntries(names.map((name) => [name, roleFrom(random, product)])),
    mappings: Object.fromEntries(mapped.map((name) => [name, mappingFrom(random, product)])),
    tenants: ["t1"],
    blocks: random.chance(0.2) ? [random.pick(blocks)] : [],
  };
}

function roleFrom(random: Random, product: Fixture["product"]): Role {
  const elements = Array.from({ length: 1 + random.below(2) }, () => elementFrom(random));
  return {
    ...(random.chance(0.3) && { cluster_permissions: random.some(clusterActions, 1, 1) }),
    ...(random.chance(0.9) && { index_permissions: elements }),
    ...(random.chance(0.2) && { tenant_permissions: [tenantFrom(random, product)] }),
  };
}

function elementFrom(random: Random): Element {
  return {
    index_patterns: random.some(patterns, 1, 1),
    allowed_actions: random.some(actions, 1, 2),
    ...(random.chance(0.3) && random.pick(restrictions)),
  };
}

function tenantFrom(random: Random, product: Fixture["product"]) {
  const six = ["SGS_KIBANA_ALL_WRITE", "SGS_KIBANA_ALL_READ"];
  const seven = ["kibana:saved_objects/*/write", "kibana:saved_objects/*/read"];
  return { tenant_patterns: ["t1"], allowed_actions: random.some(product === "search-guard-6" ? six : seven, 1, 1) };
}

function mappingFrom(random: Random, product: Fixture["product"]): Mapping {
  const [users, backend_roles] = [random.some(["u1", "u2", "u*"], 0, 2), random.some(["b1"], 0, 1)];
  const anybody = users.length + backend_roles.length > 0;
  if (product !== "search-guard-6" && random.chance(0.1))
    return { users, backend_roles, and_backend_roles: ["b1", "b2"] };
  if (random.chance(0.1)) return { users, backend_roles, hosts: ["10.1.2.*"] };
  return { users: anybody ? users : ["u1"], backend_roles };
}

/** One family is another one; of roles and mappings, that of this name. */
type Position = (fixture: Fixture, random: Random, name: string) => Fixture;

/** One for each family but for roles and mappings, which are what orders are about. */
function positionsOf(product: Fixture["product"]): readonly Position[] {
  return [
    turnedRole(product),
    turnedRole(product),
    turnedMapping,
    turnedMapping,
    (fixture, random) => ({
      ...fixture,
      groups: random.chance(0.8) ? { g: random.some(actions.slice(1), 1, 2).sort() } : {},
    }),
    (fixture) => ({ ...fixture, tenants: fixture.tenants?.length ? [] : ["t1"] }),
    (fixture, random) => ({ ...fixture, blocks: random.some(blocks, 0, 1) }),
  ];
}

/** A permission comes, goes, or is another one. */
function turnedRole(product: Fixture["product"]): Position {
  return (fixture, random, name) => {
    const { index_permissions: elements = [], ...rest } = fixture.roles[name] ?? {};
    const [at, role] = [random.below(Math.max(elements.length, 1)), { ...rest, index_permissions: elements }];
    const one = elements[at];
    const withElement = (element: Element): Role => ({ ...rest, index_permissions: elements.with(at, element) });
    const changed = (): Role => {
      switch (one ? random.below(6) : 5) {
        case 0:
          return withElement({ ...one, allowed_actions: random.some(actions, 1, 2) });
        case 1:
          return withElement({ ...one, index_patterns: random.some(patterns, 1, 1) });
        case 2:
          return withElement({ ...elementFrom(random), index_patterns: one?.index_patterns ?? [] });
        case 3:
          return { ...rest, index_permissions: elements.toSpliced(at, 1) };
        case 4:
          return { ...role, index_permissions: [...elements, elementFrom(random)] };
        default:
          return roleFrom(random, product);
      }
    };
    return { ...fixture, roles: { ...fixture.roles, [name]: changed() } };
  };
}

function turnedMapping(fixture: Fixture, random: Random, name: string): Fixture {
  const { [name]: _, ...others } = fixture.mappings;
  if (random.chance(0.1)) return { ...fixture, mappings: others };
  return { ...fixture, mappings: { ...others, [name]: mappingFrom(random, fixture.product) } };
}

/** Roles under other names or taken apart, often with a change of what they grant or of who has them besides. */
function reshaped(fixture: Fixture, random: Random, product: Fixture["product"]): Fixture {
  const [r = "", s = ""] = random.shuffled(roleNames);
  const after = random.pick(reshapings)(fixture, random, r, s);
  const [name] = random.shuffled(Object.keys(after.roles));
  if (name === undefined || random.chance(0.5)) return after;
  return random.pick([turnedRole(product), turnedMapping])(after, random, name);
}

type Reshaping = (fixture: Fixture, random: Random, r: string, s: string) => Fixture;

const reshapings: readonly Reshaping[] = [
  // Renamed.
  (fixture, _, r) => withRoles(withRoles(fixture, "t", fixture.roles[r], fixture.mappings[r]), r),
  // Split: all members have both, or one of the parts goes to others.
  (fixture, random, r) => {
    const [first, ...others] = elementsOf(fixture, r);
    const more = others.length > 0 ? others : [elementFrom(random)];
    const members = random.chance(0.6) ? fixture.mappings[r] : mappingFrom(random, fixture.product);
    const kept = withRoles(
      fixture,
      r,
      { ...fixture.roles[r], index_permissions: first ? [first] : [] },
      fixture.mappings[r],
    );
    return withRoles(kept, "t", { index_permissions: more }, members);
  },
  // Merged: all who had one have both.
  (fixture, _, r, s) => {
    const elements = [...elementsOf(fixture, r), ...elementsOf(fixture, s)];
    const of = (field: "users" | "backend_roles") =>
      [...new Set([r, s].flatMap((name) => fixture.mappings[name]?.[field] ?? []))].sort();
    const members = { users: of("users"), backend_roles: of("backend_roles") };
    return withRoles(withRoles(fixture, r, { ...fixture.roles[r], index_permissions: elements }, members), s);
  },
  // What two roles grant is swapped; or their members are.
  (fixture, _, r, s) =>
    withRoles(withRoles(fixture, r, fixture.roles[s], fixture.mappings[r]), s, fixture.roles[r], fixture.mappings[s]),
  (fixture, _, r, s) =>
    withRoles(withRoles(fixture, r, fixture.roles[r], fixture.mappings[s]), s, fixture.roles[s], fixture.mappings[r]),
  // A permission goes from one role to another.
  (fixture, _, r, s) => {
    const [first, ...others] = elementsOf(fixture, r);
    const more = first ? [...elementsOf(fixture, s), first] : [];
    const less = withRoles(fixture, r, { ...fixture.roles[r], index_permissions: others }, fixture.mappings[r]);
    return withRoles(less, s, { ...fixture.roles[s], index_permissions: more }, fixture.mappings[s]);
  },
  // A group is put in place of what it grants, and grants something else.
  (fixture, random) => {
    const { g = [search] } = fixture.groups;
    const inlined = (element: Element): Element => ({
      ...element,
      allowed_actions: [
        ...new Set((element.allowed_actions ?? []).flatMap((action) => (action === "g" ? g : [action]))),
      ],
    });
    const roles = Object.entries(fixture.roles).map(([name, role]) => {
      const { cluster_permissions, ...rest } = role;
      return [name, { ...rest, index_permissions: (role.index_permissions ?? []).map(inlined) }] as const;
    });
    return { ...fixture, roles: Object.fromEntries(roles), groups: random.chance(0.5) ? {} : { g: [write] } };
  },
];

function elementsOf({ roles }: Fixture, name: string): readonly Element[] {
  return roles[name]?.index_permissions ?? [];
}

/** The role and its mapping are these; absent: there is none. */
function withRoles(fixture: Fixture, name: string, role?: Role, mapping?: Mapping): Fixture {
  const { [name]: _, ...roles } = fixture.roles;
  const { [name]: __, ...mappings } = fixture.mappings;
  return {
    ...fixture,
    roles: role ? { ...roles, [name]: role } : roles,
    mappings: mapping ? { ...mappings, [name]: mapping } : mappings,
  };
}

/** The members of the role lose it to others while it grants something else; one may keep it. */
function crossed(fixture: Fixture, random: Random, name: string): Pair {
  const [from = "", to = "", other = ""] = random.shuffled(["u1", "u2", "u*", "b1"]);
  const keeps = random.chance(0.4) ? [other] : [];
  const part = random.pick(["index_patterns", "allowed_actions", "dls"] as const);
  const [was = "", is = ""] = random.shuffled({ index_patterns: patterns, allowed_actions: actions, dls }[part]);
  const element = elementFrom(random);
  const held = (value: string, principals: readonly string[]): Fixture => ({
    ...fixture,
    roles: {
      ...fixture.roles,
      [name]: { ...fixture.roles[name], index_permissions: [{ ...element, [part]: part === "dls" ? value : [value] }] },
    },
    mappings: { ...fixture.mappings, [name]: mappingOf(principals) },
  });
  return [held(was, [from, ...keeps]), held(is, [to, ...keeps])];
}

const dls = ["", ...queries];

function mappingOf(principals: readonly string[]): Mapping {
  const all = (start: string) => principals.filter((one) => one.startsWith(start)).sort();
  return { users: all("u"), backend_roles: all("b") };
}
