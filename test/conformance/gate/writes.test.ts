import { describe, expect, test } from "vitest";
import { gate } from "./ask.ts";

const bodies: [path: string, kind: string, body: object, created: string][] = [
  ["/roles/sg_role", "role", { cluster_permissions: ["a"], index_permissions: [], tenant_permissions: [] }, "OK"],
  ["/rolesmapping/sg_role", "rolesmapping", { users: ["u"] }, "OK"],
  ["/tenants/sg_role", "tenant", { description: "d" }, "CREATED"],
  ["/actiongroups/sg_role", "actiongroup", { allowed_actions: ["a"] }, "CREATED"],
  ["/blocks/sg_role", "blocks", { type: "name", value: "worf", verdict: "disallow" }, "CREATED"],
];

describe("PUT and DELETE (sections 2.8 and 4.3)", () => {
  for (const [path, kind, body, created] of bodies) {
    test(`${kind}: created, updated, deleted, gone`, async () => {
      const { ask } = await gate();
      const reported = (status: string, outcome: string) => ({ status, message: `${kind} sg_role ${outcome}.` });
      expect(await ask("PUT", path, body)).toMatchObject({ status: 201, json: reported(created, "created") });
      expect(await ask("PUT", path, body)).toMatchObject({ status: 200, json: reported("OK", "updated") });
      expect(await ask("DELETE", path)).toMatchObject({ status: 200, json: reported("OK", "deleted") });
      const gone = { status: "NOT_FOUND", message: `${kind} sg_role not found.` };
      expect(await ask("DELETE", path)).toMatchObject({ status: 404, json: gone });
      expect(await ask("GET", path)).toMatchObject({ status: 404 });
    });
  }

  test("a PUT replaces the whole resource", async () => {
    const { ask, emulator } = await gate();
    await ask("PUT", "/rolesmapping/r", { users: ["u"], description: "d" });
    await ask("PUT", "/rolesmapping/r", { hosts: ["h"] });
    expect(emulator.state().role_mappings.get("r")).toStrictEqual({ hosts: ["h"] });
  });

  test("a block with only a description", async () => {
    const { ask } = await gate();
    expect(await ask("PUT", "/blocks/b", { description: "d" })).toMatchObject({ status: 201 });
    expect((await ask("GET", "/blocks/b")).json).toStrictEqual({ block: { description: "d" } });
  });

  test("the value of a block: one string as documented, a list as on real servers; kept as it was given", async () => {
    const { ask, emulator } = await gate();
    for (const value of ["10.0.0.0/8", ["10.0.0.0/8", "192.168.0.0/16"]]) {
      expect((await ask("PUT", "/blocks/b", { type: "net_mask", value, verdict: "allow" })).status).toBeLessThan(300);
      expect(emulator.state().blocks.get("b")?.value).toStrictEqual(value);
    }
  });

  test("fields of real servers that the documentation lacks are kept", async () => {
    const { ask, emulator } = await gate();
    const kept: [string, "roles" | "role_mappings" | "action_groups", object][] = [
      ["/roles/r", "roles", { description: "d", exclude_cluster_permissions: ["x"] }],
      ["/roles/s", "roles", { exclude_index_permissions: [{ index_patterns: ["i"], actions: ["x"] }] }],
      ["/rolesmapping/r", "role_mappings", { users: [], and_backend_roles: ["a", "b"] }],
      ["/actiongroups/r", "action_groups", { allowed_actions: ["a"], type: "index", description: "d" }],
    ];
    for (const [path, family, fields] of kept) {
      expect(await ask("PUT", path, fields)).toMatchObject({ status: 201 });
      expect(emulator.state()[family].get(path.slice(-1))).toStrictEqual(fields);
    }
  });

  test("a tenant needs no field, and lists keep what is null and turn numbers into text", async () => {
    const { ask, emulator } = await gate();
    expect(await ask("PUT", "/tenants/t", {})).toMatchObject({ status: 201 });
    await ask("PUT", "/rolesmapping/m", { users: [1, true, null, "x"] });
    expect(emulator.state().role_mappings.get("m")).toStrictEqual({ users: ["1", "true", null, "x"] });
  });

  test("methods that a path does not have: 405 with those that it has", async () => {
    const { ask } = await gate();
    const answer = await ask("POST", "/roles", {});
    expect(answer.json).toStrictEqual({
      error: "Incorrect HTTP method for uri [/_gate/api/roles] and method [POST], allowed: [PATCH, GET]",
      status: 405,
    });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "PATCH,GET" } });
    expect(await ask("PUT", "/roles", {})).toMatchObject({ status: 405 });
    expect(await ask("POST", "/roles/r", {})).toMatchObject({ status: 405 });
  });

  test("a body needs a type that the search engine knows", async () => {
    const { ask } = await gate();
    const answer = await ask("PUT", "/tenants/t", "{}", { "content-type": "application/json-patch+json" });
    const error = "Content-Type header [application/json-patch+json] is not supported";
    expect(answer).toMatchObject({ status: 406, json: { error, status: 406 } });
    const yaml = await ask("PATCH", "/tenants", "[]", { "content-type": "application/yaml" });
    expect(yaml).toMatchObject({ status: 400, json: { message: "PATCH accepts only application/json" } });
  });
});

describe("PUT that is refused", () => {
  async function check(path: string, body: unknown, status: number, expected: unknown, release = "7.x-43.0.0") {
    const { ask, emulator } = await gate({ release });
    const before = emulator.state();
    const answer = await ask("PUT", path, body);
    expect(answer.json).toEqual(expected);
    expect(answer.status).toBe(status);
    expect(emulator.state()).toBe(before);
  }

  const required = { status: "error", reason: "Request body required for this action." };
  const missing = (list: string) => ({
    status: "error",
    reason: "Invalid configuration",
    missing_mandatory_keys: { keys: list },
    specify_one_of: { keys: list },
  });
  const unknown = (keys: string) => ({ status: "error", reason: "Invalid configuration", invalid_keys: { keys } });

  test("no body, or nothing in it", async () => {
    for (const path of ["/roles/r", "/rolesmapping/r", "/actiongroups/r", "/blocks/r"]) {
      for (const body of ["", "{}", "[]", "null", '"x"', "1"]) await check(path, body, 400, required);
    }
  });

  test("a mapping without any of its three lists; and_backend_roles alone does not count", async () => {
    const nothing = { status: "error", reason: "Invalid configuration" };
    await check("/rolesmapping/r", { description: "d" }, 400, nothing);
    await check("/rolesmapping/r", { and_backend_roles: ["a"] }, 400, nothing);
  });

  test("an action group without the list of its release", async () => {
    await check("/actiongroups/g", { description: "d" }, 400, missing("allowed_actions"));
    const both = { ...unknown("permissions"), ...missing("allowed_actions") };
    await check("/actiongroups/g", { permissions: ["a"] }, 400, both);
    await check("/actiongroups/g", { description: "d" }, 400, missing("permissions"), "6.x-25");
    const reverse = { ...unknown("allowed_actions"), ...missing("permissions") };
    await check("/actiongroups/g", { allowed_actions: ["a"] }, 400, reverse, "6.x-25");
  });

  test("unknown keys, and the flags", async () => {
    await check("/roles/r", { kluster: [], indexx: [] }, 400, unknown("kluster,indexx"));
    for (const flag of ["reserved", "hidden", "static"]) {
      await check("/tenants/t", { description: "d", [flag]: false }, 400, unknown(flag));
    }
  });

  test("wrong types, at any depth by the name of the key", async () => {
    const wrong = { status: "error", reason: "Wrong datatype" };
    const body = { users: "u", description: ["d"], nope: 1 };
    await check("/rolesmapping/r", body, 400, { ...wrong, users: "Array expected", description: "String expected" });
    await check("/tenants/t", { description: null }, 400, { ...wrong, description: "String expected" });
    const nested = { index_permissions: [{ cluster_permissions: "x" }] };
    await check("/roles/r", nested, 400, { ...wrong, cluster_permissions: "Array expected" });
    await check("/blocks/b", { value: { a: 1 } }, 400, { ...wrong, value: "String expected" });
  });

  test("a masking expression that is none", async () => {
    const body = { index_permissions: [{ masked_fields: ["*::bad"] }] };
    await check("/roles/r", body, 400, {
      status: "error",
      reason: "Wrong datatype",
      "Masked field not valid: *::bad": "java.security.NoSuchAlgorithmException: bad MessageDigest not available",
    });
  });

  test("what is no JSON, or has a key twice", async () => {
    for (const [body, details] of [
      ["{", "JsonEOFException"],
      ["{} x", "JsonParseException"],
      ['{"description":"a","description":"b"}', "Duplicate field 'description'"],
    ] as const) {
      const expected = { details: expect.stringContaining(details), status: "error" };
      await check("/roles/r", body, 400, { ...expected, reason: "Could not parse content of request." });
    }
  });

  test("below the keys the server fails like a bug", async () => {
    const cases: [string, object, string][] = [
      ["/roles/r", { index_permissions: [{ foo: 1 }] }, "unrecognized_property_exception"],
      ["/roles/r", { index_permissions: [{ fls: "x" }] }, "json_mapping_exception"],
      ["/roles/r", { index_permissions: ["x"] }, "json_mapping_exception"],
      ["/roles/r", { cluster_permissions: [["x"]] }, "json_mapping_exception"],
      ["/blocks/b", { type: "host" }, "invalid_format_exception"],
      ["/blocks/b", { verdict: "maybe" }, "invalid_format_exception"],
    ];
    for (const [path, body, type] of cases) {
      const cause = { type, reason: expect.any(String) };
      await check(path, body, 500, { error: { root_cause: [cause], ...cause }, status: 500 });
    }
  });
});
