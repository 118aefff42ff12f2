import { expect, test } from "vitest";
import { mentionsOf } from "../../../src/families/mentions.ts";

test("a role mentions groups and tenants, each once, and neither patterns nor actions", () => {
  const value = {
    cluster_permissions: ["both", "indices:data/read*", "GROUP*"],
    index_permissions: [{ index_patterns: ["logs"], allowed_actions: ["both", "READ"] }],
    tenant_permissions: [{ tenant_patterns: ["both", "team_*", "${user.name}"], allowed_actions: ["READ"] }],
  };
  expect(mentionsOf({ family: "roles", name: "r", value })).toEqual([
    { to: "action_groups", name: "both" },
    { to: "action_groups", name: "READ" },
    { to: "tenants", name: "both" },
  ]);
});

test("a mapping mentions the role of its name", () => {
  const value = { users: ["ann"] };
  expect(mentionsOf({ family: "role_mappings", name: "r", value })).toEqual([{ to: "roles", name: "r" }]);
});
