import { describe, expect, it, test } from "vitest";
import type { AccessTest } from "../../../src/model/access-test.ts";
import { parseAccessTests } from "../../../src/normalise/access-tests.ts";
import { repositoryOf } from "../../support/nodes.ts";

function testsIn(files: Readonly<Record<string, string>>) {
  const { tests, diagnostics } = parseAccessTests(repositoryOf(files));
  return { tests, codes: diagnostics.map(({ code, range }) => `${code} ${range?.file.path}`) };
}

/** Without the places of things. */
function bare({ origin, who, ...rest }: AccessTest) {
  if (who.kind !== "persona") return { ...rest, who };
  const { place, ...named } = who;
  return { ...rest, who: named };
}

const searched = { actions: ["search"], indices: ["hr-*"], expect: "denied", allowsUnknown: false };
const nothing = { personas: [], users: [], backendRoles: [], hosts: [], roles: [] };

test.each<[about: string, text: string, expected: object]>([
  [
    "a persona",
    "{name: x, as: ana, action: [search, get], index: [a, b-*], expect: allowed, sees: everything, allow_unknown: true}",
    {
      name: "x",
      who: { kind: "persona", name: "ana" },
      actions: ["search", "get"],
      indices: ["a", "b-*"],
      expect: "allowed",
      sees: "everything",
      allowsUnknown: true,
    },
  ],
  [
    "principal",
    "{as: {user: u, backend_roles: [b], host: h, attributes: {attr.internal.x: y}}, action: search, index: hr-*, expect: denied}",
    {
      ...searched,
      who: { kind: "principal", is: { user: "u", backendRoles: ["b"], host: "h", attributes: { "internal.x": "y" } } },
    },
  ],
  [
    "nobody but some",
    "{only: {personas: [p], users: [u], backend_roles: [b], hosts: [h], roles: [r]}, action: search, index: hr-*}",
    {
      ...searched,
      who: {
        kind: "only",
        but: { personas: ["p"], users: ["u"], backendRoles: ["b"], hosts: ["h"], roles: ["r"] },
      },
    },
  ],
  [
    "nobody at all, in a tenant",
    "{only: {}, action: write, tenant: hr}",
    { ...searched, actions: ["write"], indices: [], tenant: "hr", who: { kind: "only", but: nothing } },
  ],
])("are about %s", (_, text, expected) => {
  const { tests, codes } = testsIn({ "a.yml": `access_tests: [${text}]` });
  expect(tests.map(bare)).toEqual([expected]);
  expect(codes).toEqual([]);
});

describe("access tests", () => {
  const one = "{as: ana, action: health, expect: allowed}";
  it.each([
    ["as a list", `- ${one}\n- ${one}\n`],
    ["under their key", `access_tests: [${one}, ${one}]\n`],
  ])("are in files of their own, %s", (_, text) =>
    expect(testsIn({ "hr.access-test.yaml": text, "b.access-test.yml": "[]" }).tests).toHaveLength(2),
  );
  it("keep the order of the files", () =>
    expect(
      testsIn({
        "a.yml": `access_tests: [{name: b, ${one.slice(1)}]`,
        "b.yml": `access_tests: [{name: a, ${one.slice(1)}]`,
      }).tests.map(({ name }) => name),
    ).toEqual(["b", "a"]));
  it("have names that no other has", () =>
    expect(
      testsIn({
        "a.yml": `access_tests: [{name: b, ${one.slice(1)}]`,
        "b.yml": `access_tests: [{name: b, ${one.slice(1)}]`,
      }).codes,
    ).toEqual(["duplicate-name b.yml"]));
  it("hold no secrets", () =>
    expect(
      testsIn({ "a.yml": "access_tests: [{as: '$" + "{env:WHO}', action: health, expect: allowed}]" }).codes,
    ).toEqual(["secret-in-name a.yml"]));
});
