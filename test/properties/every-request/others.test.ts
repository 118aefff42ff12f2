// The same on servers as they really are.
import { expect, test } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { seed } from "../seed.ts";
import { changesOf, playAll, sampleOf } from "./every-request.ts";
import { others } from "./kinds.ts";

const whole: Readonly<Record<string, { readonly fixtures: number; readonly scenarios: number }>> = {
  "search-guard-7": { fixtures: 454, scenarios: 54_378 },
  opensearch: { fixtures: 454, scenarios: 53_850 },
  "search-guard-6": { fixtures: 219, scenarios: 40_055 },
};

test.each(others)(
  isWhole ? "$title" : `$title, a sample, seed ${seed}`,
  async (kind) => {
    const tally = await playAll(kind, isWhole ? { changes: changesOf(kind, 3) } : sampleOf(kind, 4));
    expect(tally).toMatchObject({ broken: [], ...(isWhole ? whole[kind.title] : { fixtures: 4, scenarios: 48 }) });
  },
  3_600_000,
);
