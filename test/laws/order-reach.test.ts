// What somebody holds in between depends on no more of a plan than `reach.ts` says: orders are searched by that alone.
import { expect, test } from "vitest";
import { breachFinder } from "../../src/access/compare/between.ts";
import { concernedBy } from "../../src/access/compare/concerned.ts";
import { parting } from "../../src/access/compare/parts.ts";
import { type Around, aroundOf, cut, momentsOf } from "../../src/plan/order/moments.ts";
import { reachFinder } from "../../src/plan/order/reach.ts";
import { isWhole } from "../support/extent.ts";
import type { World } from "../support/judged.ts";
import { modelOfWorld } from "../support/modelled.ts";
import { changesBetween } from "../support/ordered.ts";
import { type Random, randomFrom } from "../world/index.ts";
import { products, walk } from "./access/worlds.ts";
import { seed } from "./seed.ts";

const walks = isWhole ? 60 : 4;

test.each(products)(`worlds at random, seed ${seed}: %s`, (product) => {
  const counts = { pairs: 0, moments: 0, faults: 0, less: 0 };
  for (let at = 0; at < walks; at++) {
    const random = randomFrom(`reach ${product} ${seed} ${at}`);
    const worlds = [...walk(random, product, 24)];
    for (let from = 0; from + 12 < worlds.length; from += 3) {
      const found = held(worlds[from] as World, worlds[from + 12] as World, random);
      counts.pairs += 1;
      for (const { whole, part, isLess } of found) {
        counts.moments += 1;
        if (whole) counts.faults += 1;
        if (isLess) counts.less += 1;
        expect(part, `walk ${at} from ${from}`).toEqual(whole);
      }
    }
  }
  console.info(`What somebody holds depends on, ${product}: ${JSON.stringify(counts)}`);
  expect(counts.faults).toBeGreaterThan(0);
  expect(counts.less).toBeGreaterThan(0);
});

/** At some moments, for everybody concerned: what is wrong, and what is by what somebody's own atoms alone have made. */
function held(before: World, after: World, random: Random) {
  const lanes = changesBetween(before, after);
  const around = aroundOf(modelOfWorld(before), modelOfWorld(after));
  const moments = momentsOf(
    cut(lanes, ({ name }, _, at) => `${at} ${name}`),
    around,
    false,
  );
  const [ofWhole, ofPart] = [finder(around), finder(around)];
  const reach = reachFinder(around, lanes.flat());
  const { concerned } = concernedBy(around.before, around.after);
  return Array.from({ length: 6 }, () => maskFrom(moments.pieces.length, random)).flatMap((made) =>
    concerned.map((one) => {
      const own = made & moments.bitsOfAtoms(reach(one));
      const [whole, part] = [ofWhole(one, moments.at(made)), ofPart(one, moments.at(own))];
      return { whole: whole?.kind, part: part?.kind, isLess: own !== made };
    }),
  );
}

function finder({ before, after, touched }: Around) {
  const ends = [
    { touched: touched.before, all: before },
    { touched: touched.after, all: after },
  ] as const;
  return breachFinder(ends, parting()).of;
}

function maskFrom(pieces: number, random: Random): bigint {
  let made = 0n;
  for (let at = 0; at < pieces; at++) if (random.chance(0.5)) made |= 1n << BigInt(at);
  return made;
}
