// What real servers come with and refuse to write is there on the emulator, as it was recorded of new ones.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../../../src/emulator/index.ts";
import { started } from "./ask.ts";

type Entries = Record<string, { readonly [field: string]: unknown }>;

async function asking(options: EmulatorOptions) {
  const { url } = await started(options);
  const headers = { "content-type": "application/json", "x-admin": "CN=a" };
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: answer.status, body: (await answer.json()) as Entries };
  };
}

const openSearch = { product: "opensearch", release: "2.19" } as const;
const searchGuard = { product: "search-guard", release: "7" } as const;
const [openApi, guardApi] = ["/_plugins/_security/api", "/_searchguard/api"];

describe("a new server lists", () => {
  test.for([
    [openSearch, "opensearch-2.19.1", ["roles", "actiongroups", "tenants"]],
    [searchGuard, "search-guard-7.5.1-38.0.0", ["roles", "actiongroups", "tenants"]],
    [{ ...searchGuard, release: "6" }, "search-guard-6.5.4-24.0", ["roles", "actiongroups"]],
  ] as const)("what $0.product $0.release did", async ([server, recording, places]) => {
    const ask = await asking(server);
    const lines = readFileSync(join("test/conformance/fixtures", `${recording}.jsonl`), "utf8")
      .trim()
      .split("\n");
    const seeds = lines.map((line) => JSON.parse(line) as { section: string; path: string; response: Entries });
    for (const place of places) {
      const seed = seeds.find(({ section, path }) => section === "seed" && path.endsWith(`/${place}`));
      const kept = Object.entries(seed?.response ?? {}).filter(
        ([name, { reserved, readonly }]) => (reserved === true || readonly === "true") && !name.startsWith("suite_"),
      );
      expect(kept.length).toBeGreaterThan(0);
      expect(await ask("GET", seed?.path ?? "")).toEqual({ status: 200, body: Object.fromEntries(kept) });
    }
  });

  test.for([
    [openSearch, openApi],
    [searchGuard, guardApi],
  ] as const)("no mapping: who has which role is for the state of $0.product to say", async ([server, api]) => {
    const ask = await asking(server);
    expect(await ask("GET", `${api}/rolesmapping`)).toEqual({ status: 200, body: {} });
  });
});

const role = { cluster_permissions: ["a"] };
const group = { allowed_actions: ["a"] };

test.for([
  [openSearch, openApi, "roles", "all_access", role, "Resource 'all_access' is static."],
  [openSearch, openApi, "roles", "ml_full_access", role, "Resource 'ml_full_access' is reserved."],
  [openSearch, openApi, "tenants", "global_tenant", { description: "x" }, "Resource 'global_tenant' is static."],
  [{ ...openSearch, release: "1" }, openApi, "roles", "readall", role, "Resource 'readall' is read-only."],
  [searchGuard, guardApi, "actiongroups", "SGS_READ", group, "Resource 'SGS_READ' is read-only."],
  [{ ...searchGuard, release: "6" }, guardApi, "actiongroups", "READ", { permissions: ["a"] }, "'READ' is read-only."],
  [{ ...searchGuard, release: "FLX" }, guardApi, "roles", "SGS_READALL", role, "'SGS_READALL' is read-only."],
] as const)("$0.product $0.release keeps $2/$3", async ([server, api, place, name, value, explained]) => {
  const ask = await asking(server);
  const [all, one] = [`${api}/${place}`, `${api}/${place}/${name}`];
  const before = await ask("GET", all);
  expect(before.body).toHaveProperty(name);
  // FLX lists what is static among all, and does not find it alone.
  expect((await ask("GET", one)).status).toBe(server.release === "FLX" ? 404 : 200);
  for (const [method, path, body] of [
    ["PUT", one, value],
    ["DELETE", one, undefined],
    ["PATCH", one, [{ op: "add", path: "/description", value: "x" }]],
    ["PATCH", all, [{ op: "add", path: `/${name}/description`, value: "x" }]],
  ] as const) {
    const answer = await ask(method, path, body);
    expect({ method, path, ...answer }).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(explained) },
    });
  }
  expect(await ask("GET", all)).toEqual(before);
});

describe("the place of what is built in", () => {
  test("is taken by an entry of the state where it is reserved, not where it is static", async () => {
    const mine = { reserved: false, cluster_permissions: ["mine"] };
    const ask = await asking({ ...openSearch, state: { roles: { all_access: mine, ml_full_access: mine } } });
    const { body } = await ask("GET", `${openApi}/roles`);
    expect(body.all_access).toMatchObject({ cluster_permissions: ["*"], static: true });
    expect(body.ml_full_access).toMatchObject({ cluster_permissions: ["mine"], reserved: false });
  });

  test("is not taken by what an administrator writes, whom OpenSearch refuses nothing", async () => {
    const ask = await asking({ ...openSearch, adminHeader: "x-admin" });
    const before = await ask("GET", `${openApi}/roles`);
    for (const [method, path, body] of [
      ["PUT", "roles/all_access", role],
      ["DELETE", "roles/all_access", undefined],
      ["PATCH", "roles", [{ op: "remove", path: "/all_access" }]],
    ] as const) {
      expect({ method, path, ...(await ask(method, `${openApi}/${path}`, body)) }).toMatchObject({ status: 200 });
    }
    expect(await ask("GET", `${openApi}/roles`)).toEqual(before);
  });
});
