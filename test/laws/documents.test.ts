// Config and license, alone and together with resources, in every state that two texts of a license allow.
import { describe, expect, test } from "vitest";
import { license } from "../support/license.ts";
import { generateWorld } from "../world/index.ts";
import { brokenLaws } from "./cycle.ts";
import { useGround } from "./ground.ts";
import type { Licensed } from "./oracle.ts";
import { seed } from "./seed.ts";

const [old, other] = [license("old"), license("other")];
const licenses: readonly (readonly [what: string, license: NonNullable<Licensed["license"]>])[] = [
  ["a license that nobody declares", { held: old }],
  ["a first license", { wanted: old }],
  ["the same license", { held: old, wanted: old }],
  ["another license", { held: old, wanted: other }],
  ["no license", {}],
];

describe.each(licenses)("%s", (_what, license) => {
  const ground = useGround();
  test.each(["absent", "in-sync", "drift"] as const)(`config %s, seed ${seed}`, async (config) => {
    for (const size of [0, 2, 4]) {
      const world = generateWorld({ seed, size, config });
      expect(await brokenLaws({ ...world, license }, ground()), world.seed).toEqual([]);
    }
  });
});
