import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { Json } from "../../../src/json/value.ts";
import type { FamilyName } from "../../support/strict/forms.ts";
import {
  type StrictOptions,
  type StrictServer,
  startStrictServer,
  type WireState,
} from "../../support/strict-server.ts";

const started: StrictServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.close();
});

const state: WireState = {
  resources: new Map<FamilyName, ReadonlyMap<string, Json>>([
    ["role_mappings", new Map([["hr", { users: ["ann", "bob"] }]])],
    [
      "roles",
      new Map<string, Json>([
        ["hr", { cluster_permissions: ["a"], index_permissions: [{ index_patterns: ["hr-*"], dls: "{}" }] }],
        ["a[0]/~1", { cluster_permissions: ["a"] }],
        ["own", { reserved: true }],
        ["unseen", { hidden: true }],
      ]),
    ],
    ["tenants", new Map([["ops", { description: "Operations" }]])],
    ["action_groups", new Map([["READ", { allowed_actions: ["indices:data/read*"] }]])],
    ["blocks", new Map([["mallory", { type: "name", value: "mallory", verdict: "disallow" }]])],
  ]),
  config: { dynamic: { authc: { basic: { order: 1, x: 1 } }, license: "keep" } },
};

async function start(options: Partial<StrictOptions> = {}): Promise<StrictServer> {
  const server = await startStrictServer({ state, ...options });
  started.push(server);
  return server;
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends the path as it is: an URL object would tidy it up. */
function send(server: StrictServer, line: string, body?: unknown, type = "application/json"): Promise<Sent> {
  const [method, path] = line.split(" ") as [string, string];
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}/`, { method, path, headers }, (response) => {
      let answer = "";
      response.on("data", (chunk) => {
        answer += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: answer }));
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

/** Sends one request: its status, and how many violations are on record afterwards. */
async function check(
  line: string,
  body: unknown,
  status: number,
  violations: number,
  options?: Partial<StrictOptions>,
): Promise<StrictServer> {
  const server = await start(options);
  const sent = await send(server, line, body);
  expect(sent.status, sent.text).toBe(status);
  expect(server.violations, line).toHaveLength(violations);
  return server;
}

const old = { release: "6.x-25" } as const;
const writable = { configModification: true } as const;
const api = "/_gate/api";

test.each<[string, unknown, Partial<StrictOptions>?]>([
  [`PUT ${api}/rolesmapping/x`, { users: ["u"], hosts: [], description: "" }],
  [`PUT ${api}/roles/hr`, { cluster_permissions: [], index_permissions: [{ dls: "{}", masked_fields: [] }] }],
  [`PUT ${api}/blocks/x`, { description: "only this" }],
  [`PUT ${api}/blocks/x`, { type: "net_mask", value: "10.0.0.0/8", verdict: "allow" }],
  [`PUT ${api}/actiongroups/x`, { permissions: ["a"] }, old],
  [`PUT ${api}/actiongroups/x`, { allowed_actions: ["a"] }],
  [`PUT ${api}/tenants/a%2Fb%25%20%F0%9F%94%91`, { description: "d" }],
  [`PUT ${api}/tenants/..`, { description: "d" }],
  [`DELETE ${api}/roles/a%5B0%5D%2F~1`, undefined],
  [
    `PATCH ${api}/roles/hr`,
    [{ op: "replace", path: "/index_permissions[0]/fls", value: ["f"] }],
    { defaults: "filled" },
  ],
  [`PATCH ${api}/roles/hr`, [{ op: "remove", path: "/index_permissions[0]/dls" }]],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "/a[0]~1~01" }]],
  [`PATCH ${api}/roles`, [{ op: "add", path: "/hr/tenant_permissions", value: [] }]],
  [`PATCH ${api}/roles/`, [{ op: "test", path: "/own/reserved", value: true }]],
  [`PATCH ${api}/roles`, [{ op: "copy", from: "/hr", path: "/__proto__" }]],
  [`PATCH ${api}/rolesmapping`, [{ op: "move", from: "/hr", path: "/557" }]],
  [`PATCH ${api}/actiongroups`, [{ op: "add", path: "/x", value: ["a"] }], old],
  [`PATCH ${api}/actiongroups/READ`, [{ op: "replace", path: "/permissions", value: ["a"] }], old],
  [`PATCH ${api}/actiongroups`, [{ op: "add", path: "/x/allowed_actions", value: ["a"] }]],
  [`PATCH ${api}/actiongroups`, [{ op: "add", path: "/x", value: { allowed_actions: ["a"] } }]],
  [`PATCH ${api}/gate_config`, [{ op: "replace", path: "/gate_config/dynamic/authc/basic/order", value: 2 }], writable],
  [
    `PUT ${api}/gate_config`,
    { gate_config: { dynamic: { authc: { basic: { order: 2, x: 1 } }, license: "keep" } } },
    writable,
  ],
  [`PUT ${api}/license/`, { gate_license: "text" }],
])("documented: %s %j", async (line, body, options) => {
  await check(line, body, 200, 0, options);
});

test.each<[string, unknown, Partial<StrictOptions>?]>([
  [`GET ${api}/roles?pretty`, undefined],
  [`GET ${api}/internalusers`, undefined],
  [`GET ${api}/license`, undefined],
  [`GET ${api}/roles/hr/`, undefined],
  [`GET ${api}/roles`, {}],
  [`POST ${api}/roles/x`, {}],
  [`DELETE ${api}/roles`, undefined],
  [`PUT ${api}/rolesmapping/x`, { description: "no list" }],
  [`PUT ${api}/rolesmapping/x`, { users: "u" }],
  [`PUT ${api}/rolesmapping/x`, { users: [], and_backend_roles: [] }],
  [`PUT ${api}/roles/hr`, { reserved: false }],
  [`PUT ${api}/roles/hr`, { index_permissions: [{ dls: null }] }],
  [`PUT ${api}/tenants/x`, {}],
  [`PUT ${api}/blocks/x`, { value: ["10.0.0.1"] }],
  [`PUT ${api}/blocks/x`, { type: "ip", value: "10.0.0.0/8", verdict: "allow" }],
  [`PUT ${api}/actiongroups/x`, { allowed_actions: [] }, old],
  [`PUT ${api}/actiongroups/x`, { permissions: [] }],
  [`PATCH ${api}/actiongroups`, [{ op: "add", path: "/x", value: { permissions: [] } }], old],
  [`PATCH ${api}/actiongroups`, [{ op: "add", path: "/READ/permissions", value: [] }], old],
  [`PATCH ${api}/roles`, []],
  [`PATCH ${api}/roles`, { op: "remove", path: "/hr" }],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "hr" }]],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "/hr~" }]],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "/hr", value: 1 }]],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "/absent" }]],
  [`PATCH ${api}/roles`, [{ op: "replace", path: "/hr/tenant_permissions", value: [] }]],
  [`PATCH ${api}/roles`, [{ op: "add", path: "/hr/index_permissions/0/fls", value: [] }]],
  [`PATCH ${api}/roles`, [{ op: "add", path: "/hr/description", value: "" }]],
  [`PATCH ${api}/rolesmapping`, [{ op: "remove", path: "/hr/users" }]],
  [`PATCH ${api}/rolesmapping`, [{ op: "add", path: "/x/users", value: [] }]],
  [`PUT ${api}/gate_config`, { dynamic: {} }, writable],
  [
    `PUT ${api}/gate_config`,
    { gate_config: { dynamic: { authc: { basic: { order: "1" } }, license: "keep" } } },
    writable,
  ],
  [`PATCH ${api}/gate_config`, [{ op: "add", path: "/dynamic/http", value: {} }], writable],
  [`PUT ${api}/license/`, { sg_license: "text" }],
])("a violation: %s %j", async (line, body, options) => {
  const server = await check(line, body, 400, 1, options);
  const untouched = await start(options);
  expect(server.state()).toEqual(untouched.state());
});

test.each<[string, unknown, number, number, Partial<StrictOptions>?]>([
  [`PATCH ${api}/roles`, [{ op: "test", path: "/hr/cluster_permissions", value: ["b"] }], 400, 0],
  [`PUT ${api}/roles/own`, { cluster_permissions: [] }, 403, 1],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "/own" }], 403, 1],
  [`DELETE ${api}/roles/unseen`, undefined, 404, 0],
  [`DELETE ${api}/roles/own`, undefined, 200, 0, { flags: "absent" }],
  [`PUT ${api}/gate_config`, { gate_config: { dynamic: {} } }, 405, 0],
  [`PUT ${api}/gate_config`, { gate_config: { dynamic: {} } }, 200, 1, writable],
  [`PUT ${api}/license/`, { gate_license: "expired" }, 400, 0],
  [`GET ${api}/license/`, undefined, 404, 0],
  ["GET /", undefined, 403, 0],
  ["GET /", undefined, 403, 1, { root: "violation" }],
  [`GET ${api}/roles`, undefined, 404, 0, { slash: "required" }],
  [`GET ${api}/roles/`, undefined, 404, 0, { slash: "refused" }],
  [`PATCH ${api}/roles`, [{ op: "remove", path: "/hr" }], 404, 0, { slash: "required" }],
  [`PUT ${api}/roles/new`, { cluster_permissions: [] }, 201, 0, { putCreates: 201 }],
  [`PUT ${api}/roles/hr`, { cluster_permissions: [] }, 200, 0, { putCreates: 201 }],
])("%s %j: %i, %i violations", async (line, body, status, violations, options) => {
  await check(line, body, status, violations, options);
});

test("a patch that fails half-way writes nothing", async () => {
  const server = await start();
  const before = server.state();
  const steps = [
    { op: "remove", path: "/hr" },
    { op: "test", path: "/a[0]~1~01/cluster_permissions", value: ["other"] },
  ];
  expect((await send(server, `PATCH ${api}/roles`, steps)).status).toBe(400);
  expect(server.state()).toEqual(before);
});

test("only application/json is a body's type", async () => {
  const server = await start();
  await send(server, `PUT ${api}/tenants/x`, { description: "d" }, "text/plain");
  expect(server.violations).toEqual([expect.stringContaining("Content-Type")]);
});

test.each([
  ["kept by a patch of a field", "PATCH", [{ op: "add", path: "/a[0]~1~01/tenant_permissions", value: [] }], true, 0],
  ["lost by a replace", "PATCH", [{ op: "replace", path: "/a[0]~1~01", value: {} }], false, 1],
  ["gone with an add", "PATCH", [{ op: "add", path: "/a[0]~1~01", value: {} }], false, 0],
  ["lost by a PUT", "PUT", { cluster_permissions: [] }, false, 1],
] as const)("an unknown field is %s", async (_, method, body, kept, violations) => {
  const server = await start({ unknownField: true });
  const path = method === "PUT" ? `${api}/roles/a%5B0%5D%2F~1` : `${api}/roles`;
  expect((await send(server, `${method} ${path}`, body)).status).toBe(200);
  const role = server.state().resources.get("roles")?.get("a[0]/~1") ?? {};
  expect(Object.hasOwn(Object(role), "x_vendor")).toBe(kept);
  expect(server.violations).toHaveLength(violations);
});

test.each<[string, Partial<StrictOptions>, unknown]>([
  ["tenants/ops", {}, { ops: { reserved: false, hidden: false, static: false, description: "Operations" } }],
  ["tenants", { flags: "absent" }, { ops: { description: "Operations" } }],
  [
    "rolesmapping",
    { defaults: "filled" },
    { hr: { users: ["ann", "bob"], description: "", backend_roles: [], hosts: [] } },
  ],
  ["actiongroups/READ", {}, { allowed_actions: ["indices:data/read*"] }],
  ["actiongroups", old, { READ: ["indices:data/read*"] }],
  ["blocks/mallory", {}, { mallory: { type: "name", value: "mallory" } }],
  ["gate_config", {}, { gate_config: state.config }],
])("GET %s %j", async (path, options, expected) => {
  const server = await start(options);
  expect(JSON.parse((await send(server, `GET ${api}/${path}`)).text)).toEqual(expected);
});

test.each<[Partial<StrictOptions>, string]>([
  [{ patchAnswer: "empty" }, ""],
  [{ patchAnswer: "text" }, "Resource updated."],
])("the answer to a PATCH: %j", async (options, text) => {
  const server = await start(options);
  const sent = await send(server, `PATCH ${api}/roles`, [{ op: "remove", path: "/hr" }]);
  expect(sent).toEqual({ status: 200, text });
});

test("a 404 may lack a body, and every request is on record with its family", async () => {
  const server = await start({ notFoundBody: false });
  expect(await send(server, `GET ${api}/roles/absent`)).toEqual({ status: 404, text: "" });
  await send(server, `DELETE ${api}/rolesmapping/hr`);
  expect(server.reads).toEqual([
    { method: "GET", path: `${api}/roles/absent`, family: "roles", status: 404, body: "" },
  ]);
  expect(server.writes.map(({ method, family, status }) => [method, family, status])).toEqual([
    ["DELETE", "role_mappings", 200],
  ]);
});
