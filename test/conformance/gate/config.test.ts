import { expect, test } from "vitest";
import { gate } from "./ask.ts";

const config = {
  dynamic: {
    license: "kept",
    vendor_extra: { a: [1] },
    http: { anonymous_auth_enabled: false },
    authc: {
      basic: { http_enabled: false, transport_enabled: true, order: 1, http_authenticator: { challenge: false } },
    },
  },
};
const open = { state: { config }, allowConfigModification: true };

test("GET shows the document under its key, exactly as it is stored", async () => {
  const { ask } = await gate({ state: { config } });
  expect((await ask("GET", "/gate_config")).json).toStrictEqual({ gate_config: config });
  expect((await ask("GET", "/gate_config/")).json).toStrictEqual({ gate_config: config });
  expect((await (await gate()).ask("GET", "/gate_config")).json).toStrictEqual({ gate_config: { dynamic: {} } });
});

test("while the node setting is off, PUT and PATCH are not even routes", async () => {
  const { ask, emulator } = await gate({ state: { config } });
  const before = emulator.state();
  for (const method of ["PUT", "PATCH"]) {
    const error = `Incorrect HTTP method for uri [/_gate/api/gate_config] and method [${method}], allowed: [GET]`;
    const answer = await ask(method, "/gate_config", { gate_config: config });
    expect(answer).toMatchObject({ status: 405, json: { error, status: 405 }, headers: { allow: "GET" } });
  }
  expect(await ask("PUT", "/gate_config/gate_config", config)).toMatchObject({ status: 400 });
  expect(emulator.state()).toBe(before);
});

test("PUT takes the documented wrapped form, and the bare one of real servers", async () => {
  const changed = { dynamic: { ...config.dynamic, do_not_fail_on_forbidden: true } };
  const forms: [string, object][] = [
    ["/gate_config", { gate_config: changed }],
    ["/gate_config", changed],
    ["/gate_config/gate_config", changed],
  ];
  for (const [path, body] of forms) {
    const { ask, emulator } = await gate(open);
    const answer = await ask("PUT", path, body);
    expect(answer.json).toStrictEqual({ status: "OK", message: "config gate_config updated." });
    expect(answer.status).toBe(200);
    expect(emulator.state().config).toStrictEqual(changed);
  }
});

test("PATCH: paths begin with the key, and nothing else moves", async () => {
  const { ask, emulator } = await gate(open);
  const patch = [
    { op: "test", path: "/gate_config/dynamic/authc/basic/http_enabled", value: false },
    { op: "add", path: "/gate_config/dynamic/do_not_fail_on_forbidden", value: true },
  ];
  const answer = await ask("PATCH", "/gate_config", patch);
  expect(answer).toMatchObject({ status: 200, json: { status: "OK", message: "Resource updated." } });
  expect(emulator.state().config).toStrictEqual({ dynamic: { ...config.dynamic, do_not_fail_on_forbidden: true } });
});

test("booleans and numbers may be sent as text", async () => {
  const { ask } = await gate(open);
  const path = "/gate_config/dynamic/authc/basic/transport_enabled";
  await ask("PATCH", "/gate_config", [
    { op: "replace", path, value: "false" },
    { op: "replace", path: "/gate_config/dynamic/authc/basic/order", value: "7" },
  ]);
  const { json } = await ask("GET", "/gate_config");
  expect(json).toMatchObject({
    gate_config: { dynamic: { authc: { basic: { transport_enabled: false, order: 7 } } } },
  });
  const body = { dynamic: { dashboard: { multitenancy_enabled: "true" }, http: { anonymous_auth_enabled: "false" } } };
  await ask("PUT", "/gate_config", { gate_config: body });
  expect((await ask("GET", "/gate_config")).json).toStrictEqual({
    gate_config: { dynamic: { dashboard: { multitenancy_enabled: true }, http: { anonymous_auth_enabled: false } } },
  });
});

test("what is refused changes nothing", async () => {
  const { ask, emulator } = await gate(open);
  const before = emulator.state();
  const key = "/gate_config/dynamic";
  const cases: [string, unknown, number, object][] = [
    ["PUT", "", 400, { reason: "Request body required for this action." }],
    ["PUT", {}, 400, { reason: "Request body required for this action." }],
    ["PUT", "{", 400, { reason: "Could not parse content of request." }],
    ["PUT", { gate_config: {}, other: 1 }, 400, { invalid_keys: { keys: "gate_config,other" } }],
    ["PUT", { gate_config: { static: {} } }, 400, { invalid_keys: { keys: "static" } }],
    ["PUT", { dynamic: [] }, 400, { dynamic: "Object expected" }],
    ["PUT", { dynamic: { do_not_fail_on_forbidden: "maybe" } }, 500, { status: 500 }],
    ["PATCH", [{ op: "replace", path: `${key}/nope`, value: 1 }], 400, { status: "BAD_REQUEST" }],
    ["PATCH", [{ op: "add", path: "/other", value: 1 }], 400, { invalid_keys: { keys: "gate_config,other" } }],
    ["PATCH", [{ op: "add", path: `${key}/authc/basic/order`, value: "x" }], 500, { status: 500 }],
  ];
  for (const [method, body, status, json] of cases) {
    expect(await ask(method, "/gate_config", body)).toMatchObject({ status, json });
  }
  expect(emulator.state()).toBe(before);
});
