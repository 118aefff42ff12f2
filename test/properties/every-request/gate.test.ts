// Whatever goes wrong at whichever request: every fault at every request of every fixture with up to three changes.
import { expect, test } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { seed } from "../seed.ts";
import { extentOf, fewestScenarios, playAll } from "./every-request.ts";
import { gate } from "./kinds.ts";

// 14 fixtures change the config, and at most tenants and the license beside it. Their config lets in users without a login:
// the guard `login` needs to know what these would have, so roles, mappings, action groups and blocks are read as well. In
// four of them planning is disturbed at each of these reads.
test(isWhole ? "gate, all fixtures" : `gate, a part, seed ${seed}`, async () => {
  const extent = extentOf(gate, 16);
  const tally = await playAll(gate, extent);
  expect(tally).toMatchObject({ broken: [], ...(isWhole && { fixtures: 1103, scenarios: 147_277 }) });
  expect(tally.scenarios).toBeGreaterThanOrEqual(fewestScenarios(extent));
}, 3_600_000);
