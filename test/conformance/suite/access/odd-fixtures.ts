// What few clusters have and all may have: hidden indices, data streams, an index of the dashboards, queries of DLS that are
// none. For OpenSearch, whose answers change with them.
import type { Random } from "../../../fixtures/random.ts";
import type { Stage } from "../stage.ts";
import { documents, type Fixtures, ownName, prefix, type User } from "./fixtures.ts";
import { asUser, must } from "./server.ts";

/** Beside the indices of other fixtures: whether each is hidden. */
const oddIndices: Readonly<Record<string, boolean>> = {
  [`.${prefix}-open`]: false,
  [`.${prefix}-hidden`]: true,
  [`${prefix}-plain`]: false,
  [`.${prefix}-dashboards`]: false,
};
const stream = `${prefix}-stream`;
const lookup = `${prefix}-lookup`;

/** What requests name. */
export const oddNames: readonly string[] = [...Object.keys(oddIndices), `.ds-${stream}-000001`];

/** The config that makes one of them the dashboards' own index. */
export const dashboards = {
  index: `.${prefix}-dashboards`,
  server_username: "kibanaserver",
  multitenancy_enabled: true,
};

const patterns = [
  `.${prefix}-*`,
  `${prefix}-*`,
  `.${prefix}-o*`,
  `.${prefix}-hidden`,
  `.${prefix}-dashboards`,
  `*${prefix}-*`,
  `*-plain`,
  `${prefix}-pl*\${user.roles}`,
  `.${prefix}-*\${user_roles}`,
  `*\${user.roles}*`,
  stream,
  `${prefix}-str*`,
  `.ds-${prefix}-*`,
  `.ds-${stream}-000001`,
  "*-000001",
  ".*",
  "*",
];
const actions = [
  ["*"],
  ["*"],
  ["indices:data/read/*"],
  ["indices:data/read/search", "indices:data/read/get", "indices:data/read/mget*"],
  ["indices:data/*", "indices:admin/*"],
  ["indices:monitor/*", "indices:admin/mappings/get", "indices:admin/get"],
];
const queries = [
  '{"term":{"team":"red"}}',
  '{"terms":{"team":["green","blue"]}}',
  '{"bool":{"must":[{"range":{"level":{"gte":2}}}],"must_not":{"term":{"team":"blue"}}}}',
  '{"match_all":{}}',
  `{"terms":{"team":{"index":"${lookup}","id":"1","path":"teams"}}}`,
  `{"bool":{"filter":{"terms":{"team":{"index":"${lookup}","id":"1","path":"teams"}}}}}`,
  '{"term":{"team":${attr.internal.none}}}',
  '{"terms":{"team":[${user.roles}]}}',
  '{"range":{"level":{"gte":2}},"term":{"team":"red"}}',
  "team:red",
  '{"term":{"team":"red","team":"blue"}}',
  '{"bool":{"filter":[{"match":{"team":"red","owner":"ana"}}]}}',
];
const lists = [["~*e"], ["~*_*"], ["~*"], ["team"], ["~email"], ["~em*", "owner"]];

/** Mostly with one or two roles for a user, so that each decides much. */
export function oddFixtureOf(random: Random, at: number): Fixtures {
  const own = ownName(at);
  const names = ["r1", "r2", "r3"].map(own);
  const element = () => ({
    index_patterns: random.some(patterns, 1, 2),
    allowed_actions: random.pick(actions),
    ...(random.chance(0.3) && { dls: random.pick(queries) }),
    ...(random.chance(0.15) && { fls: random.pick(lists) }),
    ...(random.chance(0.1) && { masked_fields: ["email"] }),
  });
  const role = () => ({
    cluster_permissions: random.pick([["*"], ["indices:data/*"], []]),
    index_permissions: Array.from({ length: 1 + random.below(2) }, element),
    ...(random.chance(0.5) && {
      tenant_permissions: [
        {
          tenant_patterns: [random.pick(["global_tenant", "*", own("t")])],
          allowed_actions: [random.pick(["kibana_all_read", "kibana_all_write", "kibana_all_write"])],
        },
      ],
    }),
  });
  const users = ["ana", "bo", "cy"].map(
    (name): User => ({
      name: own(name),
      backendRoles: random.chance(0.5) ? [] : random.some(["red", own("x")], 1, 2),
      attributes: { dept: "a" },
      roles: [],
      expressions: false,
    }),
  );
  return {
    groups: new Map(),
    roles: new Map(names.map((name) => [name, role()])),
    mappings: new Map(
      names.map((name, number) => [
        name,
        { users: [users[number]?.name, ...random.some(users, 0, 1).map((one) => one.name)] },
      ]),
    ),
    tenants: new Map([[own("t"), { description: "t" }]]),
    users,
  };
}

export async function putOddIndices(stage: Stage): Promise<void> {
  await takeOddIndices(stage);
  const fields = ["team", "owner", "email"].map((name) => [name, { type: "keyword" }] as const);
  const properties = { "@timestamp": { type: "date" }, level: { type: "integer" }, ...Object.fromEntries(fields) };
  const shards = { number_of_replicas: 0, number_of_shards: 1 };
  for (const [name, hidden] of Object.entries(oddIndices)) {
    const settings = { ...shards, ...(hidden && { "index.hidden": true }) };
    await must(stage, "PUT", `/${name}`, { settings, mappings: { properties } });
    await fill(stage, name, "index");
  }
  await must(stage, "PUT", `/${lookup}/_doc/1?refresh=true`, { teams: ["red", "blue"] });
  await must(stage, "PUT", `/_index_template/${stream}`, {
    index_patterns: [stream],
    data_stream: {},
    template: { settings: shards, mappings: { properties } },
  });
  await must(stage, "PUT", `/_data_stream/${stream}`, undefined);
  await fill(stage, stream, "create");
}

async function fill(stage: Stage, name: string, as: "index" | "create"): Promise<void> {
  const lines = Object.entries(documents).flatMap(([id, { "at.city": _, ...document }]) => [
    { [as]: { _id: id } },
    { ...document, ...(as === "create" && { "@timestamp": "2026-01-01T00:00:00Z" }) },
  ]);
  const send = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  await must(stage, "POST", `/${name}/_bulk?refresh=true`, send, { "content-type": "application/x-ndjson" });
}

export async function takeOddIndices({ ask }: Stage): Promise<void> {
  await ask({ method: "DELETE", path: `/_data_stream/${stream}` });
  await ask({ method: "DELETE", path: `/_index_template/${stream}` });
  for (const name of [...Object.keys(oddIndices), lookup]) await ask({ method: "DELETE", path: `/${name}` });
}

/** Requests whose answer is the same however often they are made. */
export const oddKinds = [
  ...["search", "search", "search", "get", "mget", "msearch", "field-caps", "explain", "termvectors"],
  ...[
    "index",
    "delete",
    "get-index",
    "get-mapping",
    "get-settings",
    "get-aliases",
    "stats",
    "refresh",
    "validate-query",
  ],
];

/** Whether the server did what it was asked; one that fails has not. */
export async function isDone(stage: Stage, user: User, put: Parameters<typeof asUser>[2]) {
  const answer = await asUser(stage, user, put);
  const isRefused = answer.status === 400 || answer.status === 403 || answer.status >= 500;
  return { answer, isDone: !isRefused && !/security_exception|"error":\s*\{/.test(answer.text) };
}
