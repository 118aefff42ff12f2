// Small fixtures of roles, mappings, a group, tenants and blocks, all of a kind or at random. What two of them have in common
// is the same object, as it is where files and servers say the same.

import type { Random } from "../../fixtures/index.ts";
import type { Block, Element, Fixture, Mapping, Role } from "../../support/evaluated.ts";
import { queries } from "./seen.ts";

export const products = ["opensearch", "search-guard-7", "search-guard-6"] as const;

const [one = "", two = ""] = queries;
const search = "indices:data/read/search";
const write = "indices:data/write/index";
/** A group of a group. */
const g = ["i"];

/** One role with one permission, a group, and one of two who has it or no one: 30 states. */
export function fixturesOfOneRole(product: Fixture["product"]): readonly Fixture[] {
  const elements: readonly Element[] = [
    { index_patterns: ["a*"], allowed_actions: ["g"] },
    { index_patterns: ["a*"], allowed_actions: ["g"], dls: one },
    { index_patterns: ["ab"], allowed_actions: [search] },
    { index_patterns: ["ab"], allowed_actions: [search, "g"], dls: one },
  ];
  const roles: readonly Fixture["roles"][] = [
    {},
    ...elements.map((element) => ({ r: { index_permissions: [element] } })),
  ];
  const mappings: readonly Fixture["mappings"][] = [{}, { r: { users: ["u1"] } }, { r: { backend_roles: ["b1"] } }];
  const groups: readonly Fixture["groups"][] = [["indices:data/read/*"], [write]].map((i) => ({ g, i }));
  return roles.flatMap((role) =>
    mappings.flatMap((mapping) =>
      groups.map((group): Fixture => ({ product, roles: role, mappings: mapping, groups: group })),
    ),
  );
}

/** Two roles for two principals, each of which may restrict what the other grants: 25 states. */
export function fixturesOfTwoRoles(
  product: Fixture["product"],
  settings: Fixture["settings"] = {},
): readonly Fixture[] {
  const choices: readonly (Role | undefined)[] = [
    undefined,
    { index_permissions: [{ index_patterns: ["a*"], allowed_actions: ["*"] }] },
    { index_permissions: [{ index_patterns: ["a*"], allowed_actions: [search], dls: one }] },
    { index_permissions: [{ index_patterns: ["*b"], allowed_actions: [], dls: two, fls: ["f", "h"] }] },
    { index_permissions: [{ index_patterns: ["*"], allowed_actions: [search], fls: ["~g"], masked_fields: ["f"] }] },
  ];
  const mappings = { r: { users: ["u1"] }, s: { backend_roles: ["b1"] } };
  return choices.flatMap((r) =>
    choices.map(
      (s): Fixture => ({ product, settings, groups: {}, mappings, roles: { ...(r && { r }), ...(s && { s }) } }),
    ),
  );
}

/** A fixture after another, each with one or two things changed. */
export function* walk(random: Random, product: Fixture["product"], steps: number): Generator<Fixture> {
  const settings: Fixture["settings"] = {
    ...(product === "opensearch" && random.chance(0.3) && { dfm_empty_overrides_all: true }),
    ...(random.chance(0.2) && { roles_mapping_resolution: "BOTH" }),
  };
  const { role, tenant } = builtIn[product];
  const roles = role === undefined ? {} : { [role]: {} };
  let fixture: Fixture = {
    product,
    settings,
    groups: {},
    roles,
    mappings: {},
    tenants: ["t1", "t2", tenant],
    blocks: [],
  };
  for (let step = 0; step < 8; step++) fixture = changed(fixture, random);
  yield fixture;
  for (let step = 0; step < steps; step++) {
    fixture = changed(fixture, random);
    if (random.chance(0.4)) fixture = changed(fixture, random);
    yield fixture;
  }
}

/** A role with which a product makes the tenant of everybody writable. */
const builtIn: Readonly<Record<Fixture["product"], { readonly role?: string; readonly tenant: string }>> = {
  opensearch: { role: "kibana_user", tenant: "global_tenant" },
  "search-guard-7": { role: "SGS_KIBANA_USER", tenant: "SGS_GLOBAL_TENANT" },
  "search-guard-6": { tenant: "SGS_GLOBAL_TENANT" },
};

function changed(fixture: Fixture, random: Random): Fixture {
  const { role: special, tenant } = builtIn[fixture.product];
  const role = random.pick(["r", "s", ...(special === undefined ? [] : [special])]);
  switch (random.below(8)) {
    case 0:
      return { ...fixture, mappings: { ...fixture.mappings, [role]: mappingFrom(random) } };
    case 1:
      return { ...fixture, groups: { ...fixture.groups, ...groupFrom(random) } };
    case 2:
      return random.chance(0.4) ? { ...fixture, blocks: random.some(blocks, 0, 2) } : fixture;
    case 3:
      return { ...fixture, tenants: [...random.some(["t1", "t2"], 1, 2).sort(), tenant] };
    case 4:
      // The product's own roles are always there.
      return without(fixture, role === special ? "mappings" : random.pick(["roles", "mappings"] as const), role);
    default: {
      const own = { ...fixture.roles[role], ...partFrom(random, fixture.product) };
      return { ...fixture, roles: { ...fixture.roles, [role]: own } };
    }
  }
}

function without(fixture: Fixture, family: "roles" | "mappings", name: string): Fixture {
  const { [name]: _, ...rest } = fixture[family];
  return { ...fixture, [family]: rest };
}

function partFrom(random: Random, product: Fixture["product"]): Role {
  switch (random.below(5)) {
    case 0:
      return { cluster_permissions: random.some(["g", "i", "*", "cluster:*", "cluster:monitor/main", write], 0, 2) };
    case 1:
      return { tenant_permissions: random.chance(0.3) ? [] : [tenantFrom(random, product)] };
    default:
      return { index_permissions: Array.from({ length: random.below(3) }, () => elementFrom(random)) };
  }
}

// None with `?`: which of two restrictions by different such patterns applies, is unknown.
const patterns = ["a*", "ab", "*b", "*c", "*", "_all"];
const permissions = [
  "g",
  "i",
  search,
  write,
  "indices:data/read/*",
  "indices:data/write/*",
  "*",
  "cluster:monitor/main",
];
const groupsOf = [[search], [write, "cluster:monitor/main"], ["indices:data/read/*"], [], ["*"]];
/** Servers break at cycles: `i` never holds `g`. */
function groupFrom(random: Random): Fixture["groups"] {
  return random.chance(0.5) ? { g: random.pick([...groupsOf, ["i"]]) } : { i: random.pick(groupsOf) };
}

const restrictions: readonly Element[] = [
  { dls: one },
  { dls: two },
  { dls: '{"match_all":{}}' },
  { fls: ["f", "h"] },
  { fls: ["~g"] },
  { fls: ["h*"] },
  { masked_fields: ["f"] },
  { masked_fields: ["h::SHA-1"] },
  // Of fields, FLS takes a question mark as it is, and a mask for any character.
  { fls: ["~?x"] },
  { masked_fields: ["?x"] },
];

function elementFrom(random: Random): Element {
  const restricts = random.chance(0.5) ? {} : Object.assign({}, ...random.some(restrictions, 1, 2));
  return {
    index_patterns: random.some(patterns, 1, 2),
    allowed_actions: random.some(permissions, 0, 2),
    ...(restricts as Element),
  };
}

function tenantFrom(random: Random, product: Fixture["product"]) {
  const actions =
    product === "search-guard-6"
      ? ["SGS_KIBANA_ALL_WRITE", "SGS_KIBANA_ALL_READ"]
      : ["kibana:saved_objects/*/write", "kibana:saved_objects/*/read", "*", "g"];
  return {
    tenant_patterns: random.some(["t1", "t2", "t*", "*", builtIn[product].tenant], 1, 2),
    allowed_actions: random.some(actions, 0, 2),
  };
}

function mappingFrom(random: Random): Mapping {
  const all = random.chance(0.2) ? { and_backend_roles: ["b1", "b2"] } : {};
  return {
    users: random.some(["u1", "u2", "u*", "*"], 0, 1),
    backend_roles: random.some(["b1", "b2", "b*", "*"], 0, 2),
    hosts: random.chance(0.8) ? [] : [random.pick(["10.0.0.1", "10.0.*"])],
    ...all,
  };
}

const blocks: readonly Block[] = [
  { type: "name", value: ["u1"], verdict: "disallow" },
  { type: "name", value: ["u*"], verdict: "disallow" },
  { type: "name", value: ["u1"], verdict: "allow" },
  { type: "name", value: ["u2"], verdict: "allow" },
  { type: "ip", value: ["10.0.0.1"], verdict: "allow" },
  { type: "net_mask", value: ["10.0.7.0/24"], verdict: "allow" },
  { type: "net_mask", value: ["10.0.0.0/24"], verdict: "disallow" },
  { type: "ip", value: ["10.0.0.1"], verdict: "disallow" },
];
