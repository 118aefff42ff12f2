// schema --live: the schema of state files, with the names that a cluster has.
import { describe, expect, test } from "vitest";
import { createLiveSchema } from "../../src/engine/live-schema.ts";
import type { JsonObject } from "../../src/json/value.ts";
import { connectToRead } from "../../src/live/client/http.ts";
import type { Target } from "../../src/model/target.ts";
import { createAjv } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const state = {
  action_groups: { searching: { allowed_actions: ["indices:data/read/search"] } },
  tenants: { support: { description: "First line" } },
  roles: { log_reader: { cluster_permissions: ["cluster:monitor/main"] } },
  role_mappings: { log_reader: { backend_roles: ["operators", "ops-*"] } },
};

const at = (schema: unknown, path: string): unknown =>
  path.split("/").reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], schema);
const role = "$defs/roles/$defs/role/properties";

describe("schema state --live", () => {
  test("completes names of the cluster, admits others, and writes nothing", () =>
    onHarness({ product: "opensearch", state }, async ({ run, emulator }) => {
      const { code, stdout, stderr } = await run("schema state --live --url URL");
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining("The names of indices are left out: "),
      });
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      const schema = JSON.parse(stdout) as JsonObject;
      expect(at(schema, `${role}/cluster_permissions/items/anyOf/0/enum`)).toEqual(
        expect.arrayContaining(["searching", "read"]),
      );
      expect(at(schema, "$defs/roles/$defs/tenant_permission/properties/tenant_patterns/items/anyOf/0/enum")).toContain(
        "support",
      );
      expect(at(schema, "$defs/role_mappings/$defs/role_mapping/properties/backend_roles/items/anyOf/0/enum")).toEqual(
        expect.arrayContaining(["operators"]),
      );
      expect(Object.keys(at(schema, "properties/role_mappings/properties") as object)).toContain("log_reader");
      const isValid = createAjv({ isStrict: false }).compile(schema);
      expect(
        isValid({ roles: { a: { cluster_permissions: ["new_one"] } }, role_mappings: { b: { users: ["ana"] } } }),
      ).toBe(true);
      expect(isValid({ roles: { a: { cluster_permissions: [1] } } })).toBe(false);
      expect(isValid({ role_mappings: { log_reader: { wrong: 1 } } })).toBe(false);
    }));

  test("completes indices, aliases and data streams where the server lists them", () =>
    onHarness({ product: "opensearch", state }, async ({ folder, emulator }) => {
      const listed: Readonly<Record<string, unknown>> = {
        "/_cat/indices?format=json&h=index": [{ index: "logs-1" }, { index: ".kibana" }],
        "/_cat/aliases?format=json&h=alias": [{ alias: "logs" }],
        "/_data_stream": { data_streams: [{ name: "metrics" }] },
      };
      const connect = (target: Target) => {
        const reader = connectToRead(target);
        const get = async (path: string) => ({
          ...(await reader.get(path)),
          ...(listed[path] !== undefined && { status: 200, body: listed[path] }),
        });
        return { ...reader, get };
      };
      const request = { cwd: folder, env: {}, flags: { statePaths: [], url: [emulator.url] } };
      const { schema, notes } = await createLiveSchema(request, connect);
      expect(notes).toEqual([]);
      expect(at(schema, "$defs/roles/$defs/index_permission/properties/index_patterns/items/anyOf/0/enum")).toEqual([
        "logs",
        "logs-1",
        "metrics",
      ]);
    }));

  test("is about state files only", () =>
    onHarness({ state }, async ({ run, emulator }) => {
      const { code, stderr } = await run("schema roles --live --url URL");
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("gate-sync schema state --live") });
      expect(emulator.requests).toEqual([]);
    }));
});
