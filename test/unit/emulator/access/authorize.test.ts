// What POST /_emulator/authorize says, for one state on several products.
import { afterEach, expect, test } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.ts";

const running: Emulator[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const openSearch = { product: "opensearch", release: "2.19" } as const;
const searchGuard = { product: "search-guard", release: "7.x-38" } as const;
const searchGuard6 = { product: "search-guard", release: "6" } as const;

const state = {
  action_groups: { looks: { allowed_actions: ["indices:data/read/*"] } },
  roles: {
    reader: {
      index_permissions: [
        {
          index_patterns: ["hr-*"],
          allowed_actions: ["looks"],
          dls: '{"term":{"a":1}}',
          fls: ["~pay"],
          masked_fields: ["id"],
        },
      ],
    },
    own: { index_permissions: [{ index_patterns: ["own-${attr.internal.dept}"], allowed_actions: ["looks"] }] },
    writer: {
      index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:data/write/*"] }],
    },
    builtin: { index_permissions: [{ index_patterns: ["logs"], allowed_actions: ["read", "SGS_READ", "READ"] }] },
    closer: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:admin/close"] }] },
    odd: { cluster_permissions: ["/(?x)cluster:.*/"] },
    local: { cluster_permissions: ["cluster:monitor/main"] },
  },
  role_mappings: {
    reader: { backend_roles: ["analysts"] },
    own: { users: ["ana"] },
    writer: { users: ["wim"] },
    builtin: { users: ["sam"] },
    odd: { users: ["odo"] },
    SGS_READALL: { users: ["ray"] },
    closer: { users: ["cleo"] },
    local: { hosts: ["10.0.*"] },
  },
};

/** Asks a server that holds the state above; each answer has the given part. */
async function check(
  options: EmulatorOptions,
  rows: readonly (readonly [asked: object, status: number, part: object])[],
) {
  const server = await startEmulator({ state, ...options });
  running.push(server);
  for (const [asked, status, part] of rows) {
    const answer = await authorize(server, asked);
    expect({ asked, ...answer }).toMatchObject({ asked, status, body: part });
  }
  expect(server.requests).toEqual([]);
}

async function authorize({ url }: Emulator, asked: object) {
  const answer = await fetch(`${url}/_emulator/authorize`, { method: "POST", body: JSON.stringify(asked) });
  return { status: answer.status, body: (await answer.json()) as { readonly verdict?: string } };
}

test("a search is permitted, with what is seen of the index", () =>
  check(openSearch, [
    [
      { user: "ana", backend_roles: ["analysts"], action: "search", index: "hr-2026" },
      200,
      {
        verdict: "yes",
        roles: expect.arrayContaining(["own", "reader"]),
        documents: ['{"term":{"a":1}}'],
        fields: { not: ["pay"], masks: ["id"] },
        missing: [],
      },
    ],
    [
      { backend_roles: ["analysts"], action: "indices:data/read/search", index: "it-1" },
      200,
      { verdict: "no", missing: ["indices:data/read/search"], why: [expect.stringContaining("on it-1")] },
    ],
    [
      { backend_roles: ["analysts"], action: "search", index: "hr-1,hr-2" },
      200,
      { verdict: "yes", by_index: { "hr-1": { fields: {} }, "hr-2": { documents: ['{"term":{"a":1}}'] } } },
    ],
  ]));

test("a request is all that the server asks for, at its level", async () => {
  const index = "hr-1";
  await check(searchGuard, [
    // Without the cluster permission a single document cannot be written.
    [{ user: "wim", action: "index", index }, 200, { verdict: "no", missing: ["indices:data/write/bulk"] }],
    [{ user: "wim", action: "indices:data/write/index", index }, 200, { verdict: "yes", missing: [] }],
    [{ user: "wim", action: "cluster:monitor/main" }, 200, { verdict: "no", missing: ["cluster:monitor/main"] }],
    [{ host: "10.0.7.3", action: "info" }, 200, { verdict: "yes", roles: ["local"] }],
    // That role is undeclared.
    [{ user: "ray", action: "search", index }, 200, { verdict: "yes", roles: expect.arrayContaining(["SGS_READALL"]) }],
    [{ user: "cleo", action: "close-index", index }, 200, { verdict: "no", missing: ["indices:admin/close[s]"] }],
    [{ host: "10.1.7.3", action: "info" }, 200, { verdict: "no", roles: [] }],
  ]);
});

test.for([openSearch, searchGuard])("what $product $release comes with counts, though it is undeclared", (product) =>
  check(product, [[{ user: "sam", action: "search", index: "logs" }, 200, { verdict: "yes" }]]),
);

test("a 6 is evaluated in its own words", () =>
  check(
    {
      ...searchGuard6,
      state: {
        roles: { r: { cluster: ["CLUSTER_MONITOR"], indices: { "l?gs": { "*": ["READ"], _dls_: "{}" } } } },
        role_mappings: { r: { backendroles: ["b"] } },
      },
    },
    [
      [{ backend_roles: ["b"], action: "search", index: "logs" }, 200, { verdict: "yes", documents: ["{}"] }],
      [{ backend_roles: ["b"], action: "health" }, 200, { verdict: "yes" }],
      [{ backend_roles: ["b"], action: "search", index: "lags-1" }, 200, { verdict: "no" }],
    ],
  ));

test("what is unknown is reported as that, with the reason", () =>
  check(openSearch, [
    [
      { user: "odo", action: "cluster:monitor/main" },
      200,
      { verdict: "unknown", why: [expect.stringContaining("/(?x)cluster:.*/")] },
    ],
    [{ user: "ana", action: "search", index: "own-hr" }, 200, { verdict: "unknown" }],
    [
      { user: "ana", action: "search", index: "own-hr", attributes: { "internal.dept": "hr" } },
      200,
      { verdict: "yes" },
    ],
    [{ user: "ana", action: "search", index: "own-hr", attributes: {} }, 200, { verdict: "no" }],
    [
      { backend_roles: ["analysts"], action: "search", index: "hr-*" },
      200,
      { verdict: "unknown", why: [expect.stringContaining("holds no indices")] },
    ],
  ]));

test.for([
  [{ user: "ana", action: "serach", index: "i" }, 'Did you mean "search"?'],
  [{ user: "ana", action: "search" }, "say which"],
  [{ user: "ana", index: "i" }, "action is missing"],
  [{ action: "search", index: "i" }, "Say who asks"],
  [{ user: "ana", backend_role: ["a"], action: "search", index: "i" }, 'Did you mean "backend_roles"?'],
  [{ user: "ana", backend_roles: "a", action: "search", index: "i" }, "backend_roles takes a list of texts."],
  [{ user: "ana", action: "search", index: "i", tenant: "t" }, "not both"],
  [["search"], "one object"],
] as const)("%j is answered with a message", ([asked, reported]) =>
  check(openSearch, [[asked, 400, { status: 400, error: expect.stringContaining(reported) }]]),
);

test("the state is that of the moment, and of its config", async () => {
  const server = await startEmulator({ ...searchGuard, state });
  running.push(server);
  const asked = { user: "uma", action: "search", index: "x" };
  const verdict = async () => (await authorize(server, asked)).body.verdict;
  expect(await verdict()).toBe("no");
  const put = (path: string, value: object) =>
    fetch(`${server.url}/_searchguard/api/${path}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(value),
    });
  await put("roles/x", {
    index_permissions: [{ index_patterns: ["x"], allowed_actions: ["indices:data/read/search"] }],
  });
  expect(await verdict()).toBe("no");
  await put("rolesmapping/x", { users: ["uma"] });
  expect(await verdict()).toBe("yes");
  server.replaceState(state);
  expect(await verdict()).toBe("no");
});

test("no document is updated where anything is hidden", () => {
  const role = (dls?: string) => ({
    cluster_permissions: ["*"],
    index_permissions: [{ index_patterns: ["i"], allowed_actions: ["*"], ...(dls && { dls }) }],
  });
  const asked = { user: "uma", action: "update", index: "i" };
  const role_mappings = { r: { users: ["uma"] } };
  return Promise.all([
    check({ ...openSearch, state: { roles: { r: role() }, role_mappings } }, [[asked, 200, { verdict: "yes" }]]),
    check({ ...openSearch, state: { roles: { r: role('{"match_none":{}}') }, role_mappings } }, [
      [asked, 200, { verdict: "no", missing: [], why: [expect.stringContaining("updates no documents")] }],
      [{ ...asked, action: "index" }, 200, { verdict: "yes" }],
    ]),
  ]);
});

test("blocks come before all", async () => {
  const block = { type: "name", value: ["sam"], verdict: "disallow" };
  await check({ ...searchGuard, release: "7.x-47", state: { ...state, blocks: { block } } }, [
    [{ user: "sam", action: "search", index: "logs" }, 200, { verdict: "no", why: ["A block keeps this user out."] }],
    [{ backend_roles: ["analysts"], action: "search", index: "hr-1" }, 200, { verdict: "yes" }],
  ]);
  const unsure = { type: "name", value: ["/(?x)sam/"], verdict: "disallow" };
  await check({ ...searchGuard, release: "7.x-47", state: { ...state, blocks: { unsure } } }, [
    [
      { user: "sam", action: "search", index: "logs" },
      200,
      { verdict: "unknown", why: ["Unknown: whether a block keeps this user out."] },
    ],
    // Denied in any case.
    [
      { user: "sam", action: "search", index: "it" },
      200,
      { verdict: "no", why: ["No role that is held grants indices:data/read/search on it."] },
    ],
  ]);
});

test("one role must grant all of it where the config says so", async () => {
  const roles = {
    c: { cluster_permissions: ["indices:data/write/bulk"] },
    one: { index_permissions: [{ index_patterns: ["i"], allowed_actions: ["indices:data/write/index"] }] },
    two: { index_permissions: [{ index_patterns: ["i"], allowed_actions: ["indices:data/write/bulk*"] }] },
  };
  const all = { users: ["uma"] };
  const spans = (value: boolean) => ({
    state: {
      roles,
      role_mappings: { c: all, one: all, two: all },
      config: { dynamic: { multi_rolespan_enabled: value } },
    },
  });
  const asked = { user: "uma", action: "index", index: "i" };
  await check({ ...searchGuard, ...spans(true) }, [[asked, 200, { verdict: "yes" }]]);
  await check({ ...searchGuard, ...spans(false) }, [
    [
      asked,
      200,
      {
        verdict: "no",
        missing: ["indices:data/write/bulk[s]", "indices:data/write/index"],
        why: [expect.stringContaining("multi_rolespan_enabled")],
      },
    ],
  ]);
  await check({ ...openSearch, ...spans(false) }, [[asked, 200, { verdict: "yes" }]]);
});
