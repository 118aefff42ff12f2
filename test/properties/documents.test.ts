// Config and license, alone and together with resources, in every state that two texts of a license allow.
import { describe, expect, test } from "vitest";
import { generateFixture } from "../fixtures/index.ts";
import { license } from "../support/license.ts";
import { brokenProperties } from "./cycle.ts";
import { useHarness } from "./harness.ts";
import type { Licensed } from "./oracle.ts";
import { seed } from "./seed.ts";

const [old, other] = [license("old"), license("other")];
const licenses: readonly (readonly [what: string, license: NonNullable<Licensed["license"]>])[] = [
  ["an undeclared license", { held: old }],
  ["a first license", { wanted: old }],
  ["the same license", { held: old, wanted: old }],
  ["another license", { held: old, wanted: other }],
  ["no license", {}],
];

describe.each(licenses)("%s", (_what, license) => {
  const harness = useHarness();
  test.each(["absent", "in-sync", "drift"] as const)(`config %s, seed ${seed}`, async (config) => {
    for (const size of [0, 2, 4]) {
      const fixture = generateFixture({ seed, size, config });
      expect(await brokenProperties({ ...fixture, license }, harness()), fixture.seed).toEqual([]);
    }
  });
});
