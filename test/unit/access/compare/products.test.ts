// One state, as two products evaluate it: what is equal in all of its entries may permit and show something else.
import { describe, expect, it } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import { createAccessModel } from "../../../../src/access/model/access-model.ts";
import type { AccessState } from "../../../../src/access/model/state.ts";
import { formatMember } from "../../../../src/access/model/subject.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import type { Fields } from "../../../../src/json/value.ts";
import type { Product } from "../../../../src/model/plan.ts";

const element = (pattern: string, more: Fields = {}): Fields => ({
  index_permissions: [{ index_patterns: [pattern], allowed_actions: ["indices:data/read/search"], ...more }],
});
const [some, all] = [element("x", { fls: ["f"] }), element("x")];

interface Case {
  readonly title: string;
  readonly roles: Readonly<Record<string, Fields>>;
  readonly mappings: Readonly<Record<string, Fields>>;
  readonly to: readonly [Product, string];
  readonly differences: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: "a pattern that grants in one of them",
    roles: { a: element("_all") },
    mappings: { a: { users: ["ana"] } },
    to: ["opensearch", "2.19"],
    differences: ["lost user ana"],
  },
  {
    title: "a restriction that another role of the same user lifts",
    roles: { a: some, b: all },
    mappings: { a: { users: ["ana"] }, b: { users: ["ana"] } },
    to: ["search-guard", "FLX"],
    differences: ["widened user ana"],
  },
  {
    title: "a restriction that a role of another member lifts",
    roles: { a: some, b: all },
    mappings: { a: { users: ["ana"] }, b: { backend_roles: ["b"] } },
    to: ["search-guard", "FLX"],
    differences: ["widened backend role b and user ana"],
  },
  {
    title: "restrictions of two kinds, of which each lifts the other",
    roles: { a: some, b: element("x", { dls: '{"term":{"k":1}}' }) },
    mappings: { a: { users: ["ana"] }, b: { users: ["ana"] } },
    to: ["search-guard", "FLX"],
    differences: ["widened user ana"],
  },
  {
    title: "restrictions of two kinds, by two members",
    roles: { a: some, b: element("x", { dls: '{"term":{"k":1}}' }) },
    mappings: { a: { users: ["ana"] }, b: { backend_roles: ["b"] } },
    to: ["search-guard", "FLX"],
    differences: ["widened backend role b and user ana"],
  },
  {
    title: "the index in which a product keeps its configuration",
    roles: { a: element("searchguard", { allowed_actions: ["indices:data/write/index"] }) },
    mappings: { a: { users: ["ana"] } },
    to: ["opensearch", "2.19"],
    differences: ["gained user ana"],
  },
  {
    title: "nothing where both do the same",
    roles: { a: some, b: element("y") },
    mappings: { a: { users: ["ana"] }, b: { backend_roles: ["b"] } },
    to: ["opensearch", "2.19"],
    differences: [],
  },
];

describe("one state of two products", () => {
  it.each(cases)("$title", ({ roles, mappings, to: [product, release], differences }) => {
    const [before, after] = [createDialect("search-guard", "7.x-38"), createDialect(product, release)].map((dialect) =>
      createAccessModel({ ...state, semantics: getSemantics(dialect), roles: toMap(roles), mappings: toMap(mappings) }),
    );
    if (!before || !after) throw new Error("bug: two states");
    const shared = createAccessModel({ ...before.state, semantics: after.state.semantics });
    const { statements } = compareAccess(before, shared);
    const found = statements.flatMap(({ who, differences: kinds }) =>
      who.map((one) => {
        const members = one.kind === "pair" ? one.members : one.kind === "principal" ? [one.member] : [];
        return `${kinds.map(({ kind }) => kind)} ${members.map(formatMember).join(" and ")}`;
      }),
    );
    expect(found).toEqual(differences);
  });
});

const none = new Map<string, Fields>();
const state: Omit<AccessState, "semantics" | "roles" | "mappings"> = {
  groups: none,
  tenants: none,
  blocks: none,
  settings: {},
};

function toMap(entries: Readonly<Record<string, Fields>>): ReadonlyMap<string, Fields> {
  return new Map(Object.entries(entries));
}
