// What the server and the applying identity demand of an order.
import { expect, test } from "vitest";
import { createDialect } from "../../../../src/dialects/index.ts";
import type { ApplyingIdentity } from "../../../../src/model/identity.ts";
import { findConstraints } from "../../../../src/plan/order/constraints.ts";
import {
  createIntermediateStates,
  createStatePair,
  createWholeBatches,
} from "../../../../src/plan/order/intermediate-states.ts";
import type { Block, Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";
import { changesBetween, inOrder, type Member } from "../../../support/ordered.ts";

const nothing: Fixture = { product: "opensearch", roles: {}, mappings: {}, groups: {}, tenants: [], blocks: [] };
const role = { cluster_permissions: ["cluster:monitor/main"] };
const mapping = { users: ["ana", "ben"] };
const left = { users: ["ana"] };
const applyingIdentity: ApplyingIdentity = {
  kind: "known",
  identities: [{ user: "deploy", backendRoles: ["ops"] }],
  adminRoles: ["a_admin", "b_admin"],
};

function check(
  before: Partial<Fixture>,
  after: Partial<Fixture>,
  member: Member,
  expected: readonly string[],
  faults: readonly string[] = [],
) {
  const found = inOrder({ ...nothing, ...before }, { ...nothing, ...after }, member);
  expect(found.names.map((names, at) => `${found.families[at]} ${names}`)).toEqual(expected);
  expect(found.faults.map(({ after, kind, words }) => `${after} ${kind}: ${words}`)).toEqual(faults);
}

test("the applying identity gets one role before it loses another", () =>
  check(
    { mappings: { a_admin: { users: ["deploy"] } } },
    { mappings: { b_admin: { users: ["deploy"] } } },
    { applyingIdentity, isSingly: true },
    ["role_mappings b_admin", "role_mappings a_admin"],
  ));

test("no identity is checked where none is known", () =>
  check(
    { mappings: { a_admin: { users: ["deploy"] } } },
    { mappings: { b_admin: { users: ["deploy"] } } },
    { applyingIdentity: { kind: "not-known" }, isSingly: true },
    ["role_mappings a_admin", "role_mappings b_admin"],
  ));

test("blocks that let the applying identity in come before those that keep others out", () => {
  const block = (...value: string[]): Block => ({ type: "name", value, verdict: "allow" });
  // In one request, or the other first: with the first alone, all but ben are kept out.
  const found = inOrder(
    { ...nothing, blocks: [] },
    { ...nothing, blocks: [block("ben"), block("deploy")] },
    { applyingIdentity, isSingly: true },
  );
  expect(found.faults).toEqual([]);
  expect(found.names).toEqual([["b1"], ["b0"]]);
});

test("whom the whole plan shuts out is not for an order to save", () =>
  check({ mappings: { a_admin: { users: ["deploy"] } } }, { roles: { r: role } }, { applyingIdentity }, [
    "roles r",
    "role_mappings a_admin",
  ]));

test("a mapping goes when its role is there, and before it is gone", () => {
  const member = { checksRoles: true, isSingly: true };
  check({}, { roles: { r: role }, mappings: { r: mapping } }, member, ["roles r", "role_mappings r"]);
  check({ roles: { r: role }, mappings: { r: mapping } }, { mappings: { r: left } }, member, [
    "role_mappings r",
    "roles r",
  ]);
});

test("what lies in between is none of the server's where it takes it", () => {
  check({ roles: { r: role }, mappings: { r: mapping } }, { mappings: { r: left } }, {}, [
    "roles r",
    "role_mappings r",
  ]);
});

test("the applying identity is reported as shut out once its one role is taken", () => {
  const [from, to] = ["a_admin", "b_admin"].map(
    (name): Fixture => ({ ...nothing, mappings: { [name]: { users: ["deploy"] } } }),
  ) as [Fixture, Fixture];
  const sequences = changesBetween(from, to).flatMap((changes) => changes.map((change) => [change]));
  const statePair = createStatePair(modelOfFixture(from), modelOfFixture(to));
  const [accessConstraint] = findConstraints({
    statePair,
    changes: sequences.flat(),
    dialect: createDialect("opensearch", "2.19"),
    applyingIdentity,
  }).ofServer;
  const intermediateStates = createIntermediateStates(createWholeBatches(sequences), statePair);
  expect(accessConstraint?.fault(intermediateStates, 0n, 0b01n)).toEqual({
    kind: "lock-out",
    words: "deploy, the applying identity, could neither send the other requests nor undo those already sent",
    addresses: ["role_mappings/a_admin", "role_mappings/b_admin"],
  });
  expect(accessConstraint?.fault(intermediateStates, 0n, 0b10n)).toBeUndefined();
});

test.each([
  ["name", "corp/u1", "users"],
  ["name", "svc/host@REALM", "users"],
  ["name", "/u[0-9]+/", "users"],
  ["net_mask", "127.0.0.0/8", "hosts"],
] as const)("a block that comes to name %s %s is sent before what a user it names would gain", (type, value, field) => {
  const [small, kept] = [value === "127.0.0.0/8" ? "127.0.0.0/30" : "zz", { users: ["keep"] }];
  const blocks = (...values: string[]): readonly Block[] => [{ type, value: values, verdict: "disallow" }];
  const other = { index_permissions: [{ index_patterns: ["own"], allowed_actions: ["indices:data/read/*"] }] };
  const own = field === "users" ? { own: { users: [value] } } : {};
  const found = inOrder(
    { ...nothing, roles: { r: role, own: other }, mappings: { r: kept, ...own }, blocks: blocks(small) },
    {
      ...nothing,
      roles: { r: role, own: other },
      mappings: { r: { ...kept, backend_roles: ["b"] }, ...own },
      blocks: blocks(small, value),
    },
    {},
  );
  expect(found.faults).toEqual([]);
  expect(found.names).toEqual([["b0"], ["r"]]);
});
