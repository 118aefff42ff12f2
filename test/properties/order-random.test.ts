// The order of writes between random fixtures: two roles, two principals and a backend role, group, tenant, block, DLS.
import { expect, test } from "vitest";
import { randomFrom } from "../fixtures/index.ts";
import { countOf } from "../support/extent.ts";
import { products } from "./access/fixtures.ts";
import { pairFrom } from "./order/pairs.ts";
import { countsText, holdToProperty, missesOften, summaryOf } from "./order/property.ts";
import { serverOf } from "./order/server.ts";
import { seed } from "./seed.ts";

const count = countOf(3_400, 80);

test.each(products)(
  `random fixtures, seed ${seed}: %s`,
  async (product) => {
    const random = randomFrom(`order of writes ${product} ${seed}`);
    const pairs = Array.from({ length: count }, () => pairFrom(random, product));
    const { counts, broken } = await holdToProperty(serverOf(product), pairs);
    console.info(`The order of writes, ${product}: ${countsText(counts)}`);
    expect(summaryOf(broken)).toEqual([]);
    expect(missesOften(counts)).toBe(false);
    expect(counts.get("tried in every order") ?? 0).toBeGreaterThan(0);
  },
  1_800_000,
);
