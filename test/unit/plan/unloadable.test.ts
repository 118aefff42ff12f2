// A Search Guard 7 that cannot load what it holds: refused, unless the plan itself ends it, and then that goes first.
import { describe, expect, it } from "vitest";
import { startEmulator } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/value.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { openWorkspace } from "../../support/workspace.ts";

const sick = { index_permissions: [{ index_patterns: ["a-*", null], allowed_actions: ["READ"] }] };
const well = { index_permissions: [{ index_patterns: ["b-*"], allowed_actions: ["READ"] }] };

type Entries = Readonly<Record<string, JsonObject>>;

interface Held {
  readonly release?: string;
  /** Besides READ. */
  readonly groups?: Entries;
  /** Names of roles that are unmanaged. */
  readonly exclude?: readonly string[];
}

async function planOf(files: JsonObject, roles: Entries, held: Held = {}): Promise<Plan> {
  const { release = "7", groups = {}, exclude = [] } = held;
  const state = { roles, action_groups: { READ: { allowed_actions: ["indices:data/read*"] }, ...groups } };
  const server = await startEmulator({ product: "search-guard", release, state });
  const workspace = openWorkspace({ exclude });
  try {
    workspace.write([["state.json", JSON.stringify(files)]]);
    return (await workspace.plan(server.url, { product: "search-guard", release })).plan;
  } finally {
    workspace.close();
    await server.close();
  }
}

const requestsOf = ({ operations }: Plan) =>
  operations.map(({ method, family, names }) => `${method} ${family} ${names}`);

describe("an unloadable server", () => {
  it("is refused any plan that leaves it so, by name", async () => {
    const { violations } = await planOf({ role_mappings: { sick: { users: ["u"] } } }, { sick });
    expect(violations).toMatchObject([{ rule: "unloadable", addresses: ["roles/sick"] }]);
    expect(violations[0]?.what).toContain('the role "sick" has null among its index patterns');
  });

  it("is remedied first, by the change of its cause", async () => {
    const files = {
      roles: { sick: { index_permissions: [{ index_patterns: ["a-*"], allowed_actions: ["READ"] }] }, well },
      tenants: { t: {} },
    };
    const plan = await planOf(files, { sick });
    expect(plan.violations).toEqual([]);
    expect(requestsOf(plan)).toEqual(["PATCH roles sick", "PUT tenants t", "PUT roles well"]);
    expect(plan.operations[0]?.reason).toContain("first, because it ends what keeps the server from loading anything");
  });

  it("is remedied first, by the deletion of its cause", async () => {
    const plan = await planOf({ roles: { well }, tenants: { t: {} } }, { sick, well });
    expect(requestsOf(plan)).toEqual(["DELETE roles sick", "PUT tenants t"]);
  });

  it("is remedied by breaking a cycle", async () => {
    const cycle = { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } };
    const roles = { r: { cluster_permissions: ["a"] } };
    const files = {
      tenants: { t: {} },
      action_groups: { READ: { allowed_actions: ["indices:data/read*"] }, a: { allowed_actions: ["READ"] } },
      roles,
    };
    const plan = await planOf(files, roles, { groups: cycle });
    expect(plan.violations).toEqual([]);
    expect(requestsOf(plan)).toEqual(["PATCH action_groups a,b", "PUT tenants t"]);
  });

  it("gets a note where nothing is to be written", async () => {
    const plan = await planOf({ roles: { well } }, { well, sick }, { exclude: ["sick"] });
    expect(requestsOf(plan)).toEqual([]);
    expect(plan.violations).toEqual([]);
    expect(plan.notes.join()).toContain('the role "sick" has null among its index patterns');
  });

  it("is never made: null, and a cycle, are errors of the files", async () => {
    const nulls = {
      roles: { r: { index_permissions: [{ index_patterns: ["a-*", null], allowed_actions: ["READ"] }] } },
    };
    const cycles = { action_groups: { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } } };
    await expect(planOf(nulls, {})).rejects.toMatchObject({ diagnostics: [{ code: "null-in-list" }] });
    await expect(planOf(cycles, {})).rejects.toMatchObject({ diagnostics: [{ code: "action-group-cycle" }] });
  });

  it("is never made: a role that would use a cycle which no role uses yet is refused", async () => {
    const groups = { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } };
    const { violations } = await planOf({ roles: { r: { cluster_permissions: ["a"] } } }, {}, { groups });
    expect(violations).toMatchObject([{ rule: "unloadable", addresses: ["roles/r"] }]);
    expect(violations[0]?.what).toContain("could no longer load what it would hold");
  });

  it("is none where the release bears such things", async () => {
    const cycle = { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } };
    const plan = await planOf(
      { tenants: { t: {} }, roles: { r: { cluster_permissions: ["a"] } } },
      { r: { cluster_permissions: ["a"] } },
      { release: "FLX", groups: cycle },
    );
    expect(plan.violations).toEqual([]);
  });
});
