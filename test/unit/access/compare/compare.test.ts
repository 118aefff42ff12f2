// What the property of the access diff does not come to: variables, doubts, and what is left aside because there is too much of it.
import { describe, expect, it, test } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import { type AccessModel, createAccessModel } from "../../../../src/access/model/access-model.ts";
import type { Dialect } from "../../../../src/dialects/dialect.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import type { Fields } from "../../../../src/json/value.ts";

type Part = Readonly<Record<string, Fields>>;

const searchGuard = createDialect("search-guard", "7.x-43.0.0");
const openSearch = createDialect("opensearch", "2.19");

function modelWith(roles: Part, mappings: Part, dialect: Dialect = searchGuard): AccessModel {
  return createAccessModel({
    semantics: getSemantics(dialect),
    roles: new Map(Object.entries(roles)),
    mappings: new Map(Object.entries(mappings)),
    groups: new Map(),
    tenants: new Map(),
    blocks: new Map(),
    settings: {},
  });
}

const searching = (...patterns: readonly string[]): Fields => ({
  index_permissions: [{ index_patterns: patterns, allowed_actions: ["indices:data/read/search"] }],
});

test("patterns that overlap in more ways than are tried: no one is reported to gain nothing", () => {
  const many = [..."abcdefghijklmn"].map((userMessage) => `*${userMessage}*`);
  const mappings = { r: { users: ["ana"] } };
  const before = modelWith({ r: searching(...many) }, mappings);
  const after = modelWith({ r: searching(...many, "zz-hr-*") }, mappings);
  expect(compareAccess(before, after).unknowns.join()).toContain("overlap in too many places");
  expect(compareAccess(before, before).unknowns).toEqual([]);
});

test("of too many principals, those whom the changed role is given to by name or pattern are evaluated", () => {
  const others = Object.fromEntries(
    Array.from({ length: 1100 }, (_, at) => [`r${at}`, { users: [`u${at}`], backend_roles: [`b${at}`] }]),
  );
  const mappings = { ...others, all: { users: ["*", "zoe"] } };
  const diff = compareAccess(modelWith({}, mappings), modelWith({ all: searching("hr-*") }, mappings));
  const gaining = diff.statements.flatMap(({ who }) => who.map((one) => JSON.stringify(one)));
  expect(gaining).toContain('{"kind":"principal","member":{"field":"users","entries":["*"]}}');
  expect(gaining).toContain('{"kind":"principal","member":{"field":"users","entries":["zoe"]}}');
  expect(diff.unknowns.join()).toContain("only of the first 1000");
});

/** Of characters that a seed draws: `*ab*c*d*`, with so many stars. */
function drawPatterns(count: number, stars: number): readonly string[] {
  let seed = 7;
  const char = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return "abcdefghij"[(seed >> 8) % 10];
  };
  return Array.from(
    { length: count },
    () => `*${char()}${Array.from({ length: stars - 1 }, () => `${char()}*`).join("")}`,
  );
}

test.each([
  ["users of fixed names", 4, 0],
  ["patterns of users and backend roles", 7, 5],
])(
  "300 roles of 30 patterns with several stars, mapped to %s: the work is counted and cut, and that is said",
  (_, stars, mapped) => {
    const drawn = drawPatterns(300 * 30 + 300 * 5, stars);
    const names = Array.from({ length: 300 }, (_, at) => at);
    const roles = Object.fromEntries(names.map((at) => [`r${at}`, searching(...drawn.slice(at * 30, at * 30 + 30))]));
    const membersOf = (at: number): Fields => {
      const [first = "", ...others] = drawn.slice(9000 + at * mapped, 9000 + at * mapped + mapped);
      return mapped === 0 ? { users: [`u${at}`] } : { users: [first], backend_roles: others };
    };
    const mappings = Object.fromEntries(names.map((at) => [`r${at}`, membersOf(at)]));
    const { unknowns } = compareAccess(modelWith({}, {}), modelWith(roles, mappings));
    const [, evaluated] = /only of the first (\d+)/.exec(unknowns.join()) ?? [];
    expect(Number(evaluated)).toBeGreaterThan(0);
  },
);

test("what is cut depends on nothing that was compared before", () => {
  const drawn = drawPatterns(40 * 31, 6);
  const names = Array.from({ length: 40 }, (_, at) => at);
  const roles = Object.fromEntries(names.map((at) => [`r${at}`, searching(...drawn.slice(at * 30, at * 30 + 30))]));
  const mappings = Object.fromEntries(names.map((at) => [`r${at}`, { users: [drawn[1200 + at] ?? ""] }]));
  const compare = () => compareAccess(modelWith({}, {}), modelWith(roles, mappings));
  expect(compare()).toEqual(compare());
});

test("of too many pairs with hundreds of roles each, some are evaluated", () => {
  const many = Array.from({ length: 1400 }, (_, at) => `hr-${at}`);
  const people = Array.from({ length: 20 }, (_, at) => `u${at}`);
  const mappings = { restricted: { backend_roles: ["audit"] }, wide: { users: people } };
  const restricted = (k: number): Fields => ({
    index_permissions: [{ index_patterns: ["hr-*"], dls: `{"term":{"k":${k}}}`, allowed_actions: ["read"] }],
  });
  const [before, after] = [1, 2].map((k) =>
    modelWith({ restricted: restricted(k), wide: searching(...many) }, mappings),
  );
  if (!before || !after) throw new Error("two of them");
  expect(compareAccess(before, after).unknowns.join()).toContain("not every pair of them was evaluated");
  const few = modelWith({ restricted: restricted(1), wide: searching("hr-1") }, mappings);
  const other = modelWith({ restricted: restricted(2), wide: searching("hr-1") }, mappings);
  expect(compareAccess(few, other).unknowns).toEqual([]);
});

test("what depends on something else than before is reported", () => {
  const mappings = { r: { users: ["ana"] } };
  const [before, after] = ["/\\ba/", "/\\bb/"].map((pattern) => modelWith({ r: searching(pattern) }, mappings));
  if (!before || !after) throw new Error("two of them");
  const kinds = compareAccess(before, after).statements.flatMap(({ differences }) =>
    differences.map(({ kind }) => kind),
  );
  expect(kinds).toEqual(["may-change"]);
});

test("whose name represents a variable is evaluated by it", () => {
  const mappings = { r: { users: ["ana", "ben"] } };
  const [before, after] = [["x"], ["x", "home-${user.name}"]].map((patterns) =>
    modelWith({ r: searching(...patterns) }, mappings),
  );
  if (!before || !after) throw new Error("two of them");
  const accessDiff = compareAccess(before, after).statements.map(({ who, differences }) => [
    who.flatMap((one) => (one.kind === "principal" ? one.member.entries : [])),
    differences.map(({ witness }) => witness.index),
  ]);
  expect(accessDiff).toEqual([
    [["ana"], ["home-ana"]],
    [["ben"], ["home-ben"]],
  ]);
});

describe("a role that a server may have without listing it", () => {
  const unlisted = new Map([["builtin", searching("*")]]);
  const withUnlisted = (roles: Part, mappings: Part) =>
    createAccessModel({ ...modelWith(roles, mappings).state, unlisted });
  const mapped = { builtin: { users: ["ana"] } };
  const kindsOf = (before: AccessModel, after: AccessModel) =>
    compareAccess(before, after).statements.flatMap(({ differences }) => differences.map(({ kind }) => kind));

  it("may be gained, and lost", () => {
    expect(kindsOf(withUnlisted({}, {}), withUnlisted({}, mapped))).toEqual(["may-gain"]);
    expect(kindsOf(withUnlisted({}, mapped), withUnlisted({}, {}))).toEqual(["may-lose"]);
    expect(kindsOf(withUnlisted({}, mapped), withUnlisted({}, mapped))).toEqual([]);
  });
  it("is what is declared once that is there", () => {
    const declared = { builtin: searching("hr-*") };
    expect(kindsOf(withUnlisted(declared, {}), withUnlisted(declared, mapped))).toEqual(["gained"]);
    expect(kindsOf(withUnlisted({}, mapped), withUnlisted(declared, mapped)).sort()).toEqual(["may-gain", "may-lose"]);
  });
});

describe("the mapping of an index shows fields and no values", () => {
  const seeing = (role: Fields): Fields => ({
    index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:admin/mappings/get"], ...role }],
  });
  const open = { r: seeing({}) };
  const mappings = { r: { users: ["ana"] } };

  it.each([
    ["masked_fields", ["iban"], []],
    ["masked_fields", ["iban::/1/::2"], []],
    ["dls", '{"term":{"k":1}}', []],
    ["fls", ["~iban"], ["narrowed"]],
  ] as const)("with %s %j", (field, value, expected) => {
    const diff = compareAccess(
      modelWith(open, mappings),
      modelWith({ ...open, r: seeing({ [field]: value }) }, mappings),
    );
    expect(diff.statements.flatMap(({ differences }) => differences.map(({ kind }) => kind))).toEqual(expected);
  });
});

test.for<[what: string, after: Part, dialect: Dialect, variable: string, isUnknown: boolean]>([
  [
    "another role is given",
    { r: { users: ["ana"] }, x: { users: ["bo", "ana"] } },
    openSearch,
    "user.securityRoles",
    true,
  ],
  ["another role is taken", { r: { users: ["ana"] } }, openSearch, "user_securityRoles", true],
  [
    "the role itself is given",
    { r: { users: ["ana", "bo"] }, x: { users: ["bo"] } },
    openSearch,
    "user.securityRoles",
    false,
  ],
  [
    "a mapping says something else",
    { r: { users: ["ana"] }, x: { users: ["bo"], description: "d" } },
    openSearch,
    "user.securityRoles",
    false,
  ],
  ["a product without the variable", { r: { users: ["ana"] } }, searchGuard, "user.securityRoles", false],
  ["another variable", { r: { users: ["ana"] } }, openSearch, "user.roles", false],
])("a query that lists the roles of the user: %s", ([, after, dialect, variable, isUnknown]) => {
  const query = `{"terms":{"d":[\${${variable}}]}}`;
  const element = { index_patterns: ["hr"], dls: query, allowed_actions: ["indices:data/read/search"] };
  const roles = { r: { index_permissions: [element] }, x: {} };
  const before = modelWith(roles, { r: { users: ["ana"] }, x: { users: ["bo"] } }, dialect);
  expect(compareAccess(before, modelWith(roles, after, dialect)).unknowns).toEqual(
    isUnknown
      ? [`which documents role r shows: its query uses \${${variable}}, and mappings of other roles change.`]
      : [],
  );
});

test.each([
  ["email", "email::/(.*)/::$1", "widened"],
  ["email::/(.*)/::$1", "email", "narrowed"],
  ["email", "email::/zzz/::*", "changed"],
  ["email::/.*/::*", "email::/.+/::$0", "widened"],
  ["email::/(.*)/::$1", "email::/.+/::$0", undefined],
] as const)("a mask %s that becomes %s: %s", (before, after, kind) => {
  const masking = (mask: string) =>
    modelWith(
      {
        r: {
          index_permissions: [
            { index_patterns: ["hr"], allowed_actions: ["indices:data/read/search"], masked_fields: [mask] },
          ],
        },
      },
      { r: { users: ["ana"] } },
      openSearch,
    );
  const { statements } = compareAccess(masking(before), masking(after));
  expect(statements.flatMap(({ differences }) => differences.map((one) => one.kind))).toEqual(kind ? [kind] : []);
});
