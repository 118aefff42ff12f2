import { describe, expect, test } from "vitest";
import { gateReleases } from "../../../src/dialects/gate.ts";
import { gate } from "./ask.ts";

const add = (value: unknown) => [{ op: "add", path: "/description", value }];

describe("the search engine below", () => {
  test("GET / answers like one", async () => {
    const { ask } = await gate({ engine: "7.9.1", clusterName: "prod", clusterUuid: "abc" });
    const about = { cluster_name: "prod", cluster_uuid: "abc", version: { number: "7.9.1" } };
    expect(await ask("GET", "///")).toMatchObject({ status: 200, json: about });
  });

  test("or refuses, or is not there", async () => {
    const forbidden = await (await gate({ rootAnswer: "forbidden" })).ask("GET", "///");
    expect(forbidden).toMatchObject({ status: 403, json: { error: { type: "security_exception" }, status: 403 } });
    expect(await (await gate({ rootAnswer: "absent" })).ask("GET", "///")).toMatchObject({ status: 404 });
  });

  test("before 6.4.0 mappings and action groups have no PATCH, the others do", async () => {
    const state = { role_mappings: { m: { users: [] } }, tenants: { t: {} } };
    for (const [engine, status] of [
      ["6.3.2", 405],
      ["6.4.0", 200],
      ["7.0.0", 200],
    ] as const) {
      const { ask } = await gate({ release: "6.x-25", engine, state });
      expect(await ask("PATCH", "/rolesmapping/m", add("d"))).toMatchObject({ status });
      expect(await ask("PATCH", "/rolesmapping", [])).toMatchObject({ status });
      expect(await ask("PATCH", "/actiongroups", [])).toMatchObject({ status });
      expect(await ask("PATCH", "/tenants/t", add("d"))).toMatchObject({ status: 200 });
      expect(await ask("PATCH", "/roles", [])).toMatchObject({ status: 200 });
    }
  });
});

describe("releases (section 9)", () => {
  test("each can be started, with all five families and both documents", async () => {
    for (const release of gateReleases) {
      const { ask } = await gate({ release });
      const places = ["/roles", "/rolesmapping", "/tenants", "/actiongroups", "/blocks", "/gate_config", "/license/"];
      for (const place of places) expect(await ask("GET", place)).toMatchObject({ status: 200 });
    }
  });

  test("the singular actiongroup: deprecated in 6.x, no such path in 7", async () => {
    for (const release of ["6.x-24", "6.x-25"]) {
      const { ask } = await gate({ release });
      expect(await ask("PUT", "/actiongroup/g", { permissions: ["a"] })).toMatchObject({ status: 201 });
      expect((await ask("GET", "/actiongroup/g")).json).toStrictEqual({ g: ["a"] });
      expect((await ask("GET", "/actiongroups/")).json).toStrictEqual({ g: ["a"] });
      expect((await ask("GET", "/actiongroup")).json).toStrictEqual({ g: ["a"] });
      expect(await ask("PATCH", "/actiongroup", [])).toMatchObject({ status: 405 });
      expect(await ask("DELETE", "/actiongroup/g")).toMatchObject({ status: 200 });
    }
    const { ask } = await gate({ release: "7.x-37.0.0" });
    expect(await ask("PUT", "/actiongroup/g", { allowed_actions: [] })).toMatchObject({ status: 400 });
    const error = "no handler found for uri [/_gate/api/actiongroup/g] and method [GET]";
    expect(await ask("GET", "/actiongroup/g")).toMatchObject({ status: 400, json: { error } });
  });

  test("three unknown segments are taken for a document of an index", async () => {
    const users = [{ name: "u", password: "p", rights: "all" }] as const;
    const authorization = `Basic ${Buffer.from("u:p").toString("base64")}`;
    const open = await gate();
    expect(await open.ask("GET", "/actiongroup")).toMatchObject({ status: 404 });
    expect(await open.ask("GET", "//_other/api/roles")).toMatchObject({ status: 404 });
    expect(await open.ask("PUT", "/nope", {})).toMatchObject({ status: 400 });
    const asUser = await (await gate({ users })).ask("GET", "/nope", undefined, { authorization });
    expect(asUser).toMatchObject({ status: 500, json: { error: { type: "security_exception" } } });
  });
});
