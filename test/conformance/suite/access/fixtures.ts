import { type Random, randomFrom } from "../../../fixtures/random.ts";

/** Small configurations that do not touch each other, put on one server side by side: all of their names begin alike. */
export interface Fixtures {
  readonly groups: Entries;
  readonly roles: Entries;
  readonly mappings: Entries;
  readonly tenants: Entries;
  readonly users: readonly User[];
}

export type Entries = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface User {
  readonly name: string;
  readonly backendRoles: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** Carried by the user itself, whatever mappings say. */
  readonly roles: readonly string[];
  /** Of a fixture with regular expressions. */
  readonly expressions: boolean;
}

/** How the fixture of a number calls something. */
export const ownName = (at: number) => (name: string) => `${prefix}${at}_${name}`;

/** What all names begin with, indices among them. */
export const prefix = "gsq";

export const indices: readonly string[] = ["a-1", "a-2", "b-1", "b-2", "c", "hr"].map((name) => `${prefix}-${name}`);

/** Of each alias, the indices behind it: patterns of roles match some of these names, and what leads nowhere else. */
export const aliases: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ "a-7": ["hr"], h: ["a-1", "c"], "b-7": ["b-2"], q: ["a-1", "b-1"], a: ["b-1"] }).map(
    ([alias, names]) => [`${prefix}-${alias}`, names.map((name) => `${prefix}-${name}`)],
  ),
);

/** Searched by this name, its index shows some of the documents alone. */
export const filteredAlias = `${prefix}-b-7`;

/** There are none of these. */
export const missing: readonly string[] = ["a-9", "zz"].map((name) => `${prefix}-${name}`);

/** What documents are like, by the whole paths of their fields; ids begin with d. */
export const documents: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  d1: { team: "red", level: 1, owner: "ana", email: "red@x.org", "at.city": "Bonn" },
  d2: { team: "blue", level: 2, owner: "bo", email: "blue@x.org", "at.city": "Bern" },
  d3: { team: "green", level: 3, owner: "cy", email: "green@x.org", "at.city": "Rome" },
};
export const fields = ["team", "level", "owner", "email", "at.city"] as const;

const patterns = [
  "a-*",
  "a-1",
  "a-?",
  "b-*",
  "b-2",
  "c",
  "hr",
  "*",
  "?-1",
  "h*",
  "${attr.internal.dept}",
  "${attr.internal.dept}-*",
  "${attr.internal.none}",
  "${user.roles}*",
  "a${user_roles}-1",
  "${attr_internal_dept}-1",
  "${user.name}",
  "a",
  "a-1 ",
].map((text) => `${prefix}-${text}`);
/** Of these, each matches one index at most. */
const narrow = ["a-1", "b-2", "c", "h*", "${attr.internal.none}", "a", "a-1 "].map((text) => `${prefix}-${text}`);
const expressions = [
  `/${prefix}-a-\\d/`,
  `/${prefix}-[ab]-1/`,
  `/${prefix}-(a|b)-2/`,
  `/${prefix}-.*/`,
  `/${prefix}-/`,
  `/${prefix}-(?:a|h)(?:-\\d{1,2}|r)?/`,
  `/${prefix}-[^a].*/`,
  `/${prefix}-a-[12]{1}/`,
  `/(gsq|x)-(b-[0-9]+|c)/`,
  `/(?i)${prefix.toUpperCase()}-A-.+/`,
  `/.*-${"$"}{attr.internal.dept}-\\d/`,
  `/${prefix}-(?:a|b)-[12]{1,2}/`,
  `/(?i)${prefix.toUpperCase()}-(A-1|HR)/`,
  `/${prefix}-(?!hr|a).*/`,
  `/${prefix}-.*(?<!-1)/`,
  `/^${prefix}-(c|hr)$/`,
  `/\\Q${prefix}-\\E[^c]+?/`,
  `/(${prefix})-(a++-\\d|h?r?)/`,
  `/(?s).*-\\w(-\\d)*/`,
];
/** Values of some users, or none, make them expressions that Java refuses. */
const refusable = [
  `/${prefix}-(${"$"}{attr.internal.dept})-\\d/`,
  `/(${prefix}|${"$"}{user.name})-[bc].*/`,
  `/(${prefix}|${"$"}{attr.internal.none})-c/`,
];
/** With a date, which none of the indices has, and without. */
const dates = [
  `<${prefix}-a-{now/d}>`,
  `<${prefix}-a-1>`,
  `<${prefix}-b-*>`,
  `<${prefix}-{now/d{yyyy}}-1>`,
  `<${prefix}-?-2>`,
];
const wide = ["*", "_all", "**", "/.*/", "?*"];

const actions = [
  ["indices:data/read/*"],
  ["indices:data/read/search", "indices:data/read/get"],
  ["indices:data/*"],
  ["indices:data/write/*", "indices:admin/mapping/put"],
  ["indices:data/write/index", "indices:data/write/bulk[s]"],
  ["indices:admin/*"],
  ["indices:monitor/*", "indices:admin/get"],
  ["indices:admin/mappings/get", "indices:admin/refresh*"],
  // Each with a part of what requests take, of which several are made of one.
  ["indices:admin/refresh", "indices:data/write/update", "indices:data/read/mget*"],
  ["indices:admin/refresh[s]", "indices:data/write/bulk[s]", "indices:data/write/delete"],
  ["*"],
  // Without the part behind the star, the answer is 200 and has no fields.
  ["indices:data/read/sear?h", "indices:data/read/field_caps*"],
  [],
];
const cluster = [
  ["indices:data/write/bulk"],
  ["indices:data/write/bulk", "indices:data/read/mget", "indices:data/read/msearch"],
  ["indices:data/*"],
  ["cluster:monitor/*"],
  ["cluster:monitor/main", "indices:data/read/scroll*"],
  ["indices:admin/template/get"],
  ["*"],
  [],
];
const queries = [
  '{"term":{"team":"red"}}',
  '{"term":{"team":"blue"}}',
  '{"terms":{"team":["green","blue"]}}',
  '{"range":{"level":{"gte":2}}}',
  '{"match_all":{}}',
  '{"term":{"owner":"${attr.internal.owner}"}}',
];

/** @param count how many; every fourth has regular expressions */
export function fixturesOf(seed: string, count: number): Fixtures {
  return joinFixtures(Array.from({ length: count }, (_, at) => fixtureOf(randomFrom(`${seed} ${at}`), at)));
}

export function joinFixtures(fixtures: readonly Fixtures[]): Fixtures {
  return {
    groups: merged(fixtures.map(({ groups }) => groups)),
    roles: merged(fixtures.map(({ roles }) => roles)),
    mappings: merged(fixtures.map(({ mappings }) => mappings)),
    tenants: merged(fixtures.map(({ tenants }) => tenants)),
    users: fixtures.flatMap(({ users }) => users),
  };
}

/** @param at two fixtures of the same number have the same names */
export function fixtureOf(random: Random, at: number): Fixtures {
  const own = ownName(at);
  const withExpressions = at % 4 === 3;
  const [inner, outer] = [own("inner"), own("outer")];
  const groups: Entries = new Map([
    [inner, { allowed_actions: random.pick(actions.slice(0, 4)) }],
    [outer, { allowed_actions: [inner, random.pick(["indices:monitor/*", "indices:admin/get", own("none")])] }],
  ]);
  const granted = () => (random.chance(0.35) ? [random.pick([inner, outer])] : random.pick(actions));
  const pattern = () => {
    if (withExpressions && random.chance(0.5)) return random.pick(expressions);
    if (random.chance(0.04)) return random.pick(wide);
    if (random.chance(0.04)) return random.pick(dates);
    if (random.chance(0.01)) return random.pick(refusable);
    return random.pick(patterns);
  };
  const element = () => ({
    // Users of all fixtures have roles of the first one: wide, these would make nearly every answer a yes.
    index_patterns: at === 0 ? [random.pick(narrow)] : Array.from({ length: 1 + random.below(3) }, pattern),
    allowed_actions: granted(),
    ...(random.chance(0.3) && { dls: random.pick(queries) }),
    ...(random.chance(0.2) && {
      fls: random.pick([
        ["team", "level"],
        ["~email"],
        ["owner"],
        ["team", "~owner"],
        ["e*"],
        ["~t?am"],
        ["t?am", "email"],
        ["~at"],
        ["at.c*", "level"],
        ["/te.*/", "owner"],
      ]),
    }),
    ...(random.chance(0.2) && {
      masked_fields: random.some(["email", "owner", "em?il", "at", "at.*", "/o.*r/", "email::SHA-1"], 1, 1),
    }),
  });
  // Two roles of the same people, with different queries on the same indices.
  const matches = at % 3 === 1;
  const shared = random.some(queries, 2, 2).map((dls) => ({
    index_patterns: [random.pick([`${prefix}-b-*`, `${prefix}-b-1`])],
    allowed_actions: ["indices:data/read/*"],
    dls,
  }));
  const names = ["r1", "r2", "r3", "r4"].map(own);
  const roles = new Map(
    names.map((name, number) => [
      name,
      {
        cluster_permissions: random.pick(cluster),
        ...(random.chance(0.5) && { tenant_permissions: [tenantPermission(random, own)] }),
        index_permissions: [
          ...Array.from({ length: 1 + random.below(2) }, element),
          ...(matches ? shared.slice(number, number + 1) : []),
        ],
      },
    ]),
  );
  const users = ["ana", "bo", "cy", random.chance(0.03) ? "d(" : "di"].map(
    (name): User => ({
      name: own(name),
      backendRoles: random.some(["x", "y", "z"].map(own), 0, 2),
      attributes: {
        ...(!random.chance(0.03) && { dept: random.chance(0.03) ? "*" : random.pick(["a", "b", "hr", "c"]) }),
        owner: random.pick(["ana", "bo"]),
      },
      roles: random.chance(0.15) ? [random.pick(names)] : [],
      expressions: withExpressions,
    }),
  );
  const members = [own("ana"), own("bo"), own("c*"), own("d?")];
  if (withExpressions)
    members.push(`/${own("(ana|[d-f].)")}/`, `/(?i)${own("BO")}/`, `/(?!.*(bo|cy)).*${own("")}\\S+/`);
  const mapping = (number: number) => ({
    users: matches && number < 2 ? [own("ana"), own("d?")] : random.chance(0.75) ? random.some(members, 1, 2) : [],
    backend_roles: random.some(["x", "y", "z*"].map(own), random.chance(0.5) ? 1 : 0, 2),
    ...(random.chance(0.2) && { and_backend_roles: [own("x"), own("y")] }),
    // From where all requests come, or not: for roles of one fixture alone, as users of all fixtures have these.
    hosts: at === 0 ? [`127.0.${number % 2 === 0 ? "0" : "9"}.*`] : [],
  });
  const mappings = new Map(names.map((name, number) => [name, mapping(number)]));
  return {
    groups,
    roles,
    mappings,
    users,
    tenants: new Map(["t1", "t2"].map((name) => [own(name), { description: name }])),
  };
}

function tenantPermission(random: Random, own: (name: string) => string) {
  return {
    tenant_patterns: [
      random.pick([own("t1"), own("t*"), "*", `/${own("t")}[12]/`, "*lobal_t*", own("T1"), "*GLOBAL*"]),
    ],
    allowed_actions: random.pick([
      ["kibana:saved_objects/*/write"],
      ["kibana:saved_objects/*/read"],
      ["*"],
      [],
      ["kibana:saved_objects/*/read", "kibana:saved_objects/*/write"],
    ]),
  };
}

function merged(all: readonly Entries[]): Entries {
  return new Map(all.flatMap((entries) => [...entries]));
}
