// A Search Guard 7 that cannot load what it holds stores every write and answers 500: seen, reported, and never repeated.
import { expect, test } from "vitest";
import { outcomesOf, play } from "./harness.ts";

const sick = { index_permissions: [{ index_patterns: [null], allowed_actions: ["READ"] }] };
const cycle = { a: { allowed_actions: ["b"] }, b: { allowed_actions: ["a"] } };
// Neither roles nor groups are declared or mentioned: a plan has no reason to read them.
const files = {
  "t.yml": "tenants:\n  t: {}\n",
  "b.yml": "blocks:\n  b: {type: ip, value: 10.0.0.1, verdict: disallow}\n",
};

test.for([
  ["null", { roles: { sick } }, 'the role "sick" has null among its index patterns'],
  ["a cycle", { roles: { r: { cluster_permissions: ["a"] } }, action_groups: cycle }, "contain each other: a > b > a"],
] as const)("a write beside %s is stored and not in effect, and the rest is left", async ([, state, why]) => {
  const played = await play({ server: { product: "search-guard", release: "7.x-41", state }, files });
  expect(played.planned.plan.violations).toEqual([]);
  expect(outcomesOf(played)).toEqual(["done, not-in-effect", "not-attempted"]);
  expect(played.requests.filter((request) => request !== "look")).toEqual(["PUT /_searchguard/api/tenants/t"]);
  expect(played.report.outcomes[0]?.detail).toContain(why);
  expect(played.report.verified).toBeUndefined();
});

test("the plan that ends it goes on, though it takes two writes to get there", async () => {
  const roles = { r: { cluster_permissions: ["a"] }, sick };
  const played = await play({
    server: { product: "search-guard", release: "7", state: { roles, action_groups: cycle } },
    files: {
      "all.yml": 'action_groups: {a: {allowed_actions: ["x:y"]}, b: {allowed_actions: ["x:y"]}}\n',
      "roles.yml": 'roles: {r: {cluster_permissions: ["a"]}, sick: {cluster_permissions: ["x:y"]}}\n',
      "t.yml": "tenants:\n  t: {}\n",
    },
  });
  expect(outcomesOf(played)).toEqual(["done", "done", "done"]);
  expect(played.report.outcomes.map(({ status }) => status)).toEqual([500, 200, 201]);
  expect(played.report.outcomes[0]?.detail).toContain("A later request of this plan ends that");
  expect(played.report.verified).toBe(true);
});

test("a node that did not confirm, without anything that keeps it from loading, is no reason to stop", async () => {
  const body = '{"status":"INTERNAL_SERVER_ERROR","message":"Error Failed node [x]"}';
  const played = await play({
    server: { product: "search-guard", release: "7.x-41" },
    files,
    write: (count) => (count === 1 ? { at: "after", answer: { status: 500, body } } : undefined),
  });
  expect(outcomesOf(played)).toEqual(["done", "done"]);
  expect(played.report.outcomes[0]?.detail).toContain("A node did not confirm that it loaded it");
});
