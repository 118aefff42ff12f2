// The order of the writes: after each of the requests nobody holds what neither the state before nor the one after
// grants, or misses what both grant; or the plan says so. By the naive judge, which real servers agree with.
import { expect, test } from "vitest";
import { isWhole } from "../support/extent.ts";
import type { World } from "../support/judged.ts";
import { inOrder } from "../support/ordered.ts";
import { randomFrom } from "../world/index.ts";
import { both, personOf, type Somebody, waysIn } from "./access/people.ts";
import { type Seen, seenBy, tenantsSeen } from "./access/seen.ts";
import { products, walk } from "./access/worlds.ts";
import { seed, seeds } from "./seed.ts";

/** Everything that is held, piece by piece: of a document with a field, as clearly as it is shown. */
function pieces(world: World, { person }: Somebody): ReadonlySet<string> {
  const seen = [...seenBy(world, person)].flatMap(([at, what]) => piecesOf(what).map((piece) => `${at} ${piece}`));
  const tenants = [...tenantsSeen(world, person)].flatMap(([tenant, level]) =>
    level === "write" ? [`${tenant} read`, `${tenant} write`] : [`${tenant} read`],
  );
  return new Set([...seen, ...tenants]);
}

function piecesOf(seen: Seen): readonly string[] {
  if (seen === "denied") return [];
  if (seen === "allowed") return ["allowed"];
  return seen.docs.flatMap((document) => [
    `${document}`,
    ...seen.fields.flatMap((look, field) => {
      if (look === "hidden") return [];
      return look === "shown" ? [`${document} ${field} 1`, `${document} ${field} 2`] : [`${document} ${field} 1`];
    }),
  ]);
}

function breaches(before: World, between: World, after: World): readonly string[] {
  const alone = waysIn(before, after).map((way): Somebody => ({ ways: [way], person: personOf([way]) }));
  const pairs = alone.flatMap((first, at) => alone.slice(at + 1).flatMap((second) => both(first, second) ?? []));
  return [...alone, ...pairs].flatMap((somebody) => {
    const [was, now, is] = [before, between, after].map((world) => pieces(world, somebody)) as [
      Set<string>,
      Set<string>,
      Set<string>,
    ];
    const leaks = [...now].filter((piece) => !was.has(piece) && !is.has(piece)).map((piece) => `leak ${piece}`);
    const outages = [...was].filter((piece) => is.has(piece) && !now.has(piece)).map((piece) => `outage ${piece}`);
    return [...leaks, ...outages].slice(0, 2).map((what) => `${JSON.stringify(somebody.ways)} ${what}`);
  });
}

test.each(products)(
  `worlds at random, seed ${seed}: %s`,
  (product) => {
    const counts = { usual: 0, moved: 0, split: 0, told: 0 };
    for (const each of seeds(isWhole ? 20 : 2)) {
      const worlds = [...walk(randomFrom(`order ${product} ${each}`), product, isWhole ? 24 : 20)];
      for (const [at, before] of worlds.slice(0, -4).entries()) {
        const after = worlds[at + 4] ?? before;
        const { between, families, faults, reasons } = inOrder(before, after);
        const found = between.flatMap((world) => breaches(before, world, after));
        if (faults.length > 0) {
          counts.told += 1;
          // What is told is so, but for what nobody can tell.
          if (faults.every(({ kind }) => kind !== "unsure"))
            expect(found, JSON.stringify([before, after, faults])).not.toEqual([]);
        } else {
          const isSplit = new Set(families).size < families.length;
          counts[isSplit ? "split" : reasons.length > 0 ? "moved" : "usual"] += 1;
          expect(found, JSON.stringify([before, after, families])).toEqual([]);
        }
      }
    }
    // Else the law would say nothing of orders that had to be found.
    expect([counts.usual > 20, counts.moved > 0], JSON.stringify(counts)).toEqual([true, true]);
  },
  180_000,
);
