import { expect, test } from "vitest";
import { encodeLicense } from "../../../../src/emulator/index.ts";
import { check, started } from "./ask.ts";

const searchGuard = { product: "search-guard", release: "7" } as const;
const searchGuard6 = { product: "search-guard", release: "6" } as const;
const openSearch = { product: "opensearch", release: "2" } as const;

test("Search Guard 7 fills in defaults on reads, and patches a document without them", () =>
  check(searchGuard, [
    ["PUT", "roles/r", { index_permissions: [{ index_patterns: [1], fls: null }] }, 201, "'r' created."],
    ["GET", "roles/r", undefined, 200, { index_patterns: ["1"], fls: [], masked_fields: [], allowed_actions: [] }],
    ["PATCH", "roles/r", [{ op: "replace", path: "/cluster_permissions", value: ["a"] }], 400, "noSuchPath"],
    ["PATCH", "roles/r", [{ op: "add", path: "/cluster_permissions", value: ["a"] }], 200, "'r' updated."],
    ["PATCH", "roles/r", [{ op: "add", path: "/index_permissions/0/foo", value: 1 }], 500, "Unrecognized field"],
    ["PUT", "tenants/t", null, 201, "'t' created."],
    ["GET", "tenants/t", undefined, 200, { t: null }],
    ["GET", "blocks/x", undefined, 400, "no handler found"],
    ["GET", "blocks", undefined, 404, "index_not_found_exception"],
  ]));

test("Search Guard 7: one unloadable role makes every write fail and take effect, until it is gone", () =>
  check(searchGuard, [
    ["PUT", "actiongroups/a", { allowed_actions: ["b"] }, 201, "'a' created."],
    ["PUT", "actiongroups/b", { allowed_actions: ["a"] }, 201, "'b' created."],
    ["PUT", "roles/ring", { cluster_permissions: ["a"] }, 500, "Error Failed node"],
    ["PUT", "tenants/t", { description: "x" }, 500, "Error Failed node"],
    ["GET", "tenants/t", undefined, 200, { description: "x" }],
    ["DELETE", "roles/ring", undefined, 200, "'ring' deleted."],
    ["PUT", "roles/null", { index_permissions: [{ index_patterns: [null] }] }, 500, "Error Failed node"],
    ["DELETE", "roles/null", undefined, 200, "'null' deleted."],
    ["PUT", "roles/tenant", { tenant_permissions: [null] }, 500, "Error Failed node"],
    ["PUT", "roles/tenant", { tenant_permissions: [{ allowed_actions: ["a"] }] }, 200, "'tenant' updated."],
    ["PUT", "tenants/t", { description: "y" }, 200, "'t' updated."],
  ]));

test("Search Guard 7: any patch of the config turns what is off and starts as on, on", async () => {
  const dynamic = { multi_rolespan_enabled: false, authc: { a: { http_enabled: false, order: "3" } } };
  await check({ ...searchGuard, allowConfigModification: true }, [
    ["PUT", "sg_config/sg_config", { sg_config: { dynamic } }, 400, { invalid_keys: { keys: "sg_config" } }],
    ["PUT", "sg_config/sg_config", { dynamic }, 200, "'sg_config' updated."],
    ["GET", "sg_config", undefined, 200, { a: { http_enabled: false, transport_enabled: true, order: 3 } }.a],
    ["PATCH", "sg_config", [], 200, "Resource updated."],
    ["GET", "sg_config", undefined, 200, { http_enabled: true, transport_enabled: true, order: 3 }],
    ["GET", "sg_config", undefined, 200, { multi_rolespan_enabled: true }],
  ]);
  await check(searchGuard, [
    ["PATCH", "sg_config", [], 405, "allowed: [GET]"],
    ["GET", "sg_config/sg_config", undefined, 400, "no handler found"],
  ]);
});

test("Search Guard 6 keeps texts, splits names at dots, and never finds such names again", () =>
  check(searchGuard6, [
    ["PUT", "roles/r", { cluster: [1, true], indices: { "a.b": { "*": ["READ"], _dls_: null } } }, 201, "'r' created."],
    [
      "GET",
      "roles/r",
      undefined,
      200,
      { cluster: ["1", "true"], indices: { a: { b: { "*": ["READ"], _dls_: null } } } },
    ],
    ["PUT", "rolesmapping/a.b", { users: ["u"] }, 201, "'a.b' created."],
    ["GET", "rolesmapping/a.b", undefined, 404, "Resource 'a.b' not found."],
    ["GET", "rolesmapping/a", undefined, 200, { a: { b: { users: ["u"] } } }],
    ["PATCH", "rolesmapping/a.b", [], 500, "NullPointerException"],
    ["PUT", "rolesmapping/a.b", { users: ["u"] }, 500, "Unable to update [rolesmapping]"],
    ["DELETE", "rolesmapping/a", undefined, 200, "'a' deleted."],
    ["PUT", "actiongroups/g", ["READ"], 400, "Could not parse content of request."],
    ["PUT", "actiongroup/g", { permissions: ["READ"] }, 201, "'g' created."],
    ["PATCH", "actiongroup/g", [], 405, "allowed: [GET, PUT, DELETE]"],
    ["PUT", "sgconfig", { dynamic: {} }, 405, "allowed: [GET]"],
    ["GET", "tenants/x", undefined, 400, "no handler found"],
  ]));

test("OpenSearch takes three operations, writes nothing where nothing changes, and minds names", () =>
  check(openSearch, [
    ["PUT", "rolesmapping/r", { users: ["u"] }, 404, "role 'r' not found."],
    ["PUT", "roles/r", { cluster_permissions: ["a"] }, 201, "'r' created."],
    ["PUT", "rolesmapping/r", { users: ["u"] }, 201, "'r' created."],
    [
      "PATCH",
      "roles/r",
      [{ op: "test", path: "/cluster_permissions", value: ["a"] }],
      400,
      "Unsupported patch operation: test",
    ],
    ["PATCH", "roles", [{ op: "remove", path: "/nope" }], 200, "No updates required"],
    ["PATCH", "roles", [], 400, "Wrong request body"],
    ["PUT", "actiongroups/r", { allowed_actions: ["a"] }, 400, "r is an existing role."],
    ["PUT", "actiongroups/g", { allowed_actions: ["a"], type: "kibana" }, 400, "Invalid action group type: kibana."],
    ["PUT", "roles/s", { cluster_permissions: ["restapi:admin/roles"] }, 403, "Access denied"],
    ["PUT", "securityconfig/config", { dynamic: {} }, 403, "Access denied"],
    ["GET", "blocks", undefined, 400, "no handler found"],
  ]));

test("OpenSearch keeps what is off in its config, and lets a certificate change reserved entries", async () => {
  await check({ ...openSearch, allowConfigModification: true }, [
    ["PUT", "securityconfig/config", { dynamic: { multi_rolespan_enabled: false } }, 200, "'config' updated."],
    [
      "PATCH",
      "securityconfig",
      [{ op: "add", path: "/config/dynamic/do_not_fail_on_forbidden", value: "true" }],
      200,
      "Resource updated.",
    ],
    ["GET", "securityconfig", undefined, 200, { do_not_fail_on_forbidden: true, multi_rolespan_enabled: false }],
  ]);
  const server = await started({
    ...openSearch,
    adminHeader: "x-admin",
    state: { tenants: { t: { reserved: true } } },
  });
  const put = (headers: Record<string, string>) =>
    fetch(`${server.url}/_plugins/_security/api/tenants/t`, {
      method: "PUT",
      body: '{"description":"x"}',
      headers: { "content-type": "application/json", ...headers },
    });
  expect((await put({})).status).toBe(403);
  expect((await put({ "x-admin": "yes" })).status).toBe(200);
  expect(server.state().tenants.get("t")).toMatchObject({ reserved: false, description: "x" });
});

test("Search Guard 7: a config that is put without the license has none afterwards", async () => {
  const license = encodeLicense({
    uid: "1",
    type: "FULL",
    issued_to: "us",
    issuer: "them",
    issue_date: "2020-01-01",
    start_date: "2020-01-01",
    expiry_date: "2999-01-01",
    major_version: 7,
    cluster_name: "*",
  });
  await check({ ...searchGuard, allowConfigModification: true, state: { license } }, [
    ["GET", "license", undefined, 200, { type: "FULL" }],
    ["PUT", "sg_config/sg_config", { dynamic: { license, do_not_fail_on_forbidden: true } }, 200, "updated."],
    ["GET", "license", undefined, 200, { type: "FULL" }],
    ["PUT", "sg_config/sg_config", { dynamic: { do_not_fail_on_forbidden: true } }, 200, "updated."],
    ["GET", "license", undefined, 200, { type: "TRIAL" }],
    ["GET", "/_searchguard/license", undefined, 200, { total: 1, successful: 1, failed: 0 }],
  ]);
});

test.each([
  [searchGuard, "search_guard_roles"],
  [{ ...searchGuard, release: "FLX" }, "search_guard_roles"],
  [openSearch, "opendistro_security_roles"],
])(
  "internal users of %j are read like any family, without password and hash, and written with them",
  (server, roles) => {
    const internalUsers = new Map([
      ["ana", { hash: "$2y$12$", password: "clear", backend_roles: ["hr"], attributes: { a: "1" } }],
    ]);
    const flags = { reserved: false, hidden: false };
    const ana = { ...flags, backend_roles: ["hr"], attributes: { a: "1" }, [roles]: [], static: false, hash: "" };
    return check({ ...server, state: { internal_users: internalUsers } }, [
      ["GET", "internalusers", undefined, 200, { ana }],
      ["GET", "internalusers/ana", undefined, 200, { ana }],
      ["GET", "internalusers/bob", undefined, 404, "not found."],
      ["PUT", "internalusers/bob", { backend_roles: ["x"] }, 400, "Please specify either 'hash' or 'password'"],
      ["PUT", "internalusers/bob", { password: "Xk9!mvQ-77aZ" }, 201, "'bob' created."],
      ["PUT", "internalusers/ana", { backend_roles: ["x"] }, 200, "'ana' updated."],
      ["PATCH", "internalusers/ana", [{ op: "add", path: "/hash", value: "$2y$04$" }], 200, "'ana' updated."],
      ["GET", "internalusers/ana", undefined, 200, { ana: { ...ana, backend_roles: ["x"], attributes: {} } }],
      ["DELETE", "internalusers/bob", undefined, 200, "'bob' deleted."],
    ]);
  },
);

test("OpenSearch decodes the names of users once more, in bulk too", () => {
  const user = { hash: "$2y$12$" };
  const escaped = "URLDecoder: Illegal hex characters in escape (%) pattern -";
  return check(openSearch, [
    ["PUT", "internalusers/100%25%20x", user, 400, `${escaped} Error at index 0 in: " x"`],
    ["PUT", "internalusers/%254z", user, 400, `${escaped} Error at index 1 in: "4z"`],
    ["PUT", "internalusers/%25-1", user, 400, `${escaped} negative value`],
    ["PUT", "internalusers/100%25", user, 400, "URLDecoder: Incomplete trailing escape (%) pattern"],
    ["PUT", "internalusers/a%253Ab", user, 400, "A restricted character(s) was detected"],
    ["PUT", "internalusers/a:b", { ...user, opendistro_security_roles: ["gone"] }, 404, "role 'gone' not found."],
    ["PUT", "internalusers/pct%2541", user, 201, "'pct%41' created."],
    ["PATCH", "internalusers", [{ op: "add", path: "/100% x", value: user }], 400, escaped],
    ["PATCH", "internalusers", [{ op: "add", path: "/%+1", value: user }], 200, "Resource updated."],
    ["PUT", "roles/100%25%20x", { cluster_permissions: ["x"] }, 201, "'100% x' created."],
  ]);
});

test("a PATCH of OpenSearch drops the empty attributes of all users, but for those that it writes", () => {
  const user = { hash: "$2y$12$", attributes: { a: "", b: "x" } };
  return check(openSearch, [
    ["PUT", "internalusers/ana", user, 201, "'ana' created."],
    ["PUT", "internalusers/bob", user, 201, "'bob' created."],
    ["GET", "internalusers/ana", undefined, 200, { attributes: { a: "", b: "x" } }],
    ["PATCH", "internalusers", [{ op: "add", path: "/eve", value: user }], 200, "Resource updated."],
    ["GET", "internalusers/ana", undefined, 200, { attributes: { b: "x" } }],
    ["GET", "internalusers/eve", undefined, 200, { attributes: { a: "", b: "x" } }],
    ["PATCH", "internalusers/ana", [{ op: "add", path: "/attributes/a", value: "" }], 200, "'ana' updated."],
    ["GET", "internalusers/ana", undefined, 200, { attributes: { b: "x", a: "" } }],
    ["GET", "internalusers/eve", undefined, 200, { attributes: { b: "x" } }],
    ["PATCH", "internalusers/ana", [{ op: "add", path: "/description", value: "d" }], 200, "'ana' updated."],
    ["GET", "internalusers/ana", undefined, 200, { attributes: { b: "x" } }],
  ]);
});
