// The same on servers as they really are.
import { expect, test } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { seed } from "../seed.ts";
import { extentOf, fewestScenarios, playAll } from "./every-request.ts";
import { others } from "./kinds.ts";

const whole: Readonly<Record<string, { readonly fixtures: number; readonly scenarios: number }>> = {
  "search-guard-7": { fixtures: 454, scenarios: 54_378 },
  opensearch: { fixtures: 454, scenarios: 53_850 },
  "search-guard-6": { fixtures: 219, scenarios: 40_055 },
};

test.each(others)(
  isWhole ? "$title" : `$title, a part, seed ${seed}`,
  async (kind) => {
    const extent = extentOf(kind, 4);
    const tally = await playAll(kind, extent);
    expect(tally).toMatchObject({ broken: [], ...(isWhole && whole[kind.title]) });
    expect(tally.scenarios).toBeGreaterThanOrEqual(fewestScenarios(extent));
  },
  3_600_000,
);
