import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Action, Change } from "../../../src/model/change.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { validateWrites } from "../../../src/validate/writes.ts";
import { repositoryOf } from "../../support/nodes.ts";

const dialect = createDialect("gate", "7.x-43.0.0");
const text = `
role_mappings: {m: {description: x}, n: }
action_groups: {g: {type: index}}
blocks: {b: {type: ip, verdict: allow}}
roles: {r: {index_permissions: [{index_patterns: [i]}]}, z: }
`;

function check(family: ResourceFamily, name: string, action: Action, ...expected: readonly string[]): void {
  const { desired } = normalise(repositoryOf({ "state.yml": text }), dialect, {});
  const change: Change = { family, name, action, reason: "declared", edits: [] };
  const found = validateWrites({
    changes: [change],
    desired,
    live: { resources: new Map(), paths: new Map() },
    dialect,
  });
  const brief = found.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range?.start, range?.end)}`);
  expect(brief).toEqual(expected);
}

test("an incomplete entry is an error where it would be written", () => {
  check("role_mappings", "m", "create", "error incomplete-mapping m");
  check("role_mappings", "n", "create", "error incomplete-mapping n");
  check("action_groups", "g", "update", "error incomplete-action-group g");
  check("blocks", "b", "update", "error incomplete-block b");
});

test("and none where it stays as it is on the server, or goes", () => {
  check("blocks", "b", "leave");
  check("blocks", "elsewhere", "delete");
});

test("an index permission without actions restricts what other roles show, so it may be written", () => {
  check("roles", "r", "create");
});

test("a null entry may be made, but takes nothing away from a live one", () => {
  check("roles", "z", "create");
  check("roles", "z", "update", "error null-entry z");
});
