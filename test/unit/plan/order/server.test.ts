// What the server and whoever applies have to say of an order.
import { expect, test } from "vitest";
import { dialectFor } from "../../../../src/dialects/index.ts";
import type { Applier } from "../../../../src/model/identity.ts";
import { aroundOf, momentsOf, whole } from "../../../../src/plan/order/moments.ts";
import { stakesIn } from "../../../../src/plan/order/stakes.ts";
import type { Block, World } from "../../../support/judged.ts";
import { modelOfWorld } from "../../../support/modelled.ts";
import { changesBetween, inOrder, type Way } from "../../../support/ordered.ts";

const nothing: World = { product: "opensearch", roles: {}, mappings: {}, groups: {}, tenants: [], blocks: [] };
const role = { cluster_permissions: ["cluster:monitor/main"] };
const mapping = { users: ["ana", "ben"] };
const left = { users: ["ana"] };
const applier: Applier = {
  kind: "known",
  identities: [{ user: "deploy", backendRoles: ["ops"] }],
  adminRoles: ["a_admin", "b_admin"],
};

function check(
  before: Partial<World>,
  after: Partial<World>,
  way: Way,
  expected: readonly string[],
  faults: readonly string[] = [],
) {
  const found = inOrder({ ...nothing, ...before }, { ...nothing, ...after }, way);
  expect(found.names.map((names, at) => `${found.families[at]} ${names}`)).toEqual(expected);
  expect(found.faults.map(({ after, kind, words }) => `${after} ${kind}: ${words}`)).toEqual(faults);
}

test("whoever applies gets one role before another is taken", () =>
  check(
    { mappings: { a_admin: { users: ["deploy"] } } },
    { mappings: { b_admin: { users: ["deploy"] } } },
    { applier, isSingly: true },
    ["role_mappings b_admin", "role_mappings a_admin"],
  ));

test("nobody is asked for where nobody is known", () =>
  check(
    { mappings: { a_admin: { users: ["deploy"] } } },
    { mappings: { b_admin: { users: ["deploy"] } } },
    { applier: { kind: "untold" }, isSingly: true },
    ["role_mappings a_admin", "role_mappings b_admin"],
  ));

test("blocks that let whoever applies in come before those that keep others out", () => {
  const block = (...value: string[]): Block => ({ type: "name", value, verdict: "allow" });
  // In one request, or the other first: with the first alone, all but ben are kept out.
  const found = inOrder(
    { ...nothing, blocks: [] },
    { ...nothing, blocks: [block("ben"), block("deploy")] },
    { applier, isSingly: true },
  );
  expect(found.faults).toEqual([]);
  expect(found.names).toEqual([["b1"], ["b0"]]);
});

test("whom the whole plan shuts out is not for an order to save", () =>
  check({ mappings: { a_admin: { users: ["deploy"] } } }, { roles: { r: role } }, { applier }, [
    "roles r",
    "role_mappings a_admin",
  ]));

test("a mapping goes when its role is there, and before it is gone", () => {
  const way = { checksRoles: true, isSingly: true };
  check({}, { roles: { r: role }, mappings: { r: mapping } }, way, ["roles r", "role_mappings r"]);
  check({ roles: { r: role }, mappings: { r: mapping } }, { mappings: { r: left } }, way, [
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

test("whoever applies is told of as shut out once its one role is taken", () => {
  const [from, to] = ["a_admin", "b_admin"].map(
    (name): World => ({ ...nothing, mappings: { [name]: { users: ["deploy"] } } }),
  ) as [World, World];
  const lanes = changesBetween(from, to).flatMap((changes) => changes.map((change) => [change]));
  const around = aroundOf(modelOfWorld(from), modelOfWorld(to));
  const [stake] = stakesIn({
    around,
    changes: lanes.flat(),
    dialect: dialectFor("opensearch", "2.19"),
    applier,
  }).ofServer;
  const moments = momentsOf(whole(lanes), around, false);
  expect(stake?.fault(moments, 0n, 0b01n)).toEqual({
    kind: "lock-out",
    words: "deploy, who applies, could neither send the rest nor undo what was sent",
    addresses: ["role_mappings/a_admin", "role_mappings/b_admin"],
  });
  expect(stake?.fault(moments, 0n, 0b10n)).toBeUndefined();
});
