// Whom the order of the writes is evaluated for.
import { expect, test } from "vitest";
import { findConcerned } from "../../../../src/access/compare/between/concerned.ts";
import { formatMember } from "../../../../src/access/model/subject.ts";
import type { Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";

const dls = '{"term":{"k":1}}';
const on = (pattern: string, more = {}) => ({
  index_permissions: [{ index_patterns: [pattern], allowed_actions: ["indices:data/read/*"], ...more }],
});

function fixture(rest: Pick<Fixture, "roles" | "mappings"> & Partial<Fixture>): Fixture {
  return { product: "search-guard-7", groups: {}, tenants: [], blocks: [], ...rest };
}

function pairsIn(before: Fixture, after: Fixture): readonly string[] {
  const { concerned } = findConcerned(modelOfFixture(before), modelOfFixture(after));
  return concerned.flatMap(({ who }) =>
    who.kind === "pair" ? [who.members.map(formatMember).sort().join(" and ")] : [],
  );
}

test("two principals are one pair, though both their roles restrict each other and a block names one of them", () => {
  const before = fixture({
    roles: { full: on("a"), narrow: on("a", { dls }) },
    mappings: { full: { backend_roles: ["hr"] }, narrow: { users: ["ana"] } },
  });
  const after = fixture({
    roles: { full: on("a*"), narrow: on("a*", { dls }) },
    mappings: { full: { backend_roles: ["ops"] }, narrow: { users: ["ana"], backend_roles: ["ops"] } },
    blocks: [{ type: "name", value: ["ana"], verdict: "disallow" }],
  });
  const pairs = pairsIn(before, after);
  expect(pairs).toEqual([...new Set(pairs)]);
  expect(pairs.toSorted()).toEqual([
    "backend role hr and backend role ops",
    "backend role hr and user ana",
    "backend role ops and user ana",
  ]);
});

test("pairs are those of which one loses what the other gains", () => {
  const role = (action: string) => ({ index_permissions: [{ index_patterns: ["a"], allowed_actions: [action] }] });
  const roles = { r: role("indices:data/read/*"), s: role("indices:data/write/*") };
  const members = (readers: readonly string[], writers: readonly string[]) =>
    fixture({ roles, mappings: { r: { backend_roles: readers }, s: { backend_roles: writers } } });
  const before = members(["old"], ["team"]);
  expect(pairsIn(before, members(["new"], ["team", "more"]))).toEqual(["backend role new and backend role old"]);
  expect(pairsIn(before, members(["old", "new"], ["team", "more"]))).toEqual([]);
});
