// What a principal holds in between depends on no more of a plan than `reach.ts` says: orders are searched by that alone.
import { expect, test } from "vitest";
import { findConcerned } from "../../src/access/compare/between/concerned.ts";
import { createBreachFinder } from "../../src/access/compare/between/intermediate-check.ts";
import { createTableBuilder } from "../../src/access/compare/table/table-builder.ts";
import {
  createIntermediateStates,
  createStatePair,
  cutIntoBatches,
  type StatePair,
} from "../../src/plan/order/intermediate-states.ts";
import { createReachFinder } from "../../src/plan/order/reach.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { changesBetween } from "../support/ordered.ts";
import { products, walk } from "./access/fixtures.ts";
import { seed } from "./seed.ts";

const walks = countOf(60, 4);

test.each(products)(`random fixtures, seed ${seed}: %s`, (product) => {
  const counts = { pairs: 0, intermediateStates: 0, faults: 0, less: 0 };
  for (let at = 0; at < walks; at++) {
    const random = randomFrom(`reach ${product} ${seed} ${at}`);
    const fixtures = [...walk(random, product, 24)];
    for (let from = 0; from + 12 < fixtures.length; from += 3) {
      const found = held(fixtures[from] as Fixture, fixtures[from + 12] as Fixture, random);
      counts.pairs += 1;
      for (const { whole, part, isLess } of found) {
        counts.intermediateStates += 1;
        if (whole) counts.faults += 1;
        if (isLess) counts.less += 1;
        expect(part, `walk ${at} from ${from}`).toEqual(whole);
      }
    }
  }
  console.info(`What a principal holds depends on, ${product}: ${JSON.stringify(counts)}`);
  expect(counts.faults).toBeGreaterThan(0);
  expect(counts.less).toBeGreaterThan(0);
});

/** In some intermediate states, for every principal concerned: the faults, and those that the principal's own fragments alone make. */
function held(before: Fixture, after: Fixture, random: Random) {
  const sequences = changesBetween(before, after);
  const statePair = createStatePair(modelOfFixture(before), modelOfFixture(after));
  const intermediateStates = createIntermediateStates(
    cutIntoBatches(sequences, ({ name }, _, at) => `${at} ${name}`),
    statePair,
  );
  const [ofWhole, ofPart] = [finder(statePair), finder(statePair)];
  const reach = createReachFinder(statePair, sequences.flat());
  const { concerned } = findConcerned(statePair.before, statePair.after);
  return Array.from({ length: 6 }, () => maskFrom(intermediateStates.batches.length, random)).flatMap((made) =>
    concerned.map((one) => {
      const own = made & intermediateStates.bitsOfFragments(reach(one));
      const [whole, part] = [ofWhole(one, intermediateStates.at(made)), ofPart(one, intermediateStates.at(own))];
      return { whole: whole?.kind, part: part?.kind, isLess: own !== made };
    }),
  );
}

function finder({ before, after, touched }: StatePair) {
  const ends = [
    { touched: touched.before, all: before },
    { touched: touched.after, all: after },
  ] as const;
  return createBreachFinder(ends, createTableBuilder()).of;
}

function maskFrom(batches: number, random: Random): bigint {
  let made = 0n;
  for (let at = 0; at < batches; at++) if (random.chance(0.5)) made |= 1n << BigInt(at);
  return made;
}
