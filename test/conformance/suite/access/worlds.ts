import { type Random, randomFrom } from "../../../world/random.ts";

/** Small configurations that do not touch each other, put on one server side by side: all of their names begin alike. */
export interface Worlds {
  readonly groups: Entries;
  readonly roles: Entries;
  readonly mappings: Entries;
  readonly users: readonly User[];
}

type Entries = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface User {
  readonly name: string;
  readonly backendRoles: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** Of a world with regular expressions. */
  readonly expressions: boolean;
}

/** What all names begin with, indices among them. */
export const prefix = "gsq";

export const indices: readonly string[] = ["a-1", "a-2", "b-1", "b-2", "c", "hr"].map((name) => `${prefix}-${name}`);

/** What documents are like; ids begin with d. */
export const documents: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  d1: { team: "red", level: 1, owner: "ana", email: "red@x.org" },
  d2: { team: "blue", level: 2, owner: "bo", email: "blue@x.org" },
  d3: { team: "green", level: 3, owner: "cy", email: "green@x.org" },
};
export const fields = ["team", "level", "owner", "email"] as const;

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
].map((text) => `${prefix}-${text}`);
const expressions = [
  `/${prefix}-a-\\d/`,
  `/${prefix}-[ab]-1/`,
  `/${prefix}-(a|b)-2/`,
  `/${prefix}-.*/`,
  `/${prefix}-/`,
];
const wide = ["*", "_all"];

const actions = [
  ["indices:data/read/*"],
  ["indices:data/read/search", "indices:data/read/get"],
  ["indices:data/*"],
  ["indices:data/write/*", "indices:admin/mapping/put"],
  ["indices:data/write/index", "indices:data/write/bulk[s]"],
  ["indices:admin/*"],
  ["indices:monitor/*", "indices:admin/get"],
  ["indices:admin/mappings/get", "indices:admin/refresh*"],
  ["*"],
  ["indices:data/read/sear?h", "indices:data/read/field_caps"],
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
export function worldsOf(seed: string, count: number): Worlds {
  const worlds = Array.from({ length: count }, (_, at) => worldOf(randomFrom(`${seed} ${at}`), at));
  return {
    groups: merged(worlds.map(({ groups }) => groups)),
    roles: merged(worlds.map(({ roles }) => roles)),
    mappings: merged(worlds.map(({ mappings }) => mappings)),
    users: worlds.flatMap(({ users }) => users),
  };
}

function worldOf(random: Random, at: number): Worlds {
  const own = (name: string) => `${prefix}${at}_${name}`;
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
    // Everybody in all worlds has a role of this one.
    return random.pick(at === 0 ? patterns.filter((one) => !one.includes("?")) : patterns);
  };
  const element = () => ({
    index_patterns: Array.from({ length: 1 + random.below(2) }, pattern),
    allowed_actions: granted(),
    ...(random.chance(0.3) && { dls: random.pick(queries) }),
    ...(random.chance(0.2) && {
      fls: random.pick([["team", "level"], ["~email"], ["owner"], ["team", "~owner"], ["e*"]]),
    }),
    ...(random.chance(0.15) && { masked_fields: [random.pick(["email", "owner"])] }),
  });
  // Two roles of the same people, with different queries on the same indices.
  const meets = at % 3 === 1;
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
        index_permissions: [
          ...Array.from({ length: 1 + random.below(2) }, element),
          ...(meets ? shared.slice(number, number + 1) : []),
        ],
      },
    ]),
  );
  const users = ["ana", "bo", "cy", "di"].map(
    (name): User => ({
      name: own(name),
      backendRoles: random.some(["x", "y", "z"].map(own), 0, 2),
      attributes: { dept: random.pick(["a", "b", "hr", "c"]), owner: random.pick(["ana", "bo"]) },
      expressions: withExpressions,
    }),
  );
  const mapping = (number: number) => ({
    users:
      meets && number < 2
        ? [own("ana"), own("d?")]
        : random.chance(0.6)
          ? random.some([own("ana"), own("bo"), own("c*"), own("d?")], 1, 2)
          : [],
    backend_roles: random.some(["x", "y", "z*"].map(own), random.chance(0.5) ? 1 : 0, 2),
    ...(random.chance(0.2) && { and_backend_roles: [own("x"), own("y")] }),
    // From where all requests come, for a few roles of one world; elsewhere from somewhere else.
    hosts: at === 0 && random.chance(0.3) ? [`127.0.${random.pick(["0", "9"])}.*`] : [],
  });
  const mappings = new Map(names.map((name, number) => [name, mapping(number)]));
  return { groups, roles, mappings, users };
}

function merged(all: readonly Entries[]): Entries {
  return new Map(all.flatMap((entries) => [...entries]));
}
