// The access diff of a plan names exactly what changes for somebody, and calls it what it is; what only says the same
// otherwise changes nothing. By the naive judge, which real servers agree with.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { isWhole } from "../support/extent.ts";
import type { World } from "../support/judged.ts";
import { modelOfWorld } from "../support/modelled.ts";
import { randomFrom } from "../world/index.ts";
import { brokenDiff } from "./access/diff.ts";
import { refactorings } from "./access/refactorings.ts";
import { products, walk, worldsOfOneRole, worldsOfTwoRoles } from "./access/worlds.ts";
import { seed, seeds } from "./seed.ts";

const minutes = 600_000;
const sample = isWhole ? 60 : 3;

function check(pairs: readonly (readonly [World, World])[]): void {
  for (const [before, after] of pairs) {
    const broken = brokenDiff(before, after);
    // Shown only where something is.
    if (broken.length > 0) expect({ before, after, broken }).toEqual({ before, after, broken: [] });
  }
}

function everyPair(worlds: readonly World[]): readonly (readonly [World, World])[] {
  return worlds.flatMap((before) => worlds.map((after) => [before, after] as const));
}

/** Kinds of worlds in turn; in CI each of them. */
function inTurn(kinds: readonly (readonly World[])[], howMany: number): void {
  const pairs = kinds.map(everyPair);
  const ofOneKind = pairs[0] ?? [];
  expect(ofOneKind).toHaveLength(howMany);
  check(isWhole ? pairs.flat() : ofOneKind.map((pair, at) => pairs[at % pairs.length]?.[at] ?? pair));
}

test("every pair of worlds of one role", () => inTurn(products.map(worldsOfOneRole), 900), minutes);

test(
  "every pair of worlds of two roles",
  () => {
    // There what is not restricted lifts the restrictions of others.
    const lifting = worldsOfTwoRoles("opensearch", { dfm_empty_overrides_all: true });
    inTurn([...products.map((product) => worldsOfTwoRoles(product)), lifting], 625);
  },
  minutes,
);

test.each(products)(
  `worlds at random, one after the other, seed ${seed}: %s`,
  (product) => {
    const pairs = seeds(sample).flatMap((each) => {
      const worlds = [...walk(randomFrom(`access ${product} ${each}`), product, 20)];
      return worlds.slice(1).map((after, at) => [worlds[at] ?? after, after] as const);
    });
    expect(pairs).toHaveLength(20 * sample);
    check(pairs);
  },
  minutes,
);

test.each(Object.entries(refactorings))(
  `no change of access, seed ${seed}: %s`,
  (_, refactoring) => {
    const worlds = products.flatMap((product) =>
      seeds(sample).flatMap((each) => [...walk(randomFrom(`refactored ${product} ${each}`), product, 5)]),
    );
    // A role is had by its very name there, too.
    const free = worlds.filter(({ settings }) => settings?.roles_mapping_resolution === undefined);
    expect(free.length).toBeGreaterThan(worlds.length / 2);
    for (const world of free) {
      const refactored = refactoring(world, randomFrom(`refactoring ${seed}`));
      const { entering, statements, untold } = compareAccess(modelOfWorld(world), modelOfWorld(refactored));
      const said = [...entering, ...statements, ...untold];
      if (said.length > 0) expect({ world, refactored, said }).toEqual({ world, refactored, said: [] });
    }
  },
  minutes,
);
