import { describe, expect, test } from "vitest";
import { namesLost } from "../../../../src/dialects/opensearch.ts";
import { check, type Line, started } from "./ask.ts";

const group = { allowed_actions: ["a"] };
const guarded = { test: [{ op: "test", path: "/allowed_actions", value: ["a"] }] };

/** What each release shows of itself: the search engine's number, the plugin and its version. */
test.each([
  ["search-guard", "6.5.4-24.0", "6.5.4", "search-guard-6", "6.5.4-24.0"],
  ["search-guard", "7", "7.5.1", "search-guard-7", "7.5.1-38.0.0"],
  ["search-guard", "7.8.1-43.0.0", "7.8.1", "search-guard-7", "7.8.1-43.0.0"],
  ["search-guard", "7.x-49", "7.10.2", "search-guard-7", "7.10.2-49.0.0"],
  ["search-guard", "FLX", "7.17.9", "search-guard-flx", "1.6.0-es-7.17.9"],
  ["opensearch", "odfe-1.x", "7.10.2", "opendistro_security", "1.13.1.0"],
  ["opensearch", "1", "1.3.20", "opensearch-security", "1.3.20.0"],
  ["opensearch", "2.4", "2.4.0", "opensearch-security", "2.4.0.0"],
  ["opensearch", "2.19.1", "2.19.1", "opensearch-security", "2.19.1.0"],
  ["opensearch", "3", "3.4.0", "opensearch-security", "3.4.0.0"],
] as const)("%s %s", async (product, release, number, component, version) => {
  const { url } = await started({ product, release });
  const root = await fetch(url);
  expect(await root.json()).toMatchObject({ version: { number } });
  expect(await (await fetch(`${url}/_cat/plugins?format=json`)).json()).toEqual([
    { name: "emulator", component, version },
  ]);
  expect(root.headers.get("x-search-guard-version")).toBe(release === "FLX" ? version : null);
});

const searchGuard = (release: string, lines: readonly Line[]) =>
  check({ product: "search-guard", release, allowConfigModification: true }, lines);
const openSearch = (release: string, lines: readonly Line[], allowConfigModification = true) =>
  check({ product: "opensearch", release, allowConfigModification }, lines);

describe("Search Guard 7", () => {
  const block = { type: "ip", value: ["10.0.0.1"], verdict: "disallow" };
  const excluding = { exclude_cluster_permissions: ["a"] };

  test("has blocks from 41 on", async () => {
    await searchGuard("7.x-40", [["PUT", "blocks/b", block, 400, "no handler found"]]);
    await searchGuard("7.x-41", [
      ["PUT", "blocks/b", block, 201, "'b' created."],
      ["GET", "blocks/b", undefined, 200, { b: block }],
      ["PUT", "blocks/b", { ...block, value: "10.0.0.1" }, 400, { value: "Array expected" }],
      ["PUT", "blocks/b", { ...block, type: "mac" }, 500, "[ip, name, net_mask]"],
      ["PUT", "blocks/b", {}, 400, "Request body required"],
      ["GET", "blocks", undefined, 200, { b: block }],
    ]);
  });

  test("cannot load a block without a value, and takes writes all the same", () =>
    searchGuard("7.x-43", [
      ["PUT", "blocks/only", { description: "d" }, 201, "'only' created."],
      ["GET", "blocks/only", undefined, 200, { only: { description: "d" } }],
      ["PUT", "blocks/b", { type: "ip", verdict: "allow" }, 500, "Error Failed node"],
      ["PUT", "tenants/t", {}, 500, "Error Failed node"],
      ["DELETE", "blocks/b", undefined, 200, "'b' deleted."],
      ["GET", "tenants/t", undefined, 200, "reserved"],
    ]));

  test("knows excluded permissions from 47 on", async () => {
    await searchGuard("7.x-46", [["PUT", "roles/r", excluding, 400, { keys: "exclude_cluster_permissions" }]]);
    await searchGuard("7.x-47", [
      ["PUT", "roles/r", excluding, 201, "'r' created."],
      ["GET", "roles/r", undefined, 200, { ...excluding, exclude_index_permissions: [] }],
    ]);
  });

  test("takes a config without its name from 51 on, and says itself what it cannot read", async () => {
    const dynamic = { dynamic: { do_not_fail_on_forbidden: true } };
    const strange = { index_permissions: [{ foo: 1 }] };
    await searchGuard("7.x-50", [
      ["PUT", "sg_config", dynamic, 405, "allowed: [GET, PATCH]"],
      ["PUT", "roles/r", strange, 500, "root_cause"],
    ]);
    await searchGuard("7.x-51", [
      ["PUT", "sg_config", dynamic, 200, "'sg_config' updated."],
      ["PUT", "roles/r", strange, 500, "Error while processing request: Unrecognized field"],
    ]);
  });

  test("has the later patch library in 53, and still honours test", async () => {
    await searchGuard("7.x-53", [
      ["PUT", "actiongroups/g", group, 201, "'g' created."],
      ["PATCH", "actiongroups/g", guarded.test, 200, "'g' updated."],
      ["PATCH", "actiongroups/g", [{ op: "test", path: "/allowed_actions", value: ["b"] }], 400, "Expected value"],
      ["PATCH", "actiongroups/g", [{ op: "replace", path: "/nope", value: 1 }], 400, 'Missing field "nope"'],
      ["PATCH", "actiongroups", [{ op: "move", from: "/g", path: "/h" }], 200, "Resource updated."],
      ["GET", "actiongroups/g", undefined, 404, "not found"],
      ["GET", "actiongroups/h", undefined, 200, group],
      ["PATCH", "actiongroups", {}, 400, "not an array"],
    ]);
  });
});

describe("Search Guard FLX", () => {
  const state = {
    roles: { shipped: { static: true, cluster_permissions: ["*"] }, old: { reserved: false, description: "d" } },
    config: { dynamic: { x: 1 } },
  };

  test("keeps what was written, as it was written", () =>
    searchGuard("FLX", [
      ["PUT", "roles/r", { cluster_permissions: ["b", "a", "b"] }, 201, "'r' created."],
      ["GET", "roles/r", undefined, 200, { r: { cluster_permissions: ["b", "a", "b"] } }],
      ["PATCH", "roles/r", [{ op: "replace", path: "/cluster_permissions", value: [] }], 200, "'r' updated."],
      ["GET", "roles/r", undefined, 200, { r: { cluster_permissions: [] } }],
      ["PATCH", "roles/r", [{ op: "test", path: "/nope", value: 1 }], 400, "Error in JSON patch:\n"],
      ["PUT", "rolesmapping/r", { ips: ["10.0.0.0/8"], users: [] }, 201, "'r' created."],
    ]));

  test("wants the type of a group, in two voices", () =>
    searchGuard("FLX", [
      ["PUT", "actiongroups/g", group, 400, '{"type":[{"error":"Required attribute is missing"}]}'],
      ["PUT", "actiongroups/g", { ...group, type: "index" }, 201, "'g' created."],
      ["PATCH", "actiongroups/g", [{ op: "remove", path: "/type" }], 400, "'g.type': Required attribute is missing"],
      [
        "PATCH",
        "actiongroups",
        [{ op: "add", path: "/h", value: group }],
        400,
        { "h.type": [{ error: "Required attribute is missing" }] },
      ],
      ["PUT", "blocks/b", { type: "ip" }, 400, "Required attribute is missing"],
    ]));

  test("shows static entries among all only, and the config to be read only", () =>
    check({ product: "search-guard", release: "FLX", state, allowConfigModification: true }, [
      ["GET", "roles", undefined, 200, { shipped: state.roles.shipped }],
      ["GET", "roles/shipped", undefined, 404, "Resource 'shipped' not found."],
      ["PUT", "roles/shipped", { description: "x" }, 403, "Resource 'shipped' is read-only."],
      ["PATCH", "roles/old", [{ op: "add", path: "/description", value: "e" }], 200, "'old' updated."],
      ["GET", "sg_config", undefined, 200, { sg_config: state.config }],
      ["PATCH", "sg_config", [], 405, "allowed: [GET]"],
      ["PUT", "sg_config/sg_config", state.config, 400, "no handler found"],
    ]));
});

describe("OpenSearch", () => {
  const changesNothing = [{ op: "add", path: "/allowed_actions", value: ["a"] }];
  const strangeType = { ...group, type: "kibana" };

  test("speaks as Search Guard does before 2.10", async () => {
    await openSearch("2.9", [
      ["PUT", "actiongroups/g", group, 201, "'g' created."],
      ["PATCH", "actiongroups/g", guarded.test, 200, "'g' updated."],
      ["DELETE", "actiongroups/h", undefined, 404, "actiongroup h not found."],
    ]);
    await openSearch("2.9", [["PUT", "securityconfig/config", { dynamic: {} }, 400, "no handler found"]], false);
    await openSearch("2.10", [
      ["PUT", "actiongroups/g", group, 201, "'g' created."],
      ["PATCH", "actiongroups/g", guarded.test, 400, "Unsupported patch operation: test"],
      ["DELETE", "actiongroups/h", undefined, 404, "actiongroup 'h' not found."],
    ]);
    await openSearch("2.10", [["PUT", "securityconfig/config", { dynamic: {} }, 403, "Access denied"]], false);
  });

  test("notices from 2.16 on that nothing changes, and what type a group is of", async () => {
    await openSearch("2.15", [
      ["PUT", "actiongroups/g", strangeType, 201, "'g' created."],
      ["PATCH", "actiongroups/g", changesNothing, 200, "'g' updated."],
    ]);
    await openSearch("2.16", [
      ["PUT", "actiongroups/g", strangeType, 400, "Invalid action group type: kibana."],
      ["PUT", "actiongroups/g", group, 201, "'g' created."],
      ["PATCH", "actiongroups/g", changesNothing, 200, "No updates required"],
    ]);
  });

  test("loses what is off in its config before 1.3, at each patch", async () => {
    const lines = (after: boolean): Line[] => [
      ["PUT", "securityconfig/config", { dynamic: { multi_rolespan_enabled: false } }, 200, "'config' updated."],
      ["PATCH", "securityconfig", [], 200, "Resource updated."],
      ["GET", "securityconfig", undefined, 200, { multi_rolespan_enabled: after }],
    ];
    await openSearch("odfe-1.x", lines(true));
    await openSearch("1.2", lines(true));
    await openSearch("1.3", lines(false));
  });

  test("refuses spaces from 3.0 on, and long texts in 3.8", async () => {
    const blank = { users: [" "] };
    const long = { description: "x".repeat(257) };
    const role: Line = ["PUT", "roles/r", { cluster_permissions: ["a"] }, 201, "'r' created."];
    await openSearch("2.19", [role, ["PUT", "rolesmapping/r", blank, 201, "'r' created."]]);
    await openSearch("3.0", [role, ["PUT", "rolesmapping/r", blank, 400, "blank values are not allowed"]]);
    await openSearch("3.7", [["PUT", "tenants/t", long, 201, "'t' created."]]);
    await openSearch("3.8", [["PUT", "tenants/t", long, 400, "maximum allowed length of 256 characters"]]);
  });

  test.each([...namesLost])("loses what is named %s from 3.7 on", async (name) => {
    const add = [{ op: "add", path: `/${name}`, value: group }];
    await openSearch("3.6", [
      ["PUT", `actiongroups/${name}`, group, 201, `'${name}' created.`],
      ["GET", `actiongroups/${name}`, undefined, 200, group],
    ]);
    await openSearch("3.7", [
      ["PUT", `actiongroups/${name}`, group, 201, `'${name}' created.`],
      ["GET", `actiongroups/${name}`, undefined, 404, `'${name}' not found`],
      ["PATCH", "actiongroups", add, 200, "Resource updated."],
      ["GET", `actiongroups/${name}`, undefined, 404, `'${name}' not found`],
      ["PUT", `tenants/${name}`, { description: "d" }, 201, `'${name}' created.`],
      ["GET", `tenants/${name}`, undefined, 404, `'${name}' not found`],
    ]);
  });

  test("was Open Distro once, below another path", () =>
    openSearch("odfe-1.x", [
      ["PUT", "tenants/t", { description: "d" }, 201, "'t' created."],
      ["GET", "/_plugins/_security/api/tenants", undefined, 400, "no handler found"],
      ["GET", "/_plugins/_security/authinfo", undefined, 404, "index_not_found_exception"],
      ["GET", "/_opendistro/_security/authinfo", undefined, 200, { user_name: "anybody" }],
    ]));
});

test.each([
  ["odfe-1.x", true, false],
  ["1.0", true, false],
  ["1.3", true, false],
  ["2.9", true, false],
  ["2.11", true, false],
  ["2.12", false, false],
  ["2.16", false, false],
  ["2.17", false, true],
  ["2.19", false, true],
  ["3.8", false, true],
] as const)("OpenSearch %s keeps transport_enabled: %s, and has ignore_hosts: %s", async (release, keeps, ignores) => {
  const domain = { http_enabled: true, ...(keeps && { transport_enabled: false }), order: 1 };
  const written = { http_authenticator: { type: "basic" }, authentication_backend: { type: "intern" } };
  const dynamic = (limit: object) => ({
    dynamic: {
      authc: { a: { ...domain, transport_enabled: false, ...written } },
      auth_failure_listeners: { l: { type: "ip", ...limit } },
    },
  });
  await openSearch(release, [
    ["PUT", "securityconfig/config", dynamic({}), 200, "'config' updated."],
    ["GET", "securityconfig", undefined, 200, domain],
    ["GET", "securityconfig", undefined, 200, { type: "ip", allowed_tries: 10, time_window_seconds: 3600 }],
    [
      "PUT",
      "securityconfig/config",
      dynamic({ ignore_hosts: ["a"] }),
      ignores ? 200 : 500,
      ignores ? "updated" : "Unrecognized field",
    ],
  ]);
});

/** As 2.19.4 was seen to answer. */
test.each([
  [{ allowed_tries: 0 }, 500, "Error Failed node"],
  [{ allowed_tries: -1 }, 500, "Error Failed node"],
  [{ allowed_tries: "0x5" }, 500, "invalid_format_exception"],
  [{ allowed_tries: true }, 500, "exception"],
  [{ allowed_tries: 5.9 }, 200, "updated"],
  [{ time_window_seconds: -1 }, 500, "Error Failed node"],
  [{ time_window_seconds: 2_147_484 }, 500, "Error Failed node"],
  [{ block_expiry_seconds: 0 }, 200, "updated"],
  [{ max_blocked_clients: -1 }, 500, "Error Failed node"],
  [{ max_tracked_clients: 2_147_483_647 }, 200, "updated"],
  [{ type: "nope" }, 500, "Error Failed node"],
  [{ type: null }, 500, "Error Failed node"],
  [{ ignore_hosts: "*" }, 500, "exception"],
  [{ ignore_hosts: ["*"] }, 200, "updated"],
] as const)("OpenSearch loads limits on wrong passwords, or cannot: %j", (limit, status, says) =>
  openSearch("2.19", [
    [
      "PUT",
      "securityconfig/config",
      { dynamic: { auth_failure_listeners: { l: { type: "ip", ...limit } } } },
      status,
      says,
    ],
  ]),
);
