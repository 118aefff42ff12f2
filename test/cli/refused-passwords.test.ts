// A password that the server refuses is found before the first request, and never shown.
import { expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const server = { opensearch: "2.19", old: "2.7", "search-guard": "7.x-38" } as const;

test.each<[product: keyof typeof server, what: string, password: string, code: number, reported?: string]>([
  ["opensearch", "similar to the name", "orders-Xk9!mvQ-77aZ", 3, "is too similar to the name"],
  ["opensearch", "the name backwards", "Xk9!mvQ-77aZ-sredro", 3, "is too similar to the name"],
  ["opensearch", "too long", "Xk9!mvQ-77aZwR#t".repeat(7), 3, "has more than 100 characters"],
  ["opensearch", "guessed by everybody", "zaq12wsx", 3, "is among the first that are guessed"],
  ["opensearch", "weak", "correcthorse", 0, "password_score_based_validation_strength of its nodes decides"],
  ["opensearch", "strong", "Xk9!mvQ-77aZwR#t", 0],
  ["old", "similar to the name, before passwords were rated", "orders-Xk9!mvQ-77aZ", 0],
  ["search-guard", "similar to the name", "orders-Xk9!mvQ-77aZ", 0],
])("on %s: %s", async (product, _, password, code, reported) => {
  const files = {
    "gate-sync.yaml": "defaults: { families: { internal_users: { mode: manage } } }\n",
    "access/all.yml": JSON.stringify({
      roles: { a: {} },
      role_mappings: { a: { users: ["orders"] } },
      internal_users: { orders: { password: "${env:ORDERS}" }, other: { hash: `$2y$12$${"a".repeat(53)}` } },
    }),
  };
  const options = { product: product === "old" ? "opensearch" : product, release: server[product], files } as const;
  const env = { ORDERS: password };
  await onHarness(options, async ({ run, writes }) => {
    const plan = await run("plan --url URL access", env);
    const text = (plan.stdout + plan.stderr).replace(/\s+/g, " ");
    expect([plan.code, text]).toEqual([code, expect.stringContaining(reported ?? "")]);
    expect(text.includes(" refused-password ")).toBe(reported !== undefined);
    if (code === 3) {
      expect(plan.stderr + plan.stdout).toMatch(/access\/all\.yml:1:\d+/);
      expect((await run("apply --yes --url URL access", env)).code).toBe(3);
      expect(writes()).toEqual([]);
    }
    const json = await run("plan --url URL access --format json", env);
    for (const text of [plan.stdout, plan.stderr, json.stdout, json.stderr]) expect(text).not.toContain(password);
  });
});

test("what is not written is not checked, and a rotation is", () => {
  const files = {
    "gate-sync.yaml": "defaults: { families: { internal_users: { mode: manage } } }\n",
    "access/all.yml": JSON.stringify({ internal_users: { orders: { password: "${env:ORDERS}" } } }),
  };
  const state = { internal_users: { orders: { hash: `$2y$12$${"a".repeat(53)}` } } };
  const env = { ORDERS: "orders-Xk9!mvQ-77aZ" };
  return onHarness({ product: "opensearch", release: "2.19", files, state }, async ({ run, writes }) => {
    expect((await run("plan --url URL access", env)).code).toBe(0);
    expect((await run("plan --url URL access --rotate internal_users/orders", env)).code).toBe(3);
    expect((await run("apply --yes --url URL access --rotate internal_users/orders", env)).code).toBe(3);
    expect(writes()).toEqual([]);
  });
});

test.each<[what: string, body: string | undefined, code: number]>([
  ["asks for an expression that it does not match", '{"password_validation_regex":"[a-z]+"}', 3],
  ["asks for an expression that it matches", '{"password_validation_regex":".{5,}"}', 0],
  ["does not show it", undefined, 0],
])("a server %s", (_, body, code) => {
  const files = {
    "gate-sync.yaml": "defaults: { families: { internal_users: { mode: manage } } }\n",
    "access/all.yml": JSON.stringify({ internal_users: { orders: { password: "${env:ORDERS}" } } }),
  };
  return onHarness({ product: "opensearch", release: "2.19", files }, async ({ run, emulator, writes }) => {
    emulator.fault = ({ path }) =>
      path === "/_plugins/_security/dashboardsinfo"
        ? { at: "before", answer: { kind: "status", status: body === undefined ? 403 : 200, body: body ?? "{}" } }
        : undefined;
    expect((await run("apply --yes --url URL access", { ORDERS: "Xk9!mvQ-77aZwR#t" })).code).toBe(code);
    expect(writes()).toHaveLength(code === 0 ? 1 : 0);
    const isAsked = emulator.requests.some(({ path }) => path === "/_plugins/_security/dashboardsinfo");
    expect(isAsked).toBe(true);
  });
});
