import { describe, expect, test } from "vitest";
import type { InitialState } from "../../../src/emulator/index.ts";
import { gate } from "./ask.ts";

const state: InitialState = {
  roles: {
    hr: {
      cluster_permissions: ["a"],
      index_permissions: [{ index_patterns: ["hr-*"], dls: "{}", fls: ["x"], allowed_actions: ["READ"] }],
    },
    ops: { cluster_permissions: ["b"] },
  },
  role_mappings: { hr: { users: ["u"], description: "d" } },
  tenants: { t: { description: "d" } },
  action_groups: { READ: { allowed_actions: ["a"] } },
  blocks: { b: { type: "ip", value: "10.0.0.1", verdict: "disallow", description: "d" } },
};

/** The patch is taken, and says so as it does. */
async function taken(path: string, patch: object[], release = "7.x-43.0.0") {
  const { ask, emulator } = await gate({ state, release });
  const answer = await ask("PATCH", path, patch);
  const name = path.split("/")[2];
  const message = name ? `'${name}' updated.` : "Resource updated.";
  expect(answer.json).toStrictEqual({ status: "OK", message });
  expect(answer.status).toBe(200);
  return emulator.state();
}

/** The patch is refused, and nothing at all is written. */
async function refused(path: string, patch: unknown, status: number, message: string | object) {
  const { ask, emulator } = await gate({ state });
  const before = emulator.state();
  const answer = await ask("PATCH", path, patch);
  expect(answer.json).toMatchObject(typeof message === "string" ? { message } : message);
  expect(answer.status).toBe(status);
  expect(emulator.state()).toBe(before);
}

describe("PATCH of one resource", () => {
  test("the documented examples of every family", async () => {
    const fls = [{ op: "replace", path: "/index_permissions[0]/fls", value: ["~secret"] }];
    const role = await taken("/roles/hr", [...fls, { op: "remove", path: "/index_permissions[0]/dls" }]);
    expect(role.roles.get("hr")?.index_permissions).toStrictEqual([
      { index_patterns: ["hr-*"], fls: ["~secret"], masked_fields: [], allowed_actions: ["READ"] },
    ]);
    const mapping = await taken("/rolesmapping/hr", [{ op: "replace", path: "/users", value: ["v"] }]);
    expect(mapping.role_mappings.get("hr")).toMatchObject({ users: ["v"], description: "d" });
    const tenant = await taken("/tenants/t", [{ op: "replace", path: "/description", value: "e" }]);
    expect(tenant.tenants.get("t")).toStrictEqual({ description: "e" });
    const block = await taken("/blocks/b", [{ op: "replace", path: "/description", value: "e" }]);
    expect(block.blocks.get("b")).toMatchObject({ value: "10.0.0.1", description: "e" });
    const seven = await taken("/actiongroups/READ", [{ op: "replace", path: "/allowed_actions", value: ["b"] }]);
    expect(seven.action_groups.get("READ")).toStrictEqual({ allowed_actions: ["b"] });
    const six = await taken("/actiongroups/READ", [{ op: "replace", path: "/permissions", value: ["b"] }], "6.x-25");
    expect(six.action_groups.get("READ")).toStrictEqual({ permissions: ["b"] });
  });

  test("indices as RFC 6901 has them", async () => {
    const patch = [{ op: "replace", path: "/index_permissions/0/fls", value: ["y"] }];
    const { roles } = await taken("/roles/hr", patch);
    expect(roles.get("hr")?.index_permissions).toMatchObject([{ fls: ["y"] }]);
  });

  test("all six operations, in order", async () => {
    const { roles } = await taken("/roles/hr", [
      { op: "test", path: "/cluster_permissions", value: ["a"] },
      { op: "add", path: "/cluster_permissions/-", value: "z" },
      { op: "copy", from: "/cluster_permissions/1", path: "/cluster_permissions/0" },
      { op: "replace", path: "/cluster_permissions/1", value: "m" },
      { op: "add", path: "/description", value: "kept" },
      { op: "move", from: "/description", path: "/index_permissions/0/dls" },
      { op: "remove", path: "/cluster_permissions/2" },
    ]);
    expect(roles.get("hr")).toMatchObject({ cluster_permissions: ["z", "m"], index_permissions: [{ dls: "kept" }] });
    expect(roles.get("hr")).not.toHaveProperty("description");
  });

  test("a list at its default can be replaced and tested, as reads show it", async () => {
    await taken("/roles/ops", [
      { op: "test", path: "/tenant_permissions", value: [] },
      { op: "test", path: "/reserved", value: false },
      { op: "replace", path: "/index_permissions", value: [{ index_patterns: ["i"] }] },
    ]);
  });

  test("a failing operation, and nothing is written", async () => {
    const add = { op: "add", path: "/description", value: "e" };
    const cases: [object, string][] = [
      [{ op: "replace", path: "/nope", value: 1 }, "[REPLACE Operation] noSuchPath in source, path provided : //nope"],
      [{ op: "test", path: "/users", value: ["x"] }, "[TEST Operation] value mismatch"],
      [{ op: "remove", path: "/a/b" }, "[REMOVE Operation] noSuchPath in source, path provided: //a/b"],
      [{ op: "remove", path: "/users/7" }, "index Out of bound, index is greater than 0"],
      [{ op: "add", path: "/users/x", value: "v" }, "Object operation on array target"],
      [{ op: "frob", path: "/users" }, "unknown / unsupported operation frob"],
      [{ op: "add", path: "/users" }, "Invalid JSON Patch payload (missing 'value' field)"],
    ];
    for (const [broken, message] of cases) await refused("/rolesmapping/hr", [add, broken], 400, message);
    await refused("/rolesmapping/hr", {}, 400, "Invalid JSON Patch payload (not an array)");
    await refused("/rolesmapping/hr", [1], 400, "Invalid JSON Patch payload (not an object)");
    await refused("/rolesmapping/hr", "oops", 400, { message: expect.stringContaining("Error in JSON patch: ") });
  });

  test("what comes of it must be what a PUT would accept", async () => {
    const hidden = [{ op: "add", path: "/hidden", value: true }];
    await refused("/rolesmapping/hr", hidden, 400, { invalid_keys: { keys: "hidden" } });
    await refused("/rolesmapping/hr", [{ op: "add", path: "/users", value: "u" }], 400, { users: "Array expected" });
    const lists = ["backend_roles", "hosts", "users"].map((list) => ({ op: "remove", path: `/${list}` }));
    await refused("/rolesmapping/hr", lists, 400, { reason: "Invalid configuration" });
    const unlisted = { op: "remove", path: "/allowed_actions" };
    const required = { reason: "Request body required for this action." };
    await refused("/actiongroups/READ", [unlisted], 400, required);
    const described = [unlisted, { op: "add", path: "/description", value: "d" }];
    await refused("/actiongroups/READ", described, 400, { missing_mandatory_keys: { keys: "allowed_actions" } });
  });

  test("a missing one: 404, even when the patch is broken; 400 when it is no JSON", async () => {
    await refused("/roles/x", [{ op: "frob" }], 404, "role x not found.");
    await refused("/rolesmapping/x", [], 404, "rolesmapping x not found.");
    await refused("/roles/x", "oops", 400, { message: expect.stringContaining("Error in JSON patch: ") });
  });

  test("fields that only a newer server knows survive", async () => {
    const { ask, emulator } = await gate({ state: { tenants: { t: { colour: "red" } } } });
    expect(await ask("PATCH", "/tenants/t", [{ op: "add", path: "/description", value: "d" }])).toMatchObject({
      status: 200,
    });
    expect(emulator.state().tenants.get("t")).toStrictEqual({ colour: "red", description: "d" });
  });
});

describe("PATCH of many", () => {
  test("add with a whole resource, replace of a field, remove, in one request", async () => {
    const { role_mappings } = await taken("/rolesmapping", [
      { op: "add", path: "/new", value: { users: ["n"], backend_roles: [] } },
      { op: "replace", path: "/hr/description", value: "e" },
      { op: "copy", from: "/hr", path: "/copy" },
      { op: "remove", path: "/nobody" },
      { op: "move", from: "/new", path: "/moved" },
    ]);
    expect([...role_mappings.keys()].sort()).toEqual(["copy", "hr", "moved"]);
    expect(role_mappings.get("moved")).toStrictEqual({ users: ["n"], backend_roles: [] });
    expect(role_mappings.get("copy")).toMatchObject({ users: ["u"], description: "e" });
    const { roles } = await taken("/roles/", [
      { op: "add", path: "/n", value: { index_permissions: [] } },
      { op: "remove", path: "/hr" },
    ]);
    expect([...roles.keys()]).toEqual(["ops", "n"]);
    const { blocks } = await taken("/blocks", [{ op: "replace", path: "/b/description", value: "e" }]);
    expect(blocks.get("b")).toMatchObject({ description: "e" });
    expect((await taken("/blocks", [{ op: "remove", path: "/b" }])).blocks.size).toBe(0);
  });

  test("7.x: add of /<name>/allowed_actions makes a new group; a whole one works too", async () => {
    const { action_groups } = await taken("/actiongroups", [
      { op: "add", path: "/WRITE/allowed_actions", value: ["w"] },
      { op: "add", path: "/ALL", value: { allowed_actions: ["*"], type: "index" } },
      { op: "add", path: "/READ/allowed_actions", value: ["r"] },
    ]);
    expect(Object.fromEntries(action_groups)).toStrictEqual({
      READ: { allowed_actions: ["r"] },
      WRITE: { allowed_actions: ["w"] },
      ALL: { allowed_actions: ["*"], type: "index" },
    });
  });

  test("6.x: add of /<name> with an array; the form of real servers works too", async () => {
    const patch = [
      { op: "add", path: "/WRITE", value: ["w"] },
      { op: "add", path: "/ALL", value: { permissions: ["*"] } },
      { op: "test", path: "/READ", value: ["a"] },
      { op: "replace", path: "/READ", value: ["r"] },
    ];
    const { action_groups } = await taken("/actiongroups", patch, "6.x-25");
    expect(Object.fromEntries(action_groups)).toStrictEqual({
      READ: { permissions: ["r"] },
      WRITE: { permissions: ["w"] },
      ALL: { permissions: ["*"] },
    });
  });

  test("other families are not made out of one field", async () => {
    const message = "[ADD Operation] noSuchPath in source, path provided: //new/users";
    await refused("/rolesmapping", [{ op: "add", path: "/new/users", value: ["u"] }], 400, message);
  });

  test("all or nothing: whatever fails, at the end or in what comes of it", async () => {
    const add = { op: "add", path: "/new", value: { cluster_permissions: [] } };
    await refused("/roles", [add, { op: "test", path: "/hr/nope", value: 1 }], 400, {
      message: expect.stringContaining("noSuchPath"),
    });
    const flag = { op: "add", path: "/other", value: { cluster_permissions: [], hidden: true } };
    await refused("/roles", [add, flag], 400, { invalid_keys: { keys: "hidden" } });
    const empty = { op: "add", path: "/other", value: {} };
    await refused("/roles", [add, empty], 400, { reason: "Request body required for this action." });
    await refused("/roles", [add, { op: "replace", path: "", value: 1 }], 400, { status: "error" });
  });

  test("a whole resource can be tested as reads show it", async () => {
    const shown = { backend_roles: [], hosts: [], users: ["u"], description: "d" };
    await taken("/rolesmapping", [{ op: "test", path: "/hr", value: shown }]);
  });
});
