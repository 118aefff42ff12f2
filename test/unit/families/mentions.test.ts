import { expect, test } from "vitest";
import { canMention, listMentions } from "../../../src/families/mentions.ts";
import { resourceFamilies } from "../../../src/model/names.ts";

test("a role mentions groups and tenants, each once, and neither patterns nor actions", () => {
  const value = {
    cluster_permissions: ["both", "indices:data/read*", "GROUP*"],
    index_permissions: [{ index_patterns: ["logs"], allowed_actions: ["both", "READ"] }],
    tenant_permissions: [{ tenant_patterns: ["both", "team_*", "${user.name}"], allowed_actions: ["READ"] }],
  };
  expect(listMentions({ family: "roles", name: "r", value })).toEqual([
    { to: "action_groups", name: "both" },
    { to: "action_groups", name: "READ" },
    { to: "tenants", name: "both" },
  ]);
});

test("a mapping mentions the role of its name", () => {
  const value = { users: ["ann"] };
  expect(listMentions({ family: "role_mappings", name: "r", value })).toEqual([{ to: "roles", name: "r" }]);
});

test("which families name which", () => {
  const pairs = resourceFamilies.flatMap((from) =>
    resourceFamilies.filter((to) => canMention(from, to)).map((to) => `${from} ${to}`),
  );
  expect(pairs).toEqual([
    "action_groups action_groups",
    "roles action_groups",
    "roles tenants",
    "role_mappings roles",
    "internal_users roles",
  ]);
});
