// A region is complete: a name matches its list exactly when it belongs to the region, by a matcher of its own.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { createParting } from "../../src/access/compare/table/parts.ts";
import { getRegion } from "../../src/access/compare/table/region.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { matches } from "../support/evaluator-patterns.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { products, walk } from "./access/fixtures.ts";
import { isWithin } from "./access/holds.ts";
import { seed, seeds } from "./seed.ts";

const sample = seeds(3000, 200);

/** Patterns that overlap in all ways: stars, question marks, plain names, regular expressions. */
function patternFrom(random: Random): string {
  const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(["a", "b", "-", "*", "*", "?"])).join("");
  return random.chance(0.2) ? `/${random.pick(["a.*", "[ab]-.*", ".*b", "a?b", "(a|b).*"])}/` : text;
}

function nameFrom(random: Random): string {
  return Array.from({ length: 1 + random.below(5) }, () => random.pick(["a", "b", "c", "-"])).join("");
}

test(`names and regions of random patterns, seed ${seed}`, () => {
  let inside = 0;
  let joint = 0;
  for (const each of sample) {
    const random = randomFrom(`regions ${each}`);
    const patterns = new Set(Array.from({ length: 1 + random.below(7) }, () => patternFrom(random)));
    const kind = random.pick(["index", "text"] as const);
    const parts = createParting()(patterns, kind);
    const signature = (name: string) => [...patterns].map((pattern) => matches(pattern, name)).join();
    const bySignature = new Map(parts.cells.map(({ example }, part) => [signature(example), part]));
    const some = parts.every.filter(() => random.chance(0.4));
    if (some.length === 0) continue;
    const region = getRegion(parts, some);
    expect(region.terms.length, "of a region that is not empty").toBeGreaterThan(0);
    for (const { allOf } of region.terms) expect(allOf).not.toEqual([]);
    joint += region.terms.filter(({ allOf }) => allOf.length > 1).length;
    const names = [...parts.cells.map(({ example }) => example), ...Array.from({ length: 30 }, () => nameFrom(random))];
    for (const name of names) {
      const part = bySignature.get(signature(name));
      // No index can have such a name.
      if (part === undefined) continue;
      const isIn = some.includes(part);
      if (isIn) inside++;
      if (isWithin(region, name) !== isIn) {
        expect({ patterns: [...patterns], region, name, isIn }).toEqual({});
      }
    }
  }
  expect(inside).toBeGreaterThan(sample.length);
  expect(joint, "terms of several patterns").toBeGreaterThan(0);
});

test.each(products)(`no list of a difference is empty, seed ${seed}: %s`, (product) => {
  let count = 0;
  for (const each of seeds(60, 3)) {
    const fixtures: readonly Fixture[] = [...walk(randomFrom(`listed ${product} ${each}`), product, 20)];
    for (const [at, after] of fixtures.slice(1).entries()) {
      const { statements } = compareAccess(modelOfFixture(fixtures[at] ?? after), modelOfFixture(after));
      for (const { actions, indices, witness } of statements.flatMap(({ differences }) => differences)) {
        count++;
        expect(isWithin(actions, witness.action)).toBe(true);
        expect(indices === undefined || isWithin(indices, witness.index ?? "")).toBe(true);
        for (const region of [actions, ...(indices ? [indices] : [])]) {
          expect(region.terms).not.toEqual([]);
          for (const example of region.examples) expect(isWithin(region, example), example).toBe(true);
        }
      }
    }
  }
  expect(count).toBeGreaterThan(10);
});
