// The order of writes, proved: every pair of states of one role with two permissions, two principals and a group.
import { expect, test } from "vitest";
import { partOf } from "../support/extent.ts";
import { fixturesOfProof } from "./order/one-role.ts";
import type { Pair } from "./order/pairs.ts";
import { countsText, holdToProperty, missesOften, sampleOf, summaryOf } from "./order/property.ts";
import { serverOf } from "./order/server.ts";
import { seed } from "./seed.ts";

test("every pair of states of one role", async () => {
  const fixtures = fixturesOfProof("opensearch");
  const pairs = fixtures.flatMap((before) =>
    fixtures.flatMap((after): Pair[] => (after === before ? [] : [[before, after]])),
  );
  expect(pairs).toHaveLength(9_900);
  const sample = partOf(pairs) ?? sampleOf(pairs, 150, `order small ${seed}`);
  const { counts, broken } = await holdToProperty(serverOf("opensearch"), sample);
  console.info(`The order of writes, small: ${countsText(counts)}`);
  expect(summaryOf(broken)).toEqual([]);
  expect(missesOften(counts)).toBe(false);
  // Else the property would say nothing of orders that had to be found.
  expect(counts.get("tried in every order") ?? 0).toBeGreaterThan(0);
}, 600_000);
