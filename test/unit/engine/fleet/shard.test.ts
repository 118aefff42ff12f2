// In which part a target is must not move: a job that runs again, or a new target, would have others asked.
import { expect, test } from "vitest";
import { findShard } from "../../../../src/engine/fleet/shard.ts";

test("targets are spread over the parts, each in one of them", () => {
  const counts = Array.from({ length: 16 }, () => 0);
  for (let at = 0; at < 1600; at++)
    counts[findShard(`cluster-${at}`, 16)] = (counts[findShard(`cluster-${at}`, 16)] ?? 0) + 1;
  expect(counts.reduce((sum, count) => sum + count)).toBe(1600);
  expect(Math.min(...counts)).toBeGreaterThan(60);
  expect(Math.max(...counts)).toBeLessThan(140);
});

test("a name is in the same part in every release", () => {
  expect(["dev", "prod-eu", "prod-us"].map((name) => findShard(name, 16))).toEqual([6, 10, 2]);
});
