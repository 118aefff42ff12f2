// What both states of a plan have in common is the same object in both, so that it is worked out once.
import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { buildAccessStates } from "../../../src/engine/pipeline/access-states.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { LiveState } from "../../../src/model/live.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { ReadPort } from "../../../src/model/ports.ts";

const role = { index_permissions: [{ index_patterns: ["a*"], allowed_actions: ["g"] }] };
const group = { allowed_actions: ["indices:data/read/get"] };
const mapping = { users: ["ana"] };
const held: Partial<Record<ResourceFamily, Readonly<Record<string, Fields>>>> = {
  roles: { r: role },
  role_mappings: { r: mapping },
  action_groups: { g: group },
  tenants: {},
  blocks: {},
};
const resources = new Map(
  Object.entries(held).map(([family, entries]) => [
    family as ResourceFamily,
    new Map(Object.entries(entries).map(([name, value]) => [name, { family, name, value, ownership: "open" }])),
  ]),
);

function planOf(family: ResourceFamily, name: string, before: Fields, after: Fields) {
  const change: Change = { family, name, action: "update", reason: "declared", edits: [], before, after };
  const dialect = createDialect("search-guard", "7.x-53");
  const live = { resources } as unknown as LiveState;
  return buildAccessStates({ changes: [change], live, dialect }, {} as ReadPort, false);
}

test("what a role says is the same where its groups are", async () => {
  const states = await planOf("role_mappings", "r", mapping, { users: ["ana", "ben"] });
  if ("unread" in states) throw new Error();
  expect(states.after.state.mappings.get("r")).toEqual({ users: ["ana", "ben"] });
  expect(states.before.rules("r")).toBe(states.after.rules("r"));
});

test("what a role says is other where a group is", async () => {
  const states = await planOf("action_groups", "g", group, { allowed_actions: ["indices:data/read/search"] });
  if ("unread" in states) throw new Error();
  const actionsIn = ({ rules }: typeof states.before) => rules("r")?.index[0]?.actions.map(({ pattern }) => pattern);
  expect([actionsIn(states.before), actionsIn(states.after)]).toEqual([
    ["indices:data/read/get"],
    ["indices:data/read/search"],
  ]);
});
