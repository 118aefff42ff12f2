// Requests for data by users that the emulator knows.
import { afterEach, expect, test } from "vitest";
import {
  type Emulator,
  type EmulatorOptions,
  type EmulatorUser,
  startEmulator,
} from "../../../../src/emulator/index.ts";
import type { Json } from "../../../../src/json/value.ts";

const running: Emulator[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const openSearch = { product: "opensearch", release: "2.19" } as const;
const searchGuard = { product: "search-guard", release: "7.x-38" } as const;
const searchGuard6 = { product: "search-guard", release: "6" } as const;

const users: readonly EmulatorUser[] = [
  { name: "ana", password: "x", rights: "by-role", backendRoles: ["analysts"] },
  { name: "all", password: "x", rights: "by-role", backendRoles: ["owners"] },
  { name: "odo", password: "x", rights: "by-role" },
  { name: "boss", password: "x", rights: "by-role", backendRoles: ["bosses"] },
];
const state = {
  roles: {
    reader: {
      index_permissions: [
        {
          index_patterns: ["hr-*"],
          allowed_actions: ["indices:data/read/search"],
          dls: '{"term":{"a":1}}',
          fls: ["a", "b"],
        },
      ],
    },
    owner: { cluster_permissions: ["*"], index_permissions: [{ index_patterns: ["*"], allowed_actions: ["*"] }] },
  },
  role_mappings: {
    reader: { backend_roles: ["analysts"] },
    owner: { backend_roles: ["owners"] },
    all_access: { backend_roles: ["bosses"] },
    SGS_ALL_ACCESS: { backend_roles: ["bosses"] },
    sg_all_access: { backend_roles: ["bosses"] },
  },
};

type Row = readonly [who: string, method: string, path: string, status: number, part?: unknown];

async function check(options: EmulatorOptions, rows: readonly Row[]) {
  const server = await startEmulator({ users, state, ...options });
  running.push(server);
  for (const [who, method, path, status, part = {}] of rows) {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: who === "cert" ? { "x-admin": "CN=a" } : { authorization: `Basic ${btoa(`${who}:x`)}` },
    });
    const isJson = answer.headers.get("content-type")?.includes("json");
    expect([who, method, path, answer.status, isJson ? await answer.json() : {}]).toEqual([
      who,
      method,
      path,
      status,
      expect.objectContaining(part),
    ]);
  }
  return server;
}

function refused(actions: string, user: string) {
  const reason = `no permissions for [${actions}] and ${user}`;
  const cause = { type: "security_exception", reason };
  return { error: { root_cause: [cause], ...cause }, status: 403 };
}

const text = "User [name=ana, backend_roles=[analysts], requestedTenant=null]";
const limits = { documents: ['{"term":{"a":1}}'], fields: { only: ["a", "b"], not: [], masks: [] } };

test("a search says what limits it, or what is missing, in the server's words", async () => {
  const _emulator = expect.objectContaining({ roles: expect.arrayContaining(["reader"]), ...limits });
  const server = await check(openSearch, [
    ["ana", "GET", "/hr-2026/_search?size=1", 200, { timed_out: false, _emulator }],
    [
      "ana",
      "POST",
      "/hr-2026/_search",
      200,
      { hits: { total: { value: 0, relation: "eq" }, max_score: null, hits: [] } },
    ],
    ["ana", "GET", "/hr-2026/_count", 200, { count: 0, _emulator }],
    ["ana", "GET", "/it-1/_search", 403, refused("indices:data/read/search", text)],
    [
      "odo",
      "GET",
      "/hr-2026/_search",
      403,
      refused("indices:data/read/search", text.replace("ana", "odo").replace("analysts", "")),
    ],
    ["ana:", "GET", "/hr-2026/_search", 401],
  ]);
  expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403, 401]);
  const six = {
    roles: { reader: { indices: { "hr-*": { "*": ["indices:data/read/search"] } } } },
    role_mappings: { reader: { backendroles: ["analysts"] } },
  };
  await check({ ...searchGuard6, state: six }, [
    ["ana", "GET", "/hr-2026/_search", 200, { hits: { total: 0, max_score: null, hits: [] } }],
    ["ana", "GET", "/it-1/_search", 403, refused("indices:data/read/search", text.replace("backend_", ""))],
  ]);
});

test("every kind of request that is answered asks for its own", async () => {
  const requests = [
    ["GET", "/hr-1/_doc/7", "indices:data/read/get", { _id: "7", found: false }],
    ["PUT", "/hr-1/_doc/7", "indices:data/write/bulk", { _id: "7", result: "noop" }],
    ["POST", "/hr-1/_doc", "indices:data/write/bulk", { _index: "hr-1" }],
    ["DELETE", "/hr-1/_doc/7", "indices:data/write/bulk", { result: "not_found" }],
    ["PUT", "/hr-1", "indices:admin/create", { acknowledged: true, index: "hr-1" }],
    ["DELETE", "/hr-1", "indices:admin/delete", { acknowledged: true }],
    ["GET", "/hr-1/_mapping", "indices:admin/mappings/get", { "hr-1": { mappings: {} } }],
  ] as const;
  const rows = requests.flatMap(([method, path, action, part]): Row[] => [
    ["ana", method, path, 403, refused(action, text)],
    ["all", method, path, 200, part],
    ["cert", method, path, 200, part],
  ]);
  await check({ ...searchGuard, adminHeader: "x-admin" }, rows);
});

test("of what is missing the server names what it asks for first", async () => {
  const user = "User [name=odo, backend_roles=[], requestedTenant=null]";
  const check403 = (roles: Readonly<Record<string, Json>>, config: boolean, actions: string, path = "/hr-1/_doc/7") => {
    const all = Object.fromEntries(Object.keys(roles).map((role) => [role, { users: ["odo"] }]));
    const dynamic = { multi_rolespan_enabled: config };
    const options = { ...searchGuard, state: { roles, role_mappings: all, config: { dynamic } } };
    return check(options, [["odo", "PUT", path, 403, refused(actions, user)]]);
  };
  const on = (...actions: string[]) => ({ index_permissions: [{ index_patterns: ["*"], allowed_actions: actions }] });
  const bulk = { cluster_permissions: ["indices:data/write/bulk"] };
  const [index, shards] = ["indices:data/write/index", "indices:data/write/bulk[s]"];
  await check403({}, true, "indices:data/write/bulk");
  await check403({ bulk }, true, index);
  await check403({ bulk, index: on(index) }, true, shards);
  await check403({ bulk, index: on(index), shards: on("indices:data/write/bulk*") }, false, `${shards}, ${index}`);
  await check403({ bulk, all: on("*") }, true, "", "/searchguard/_doc/7");
});

test("of several indices the permitted ones are searched, where the config says so", async () => {
  const forgiving = { ...state, config: { dynamic: { do_not_fail_on_forbidden: true } } };
  const path = "/hr-1,it-1/_search";
  await check({ ...searchGuard, state: forgiving }, [
    ["ana", "GET", path, 200, { _emulator: expect.objectContaining({ ...limits, reduced_to: ["hr-1"] }) }],
    ["odo", "GET", path, 403],
  ]);
  await check(searchGuard, [["ana", "GET", path, 403]]);
});

test("users come from where the emulator listens, and have no attributes", () =>
  check(
    {
      ...openSearch,
      state: {
        roles: {
          near: { index_permissions: [{ index_patterns: ["hr-1"], allowed_actions: ["*"] }] },
          own: { index_permissions: [{ index_patterns: ["it-${attr.internal.dept}"], allowed_actions: ["*"] }] },
        },
        role_mappings: { near: { hosts: ["127.0.0.1"] }, own: { users: ["*"] } },
      },
    },
    [
      ["odo", "GET", "/hr-1/_search", 200],
      [
        "odo",
        "GET",
        "/it-1/_search",
        403,
        refused("indices:data/read/search", "User [name=odo, backend_roles=[], requestedTenant=null]"),
      ],
    ],
  ));

test("what is unknown is refused, and says why", async () => {
  const odd = {
    roles: { odd: { index_permissions: [{ index_patterns: ["/(?x)hr.*/"], allowed_actions: ["*"] }] } },
    role_mappings: { odd: { users: ["odo"] } },
  };
  const reason = expect.stringMatching(/^Whether this is permitted is unknown to the emulator\. .*\/\(\?x\)hr/);
  await check({ ...openSearch, state: odd }, [
    ["odo", "GET", "/hr-1/_search", 403, { error: expect.objectContaining({ type: "security_exception", reason }) }],
    ["odo", "GET", "/hr-*/_search", 403],
  ]);
});

test("a user with a role that may administer may, and no other", async () => {
  for (const [product, path] of [
    [openSearch, "/_plugins/_security/api/roles"],
    [searchGuard, "/_searchguard/api/roles"],
    [searchGuard6, "/_searchguard/api/roles"],
    [{ product: "gate" }, "/_gate/api/roles"],
  ] as const) {
    await check(product, [
      ["boss", "GET", path, 200],
      ["all", "GET", path, 403],
      ["odo", "GET", path, 403],
    ]);
  }
});

test("without users nothing of that is asked", async () => {
  const server = await startEmulator({ ...openSearch, state });
  running.push(server);
  expect((await fetch(`${server.url}/hr-1/_search`)).status).toBe(400);
  const guarded = await check(openSearch, []);
  const authorization = `Basic ${btoa("all:x")}`;
  expect((await fetch(`${guarded.url}/hr-1/_flush`, { method: "POST", headers: { authorization } })).status).toBe(400);
});
