// The order of writes on the model, without a server: so many random fixtures as no server could play, and every pair of
// states of two roles.
import { expect, test } from "vitest";
import { randomFrom } from "../fixtures/index.ts";
import { countOf, isWhole, partOf } from "../support/extent.ts";
import { products } from "./access/fixtures.ts";
import { holdToModel } from "./order/model-property.ts";
import { type Pair, pairFrom } from "./order/pairs.ts";
import { countsText, missesOften, sampleOf, summaryOf } from "./order/property.ts";
import { fixturesOfTwoRoles, isFewest } from "./order/two-roles.ts";
import { seed } from "./seed.ts";

/** Some of them are no fixtures of OpenSearch. */
const count = countOf(350_000, 350);

test.each(products)(
  `random fixtures, seed ${seed}: %s`,
  (product) => {
    const { counts, broken } = holdToModel(product, pairsAtRandom(product), countOf(1_000, 100));
    console.info(`The order of writes on the model, ${product}: ${countsText(counts)}`);
    expect(summaryOf(broken)).toEqual([]);
    // Else the property would say nothing of orders that had to be found.
    for (const kind of ["moved", "split", "reported"]) expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(0);
    if (isWhole) expect(counts.get("pairs")).toBeGreaterThan(1_000_000 / products.length);
  },
  1_800_000,
);

test("every pair of states of two roles", () => {
  const fixtures = fixturesOfTwoRoles();
  const pairs = fixtures.flatMap((before) =>
    fixtures.flatMap((after): Pair[] => (after === before ? [] : [[before, after]])),
  );
  expect(pairs).toHaveLength(65_280);
  const sample = partOf(pairs) ?? sampleOf(pairs, 300, `order of two roles ${seed}`);
  const { counts, broken } = holdToModel("opensearch", sample, countOf(1_000, 100), isFewest);
  console.info(`The order of writes on the model, two roles: ${countsText(counts)}`);
  expect(summaryOf(broken)).toEqual([]);
  expect(missesOften(counts)).toBe(false);
  expect(counts.get("split, and tried in every order") ?? 0).toBeGreaterThan(0);
}, 1_800_000);

function* pairsAtRandom(product: (typeof products)[number]): Generator<Pair> {
  const random = randomFrom(`order of writes on the model ${product} ${seed}`);
  for (let at = 0; at < count; at++) yield pairFrom(random, product);
}
