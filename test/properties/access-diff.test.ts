// The access diff of a plan names exactly what changes for any principal, and calls it what it is; what only says the same
// otherwise changes nothing. By the naive evaluator, which real servers agree with.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { touchesNoPrincipal } from "../../src/access/compare/touched.ts";
import { randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { partOf } from "../support/extent.ts";
import { modelOfFixture, stateOf } from "../support/modelled.ts";
import { isOfSeveralPermissions } from "../support/several-permissions.ts";
import { brokenDiff } from "./access/diff.ts";
import { fixturesOfOneRole, fixturesOfTwoRoles, products, walk } from "./access/fixtures.ts";
import { refactorings } from "./access/refactorings.ts";
import { seed, seeds } from "./seed.ts";

const minutes = 600_000;
const sample = seeds(60, 3);

function check(pairs: readonly (readonly [Fixture, Fixture])[]): void {
  for (const [before, after] of pairs) {
    const broken = brokenDiff(before, after);
    // Shown only where something is.
    if (broken.length > 0) expect({ before, after, broken }).toEqual({ before, after, broken: [] });
  }
}

function everyPair(fixtures: readonly Fixture[]): readonly (readonly [Fixture, Fixture])[] {
  return fixtures.flatMap((before) => fixtures.map((after) => [before, after] as const));
}

/** Kinds of fixtures in turn; in CI each of them. */
function runInOrder(kinds: readonly (readonly Fixture[])[], howMany: number): void {
  const pairs = kinds.map(everyPair);
  const ofOneKind = pairs[0] ?? [];
  expect(ofOneKind).toHaveLength(howMany);
  check(partOf(pairs.flat()) ?? ofOneKind.map((pair, at) => pairs[at % pairs.length]?.[at] ?? pair));
}

test("every pair of fixtures of one role", () => runInOrder(products.map(fixturesOfOneRole), 900), minutes);

test(
  "every pair of fixtures of two roles",
  () => {
    // There what is not restricted lifts the restrictions of others.
    const lifting = fixturesOfTwoRoles("opensearch", { dfm_empty_overrides_all: true });
    runInOrder([...products.map((product) => fixturesOfTwoRoles(product)), lifting], 625);
  },
  minutes,
);

/** No `?` of the fixtures matches one: what OpenSearch restricts by that, where an alias has such a name, is tried on real servers. */
const aliases = { xy: ["aq", "zzz"], b: ["zzc"], c: ["abq", "zzc"], bb: ["yyy"] };

test.each(products)(
  `where the server shows its aliases, seed ${seed}: %s`,
  (product) => {
    for (const each of sample) {
      const fixtures = [...walk(randomFrom(`aliases ${product} ${each}`), product, 20)].map((fixture) => ({
        ...fixture,
        aliases,
      }));
      check(fixtures.slice(1).map((after, at) => [fixtures[at] ?? after, after] as const));
    }
  },
  minutes,
);

test.each(products)(
  `random fixtures, one after the other, seed ${seed}: %s`,
  (product) => {
    const pairs = sample.flatMap((each) => {
      const fixtures = [...walk(randomFrom(`access ${product} ${each}`), product, 20)];
      return fixtures.slice(1).map((after, at) => [fixtures[at] ?? after, after] as const);
    });
    expect(pairs).toHaveLength(20 * sample.length);
    // Of some it is known without evaluating anything that nobody is concerned.
    const untouched = pairs.filter(([before, after]) => touchesNoPrincipal(stateOf(before), stateOf(after)));
    expect(untouched.length).toBeGreaterThan(0);
    expect(untouched.length).toBeLessThan(pairs.length);
    check(pairs);
  },
  minutes,
);

test.each(Object.entries(refactorings))(
  `no change of access, seed ${seed}: %s`,
  (title, refactoring) => {
    const fixtures = products.flatMap((product) =>
      sample.flatMap((each) => [...walk(randomFrom(`refactored ${product} ${each}`), product, 5)]),
    );
    // A role is had by its very name there, too.
    const free = fixtures.filter(({ settings }) => settings?.roles_mapping_resolution === undefined);
    expect(free.length).toBeGreaterThan(fixtures.length / 2);
    for (const fixture of free) {
      const refactored = refactoring(fixture, randomFrom(`refactoring ${seed}`));
      const { blockedDiff, statements, unknowns } = compareAccess(modelOfFixture(fixture), modelOfFixture(refactored));
      // There is one where one role has to permit all of a request.
      const isSplit = title === "a role split in two" && fixture.product !== "opensearch";
      const unexpected = isSplit ? unknowns.filter((text) => !isOfSeveralPermissions(text)) : unknowns;
      const reported = [...blockedDiff, ...statements, ...unexpected];
      if (reported.length > 0) expect({ fixture, refactored, reported }).toEqual({ fixture, refactored, reported: [] });
    }
  },
  minutes,
);
