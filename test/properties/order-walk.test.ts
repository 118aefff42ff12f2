// The order of the writes: after each of the requests no one holds what neither the state before nor the one after
// grants, or misses what both grant; or the plan says so. By the naive evaluator, which real servers agree with.
import { expect, test } from "vitest";
import { randomFrom } from "../fixtures/index.ts";
import { countOf } from "../support/extent.ts";
import { inOrder } from "../support/ordered.ts";
import { products, walk } from "./access/fixtures.ts";
import { breachesBetween } from "./order/batches.ts";
import { seed, seeds } from "./seed.ts";

test.each(products)(
  `random fixtures, seed ${seed}: %s`,
  (product) => {
    const counts = { usual: 0, moved: 0, split: 0, explained: 0 };
    for (const each of seeds(20, 2)) {
      const fixtures = [...walk(randomFrom(`order ${product} ${each}`), product, countOf(24, 20))];
      for (const [at, before] of fixtures.slice(0, -4).entries()) {
        const after = fixtures[at + 4] ?? before;
        const { between, families, faults, reasons } = inOrder(before, after);
        const found = between.flatMap(breachesBetween(before, after));
        if (faults.length > 0) {
          counts.explained += 1;
          // What is reported is so, but for what is unknown.
          if (faults.every(({ kind }) => kind !== "unsure"))
            expect(found, JSON.stringify([before, after, faults])).not.toEqual([]);
        } else {
          const isSplit = new Set(families).size < families.length;
          counts[isSplit ? "split" : reasons.some(Boolean) ? "moved" : "usual"] += 1;
          expect(found, JSON.stringify([before, after, families])).toEqual([]);
        }
      }
    }
    // Else the property would say nothing of orders that had to be found.
    expect([counts.usual > 20, counts.moved > 0], JSON.stringify(counts)).toEqual([true, true]);
  },
  600_000,
);
