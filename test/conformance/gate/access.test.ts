import { expect, test } from "vitest";
import { gate } from "./ask.ts";

const users = [
  { name: "admin", password: "pass:word", rights: "all" },
  { name: "viewer", password: "v", rights: "read" },
  { name: "worf", password: "w", rights: "none" },
] as const;

const basic = (credentials: string) => ({ authorization: `Basic ${Buffer.from(credentials).toString("base64")}` });
const body = { users: ["u"] };

test("by default no login is asked for", async () => {
  const { ask } = await gate();
  expect(await ask("PUT", "/rolesmapping/r", body)).toMatchObject({ status: 201 });
});

test("no credentials, wrong ones, other schemes: 401 with a challenge", async () => {
  const { ask, emulator } = await gate({ users });
  for (const headers of [{}, basic("admin:nope"), basic("nobody:v"), { authorization: "Bearer x" }]) {
    const answer = await ask("PUT", "/rolesmapping/r", body, headers);
    expect(answer).toMatchObject({ status: 401, text: "Unauthorized" });
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="Gate"');
    expect(await ask("GET", "///", undefined, headers)).toMatchObject({ status: 401 });
  }
  expect(emulator.state().role_mappings.size).toBe(0);
});

test("rights: all, read, none", async () => {
  const { ask, emulator } = await gate({ users });
  expect(await ask("PUT", "/rolesmapping/r", body, basic("admin:pass:word"))).toMatchObject({ status: 201 });
  expect(await ask("GET", "/rolesmapping", undefined, basic("viewer:v"))).toMatchObject({ status: 200 });
  const before = emulator.state();
  const refusals: [method: string, path: string, endpoint: string][] = [
    ["PUT", "/rolesmapping/r", "ROLESMAPPING"],
    ["DELETE", "/roles/r", "ROLES"],
    ["PATCH", "/actiongroups", "ACTIONGROUPS"],
    ["PUT", "/license/", "LICENSE"],
  ];
  for (const [method, path, endpoint] of refusals) {
    const why = `does not have any access to endpoint ${endpoint} and method ${method}`;
    const message =
      "No permission to access REST API: User viewer with Gate Roles [] " +
      `${why}. No client TLS certificate found in request`;
    const answer = await ask(method, path, method === "DELETE" ? undefined : body, basic("viewer:v"));
    expect(answer).toMatchObject({ status: 403, json: { status: "FORBIDDEN", message } });
  }
  const worf = await ask("GET", "/roles", undefined, basic("worf:w"));
  expect(worf).toMatchObject({ status: 403, json: { status: "FORBIDDEN" } });
  expect(worf.text).toContain("does not have any role privileged for admin access");
  expect(await ask("GET", "///", undefined, basic("worf:w"))).toMatchObject({ status: 200 });
  expect(emulator.state()).toBe(before);
});

test("paths and methods are evaluated before anybody is asked", async () => {
  const { ask } = await gate({ users });
  expect(await ask("POST", "/roles", {})).toMatchObject({ status: 405 });
  expect(await ask("GET", "/nope/a/b")).toMatchObject({ status: 400 });
});

test("the header of an administrator's certificate counts only when it is switched on", async () => {
  const header = { "x-admin-certificate": "CN=admin" };
  const off = await gate({ users });
  expect(await off.ask("GET", "/roles", undefined, header)).toMatchObject({ status: 401 });
  const on = await gate({ users, adminHeader: "X-Admin-Certificate" });
  expect(await on.ask("PUT", "/rolesmapping/r", body, header)).toMatchObject({ status: 201 });
  expect(await on.ask("GET", "/roles")).toMatchObject({ status: 401 });
});
