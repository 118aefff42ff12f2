import { expect, test } from "vitest";
import { formatPrincipal } from "../../../src/render/views/access-answer.ts";
import { formatAffected } from "../../../src/render/views/access-principals.ts";

test("of several principals each is enough: one with several backend roles is not read as a part of another", () => {
  const members = [
    { field: "backend_roles", entries: ["a"] },
    { field: "and_backend_roles", entries: ["b", "c"] },
  ] as const;
  expect(formatAffected(members.map((member) => ({ kind: "principal", member })))).toBe(
    "backend role a, anybody with all of the backend roles b and c",
  );
});

test.each([
  ["users", ["Lee, Ann"], 'user "Lee, Ann"'],
  ["users", ["*"], "user * (everybody)"],
  ["backend_roles", ["cn=hr,ou=groups,dc=org"], "backend role cn=hr,ou=groups,dc=org"],
  ["and_backend_roles", ["a", "b and c"], 'backend roles a and "b and c"'],
  ["and_backend_roles", ["d"], "backend role d"],
] as const)("%s %j is called %s in a list", (field, entries, called) => {
  expect(formatPrincipal({ kind: "entry", member: { field, entries }, subject: { backendRoles: [] } })).toBe(called);
});
