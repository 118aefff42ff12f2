import { describe, expect, test } from "vitest";
import { touchesNoPrincipal } from "../../../../src/access/compare/touched.ts";
import type { AccessState } from "../../../../src/access/model/state.ts";
import type { Fields } from "../../../../src/json/value.ts";
import { stateOf } from "../../../support/modelled.ts";

const read = { index_permissions: [{ index_patterns: ["a*"], allowed_actions: ["g"] }] };
const write = { index_permissions: [{ index_patterns: ["b*"], allowed_actions: ["g"] }] };
const base = stateOf({
  product: "opensearch",
  roles: { r: read },
  mappings: {},
  groups: { g: ["indices:data/read/*"] },
});

/** The same state, in which one role is another one. */
function withRoleChanged(state: AccessState): readonly [before: AccessState, after: AccessState] {
  return [state, { ...state, roles: new Map([...state.roles, ["r", write]]) }];
}

function withMapping(mapping: Fields): AccessState {
  return { ...base, mappings: new Map([["r", mapping]]) };
}

function withUser(roles: readonly string[]): AccessState {
  return { ...base, users: { kind: "known", byName: new Map([["ana", { roles, backendRoles: [] }]]) } };
}

describe("a changed role touches no principal where nothing gives it", () => {
  test.each<[string, AccessState]>([
    ["no mapping", base],
    ["a mapping without members", withMapping({ users: [], backend_roles: [] })],
    ["a mapping with a network, which no host is called", withMapping({ hosts: ["10.0.0.0/8"] })],
    ["an internal user with another role", withUser(["s"])],
  ])("%s", (_, state) => {
    expect(touchesNoPrincipal(...withRoleChanged(state))).toBe(true);
  });
});

describe("a changed role touches principals where something may give it", () => {
  test.each<[string, AccessState]>([
    ["a user", withMapping({ users: ["ana"] })],
    ["a backend role", withMapping({ backend_roles: ["hr"] })],
    ["a set of backend roles", withMapping({ and_backend_roles: ["hr", "eu"] })],
    ["a mapping with a field that is not known", withMapping({ x_members: ["ana"] })],
    ["an internal user", withUser(["r"])],
    ["internal users that could not be read", { ...base, users: { kind: "unread", why: "403" } }],
    ["backend roles that are roles by their names", { ...base, settings: { mappingResolution: "BOTH" } }],
  ])("%s", (_, state) => {
    expect(touchesNoPrincipal(...withRoleChanged(state))).toBe(false);
  });

  test("a mapping that goes", () => {
    expect(touchesNoPrincipal(withMapping({ users: ["ana"] }), base)).toBe(false);
  });

  test("a group of a role that is held", () => {
    const held = withMapping({ users: ["ana"] });
    const after = { ...held, groups: new Map([["g", { allowed_actions: ["*"] }]]) };
    expect(touchesNoPrincipal(held, after)).toBe(false);
    expect(touchesNoPrincipal(base, { ...after, mappings: base.mappings })).toBe(true);
  });
});

test("blocks and settings touch everybody", () => {
  const blocks = new Map([["b", { type: "name", verdict: "disallow", value: ["ana"] }]]);
  expect(touchesNoPrincipal(base, { ...base, blocks })).toBe(false);
  expect(touchesNoPrincipal(base, { ...base, settings: { emptyRemoves: true } })).toBe(false);
  expect(touchesNoPrincipal(base, base)).toBe(true);
});
