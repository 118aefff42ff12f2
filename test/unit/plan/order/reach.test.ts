// Which changes concern a principal.
import { expect, test } from "vitest";
import { createMemberSubject, type Member } from "../../../../src/access/model/subject.ts";
import { splitIntoFragments } from "../../../../src/plan/order/fragments.ts";
import { createStatePair } from "../../../../src/plan/order/intermediate-states.ts";
import { createReachFinder } from "../../../../src/plan/order/reach.ts";
import type { Block, Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";
import { changesBetween } from "../../../support/ordered.ts";

const nothing: Fixture = { product: "search-guard-7", roles: {}, mappings: {}, groups: {}, tenants: [], blocks: [] };
const ana: Member = { field: "users", entries: ["ana"] };
const reads = (...allowed_actions: string[]) => ({ index_permissions: [{ index_patterns: ["a"], allowed_actions }] });

/** Of the changes, how many of their fragments are of concern. */
function check(
  before: Partial<Fixture>,
  after: Partial<Fixture>,
  member: Member,
  expected: Readonly<Record<string, string>>,
) {
  const [from, to] = [
    { ...nothing, ...before },
    { ...nothing, ...after },
  ];
  const changes = changesBetween(from, to).flat();
  const statePair = createStatePair(modelOfFixture(from), modelOfFixture(to));
  const fragments = createReachFinder(
    statePair,
    changes,
  )({ who: { kind: "principal", member }, subject: createMemberSubject(member) });
  const found = changes.flatMap((change) => {
    const [all, own] = [
      splitIntoFragments(change),
      splitIntoFragments(change).filter((fragment) => fragments.has(fragment)),
    ];
    return own.length > 0 ? [[`${change.family}/${change.name}`, `${own.length} of ${all.length}`]] : [];
  });
  expect(Object.fromEntries(found)).toEqual(expected);
}

test("a role that the principal has, and not another one", () =>
  check(
    { roles: { r: reads("x"), s: reads("x") }, mappings: { r: { users: ["ana"] }, s: { users: ["ben"] } } },
    { roles: { r: reads("y"), s: reads("y") }, mappings: { r: { users: ["ana"] }, s: { users: ["ben"] } } },
    ana,
    { "roles/r": "2 of 2" },
  ));

test("of a mapping the members that match the principal", () =>
  check(
    { mappings: { r: { users: ["ana", "ben", "zoe"] } }, roles: { r: reads("x") } },
    { mappings: { r: { users: ["a*"], backend_roles: ["hr"] } }, roles: { r: reads("x") } },
    ana,
    { "role_mappings/r": "2 of 5" },
  ));

test("all of a mapping that cannot be taken apart", () =>
  check(
    { mappings: { r: { users: ["ana"], and_backend_roles: ["x", "y"] } }, roles: { r: reads("x") } },
    { mappings: { r: { users: ["ben"], and_backend_roles: ["x"] } }, roles: { r: reads("x") } },
    ana,
    { "role_mappings/r": "1 of 1" },
  ));

test("a group in a group of a role, on either side", () =>
  check(
    {
      roles: { r: reads("outer") },
      mappings: { r: { users: ["ana"] } },
      groups: { outer: ["inner"], inner: ["x"], other: ["x"] },
    },
    {
      roles: { r: reads("outer") },
      mappings: { r: { users: ["ana"] } },
      groups: { outer: ["inner"], inner: ["y"], other: ["y"] },
    },
    ana,
    { "action_groups/inner": "2 of 2" },
  ));

test("tenants that a role may enter", () => {
  const role = (pattern: string) => ({
    tenant_permissions: [{ tenant_patterns: [pattern], allowed_actions: ["kibana:saved_objects/*/read"] }],
  });
  const mappings = { r: { users: ["ana"] } };
  check(
    { roles: { r: role("hr_*") }, mappings },
    { roles: { r: role("hr_*") }, mappings, tenants: ["hr_a", "it"] },
    ana,
    {
      "tenants/hr_a": "1 of 1",
    },
  );
  const named = "${user.name}";
  check({ roles: { r: role(named) }, mappings }, { roles: { r: role(named) }, mappings, tenants: ["it"] }, ana, {
    "tenants/it": "1 of 1",
  });
});

test("blocks of the principal; one that lets others in, too", () => {
  const block = (verdict: "allow" | "disallow", ...value: string[]): Block => ({ type: "name", value, verdict });
  check({}, { blocks: [block("disallow", "ben"), block("disallow", "an*")] }, ana, { "blocks/b1": "1 of 1" });
  check({}, { blocks: [block("allow", "ben"), block("allow", "ana")] }, ana, {
    "blocks/b0": "1 of 1",
    "blocks/b1": "1 of 1",
  });
});
