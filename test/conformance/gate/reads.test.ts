import { describe, expect, test } from "vitest";
import { gate } from "./ask.ts";

const state = {
  roles: { reader: { index_permissions: [{ index_patterns: ["logs-*", "a-*", "a-*"], fls: null }] } },
  role_mappings: { reader: { users: ["zoe", "adam", "zoe"] } },
  tenants: { hr: {}, ops: { description: "Operations" } },
  action_groups: { READ: { allowed_actions: ["b", "a"], type: "index", description: "Reading" } },
  blocks: { bad: { type: "ip", value: "10.0.0.1", verdict: "disallow", description: "A scanner" } },
};

async function check(path: string, body: unknown, release = "7.x-43.0.0") {
  const { ask } = await gate({ state, release });
  expect(await ask("GET", path)).toMatchObject({ status: 200, json: body });
  return ask("GET", path);
}

const element = { fls: [], masked_fields: [], allowed_actions: [] };
const flags = { reserved: false, hidden: false, static: false };
const reader = {
  ...flags,
  cluster_permissions: [],
  index_permissions: [{ index_patterns: ["logs-*", "a-*", "a-*"], ...element }],
  tenant_permissions: [],
};
const mapping = { backend_roles: [], hosts: [], users: ["zoe", "adam", "zoe"] };

describe("GET of one resource", () => {
  test("roles, mappings and tenants: the name is the only key (section 2)", async () => {
    expect((await check("/roles/reader", { reader })).json).toStrictEqual({ reader });
    expect((await check("/rolesmapping/reader", {})).json).toStrictEqual({ reader: mapping });
    expect((await check("/tenants/hr", {})).json).toStrictEqual({ hr: flags });
    expect((await check("/tenants/ops", {})).json).toStrictEqual({ ops: { ...flags, description: "Operations" } });
  });

  test("an action group of 7.x: one key, the list (section 2.4)", async () => {
    expect((await check("/actiongroups/READ", {})).json).toStrictEqual({ allowed_actions: ["b", "a"] });
    expect((await check("/actiongroups/READ", {}, "7.x-38.0.0")).json).toStrictEqual({ allowed_actions: ["b", "a"] });
    expect((await check("/actiongroups/READ", {}, "FLX")).json).toStrictEqual({ allowed_actions: ["b", "a"] });
  });

  test("an action group of 6.x: its name and the bare list (section 2.4)", async () => {
    for (const release of ["6.x-24", "6.x-25"]) {
      expect((await check("/actiongroups/READ", {}, release)).json).toStrictEqual({ READ: ["b", "a"] });
    }
  });

  test("a block: its fields under one key that is not its name (section 2.5)", async () => {
    expect((await check("/blocks/bad", {})).json).toStrictEqual({ block: state.blocks.bad });
  });

  test("an unknown name: 404", async () => {
    const { ask } = await gate({ state });
    for (const path of ["/roles/x", "/rolesmapping/x", "/tenants/x", "/actiongroups/x", "/blocks/x"]) {
      const expected = { status: "NOT_FOUND", message: "Resource 'x' not found." };
      expect(await ask("GET", path)).toMatchObject({ status: 404, json: expected });
    }
  });
});

describe("GET of a family", () => {
  test("name to fields, defaults filled in, order and repetition in lists kept, with and without a slash", async () => {
    const READ = { allowed_actions: ["b", "a"], type: "index", description: "Reading" };
    const families: [string, unknown][] = [
      ["/roles", { reader }],
      ["/rolesmapping", { reader: mapping }],
      ["/tenants", { hr: flags, ops: { ...flags, description: "Operations" } }],
      ["/actiongroups", { READ }],
      ["/blocks", state.blocks],
    ];
    for (const [path, body] of families) {
      expect((await check(path, {})).json).toStrictEqual(body);
      expect((await check(`${path}/`, {})).json).toStrictEqual(body);
    }
  });

  test("6.x: a group is its bare list, unless there is more to say about it", async () => {
    const plain = { READ: { permissions: ["a"] }, OWN: { permissions: ["b"], reserved: true } };
    const { ask } = await gate({ release: "6.x-25", state: { action_groups: plain } });
    const { json } = await ask("GET", "/actiongroups");
    expect(json).toStrictEqual({ READ: ["a"], OWN: { reserved: true, permissions: ["b"] } });
  });

  test("an empty one is an empty object", async () => {
    const { ask } = await gate();
    for (const path of ["/roles", "/rolesmapping", "/tenants", "/actiongroups", "/blocks"]) {
      expect((await ask("GET", path)).json).toStrictEqual({});
    }
  });

  test("the names are in no order, and always in the same one", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const tenants = Object.fromEntries(names.map((name) => [name, {}]));
    const reversed = Object.fromEntries([...names].reverse().map((name) => [name, {}]));
    const listed = async (given: typeof tenants) => {
      const { ask } = await gate({ state: { tenants: given } });
      return Object.keys((await ask("GET", "/tenants")).json as object);
    };
    const order = await listed(tenants);
    expect(order.toSorted()).toEqual(names);
    expect(order).not.toEqual(names);
    expect(await listed(reversed)).toEqual(order);
  });

  test("?pretty is honoured, and a field that a newer server knows is shown", async () => {
    const { ask } = await gate({ state: { tenants: { hr: { colour: "red" } } } });
    const { text, json } = await ask("GET", "/tenants?pretty");
    expect(text).toContain('\n  "hr": {\n');
    expect(json).toStrictEqual({ hr: { ...flags, colour: "red" } });
  });
});
