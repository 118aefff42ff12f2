// The same on servers as they really are: all worlds with up to two changes, and one in three of those with three.
import { expect, test } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { seed } from "../seed.ts";
import { changesOf, type Extent, playAll, sampleOf } from "./every-request.ts";
import { type Kind, others } from "./kinds.ts";

const whole: Readonly<Record<string, { readonly worlds: number; readonly scenarios: number }>> = {
  "search-guard-7": { worlds: 212, scenarios: 26_764 },
  opensearch: { worlds: 212, scenarios: 26_236 },
  "search-guard-6": { worlds: 109, scenarios: 20_041 },
};

test.each(others)(
  isWhole ? "$title" : `$title, a sample, seed ${seed}`,
  async (kind) => {
    const tally = await playAll(kind, isWhole ? extentOf(kind) : sampleOf(kind, 4));
    expect(tally).toMatchObject({ broken: [], ...(isWhole ? whole[kind.title] : { worlds: 4, scenarios: 48 }) });
  },
  1_200_000,
);

function extentOf(kind: Kind): Extent {
  const all = changesOf(kind, 3);
  const most = all.filter((changes) => changes.length === 3);
  return { changes: all.filter((changes) => changes.length < 3 || most.indexOf(changes) % 3 === 0) };
}
