// The order of writes, proved: every pair of states of one role with two permissions, two principals and a group.
import { expect, test } from "vitest";
import { isWhole } from "../support/extent.ts";
import { countsText, holdToLaw, sampleOf, summaryOf } from "./order/law.ts";
import { worldsOfProof } from "./order/one-role.ts";
import type { Pair } from "./order/pairs.ts";
import { serverOf } from "./order/server.ts";
import { seed } from "./seed.ts";

test("every pair of states of one role", async () => {
  const worlds = worldsOfProof("opensearch");
  const pairs = worlds.flatMap((before) =>
    worlds.flatMap((after): Pair[] => (after === before ? [] : [[before, after]])),
  );
  expect(pairs).toHaveLength(9_900);
  const sample = isWhole ? pairs : sampleOf(pairs, 150, `order small ${seed}`);
  const { counts, broken } = await holdToLaw(serverOf("opensearch"), sample);
  console.info(`The order of writes, small: ${countsText(counts)}`);
  expect(summaryOf(broken)).toEqual([]);
  // Else the law would say nothing of orders that had to be found.
  expect(counts.get("tried in every order") ?? 0).toBeGreaterThan(0);
}, 600_000);
