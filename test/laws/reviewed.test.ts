// A plan that went through a file does what the plan itself would do: small worlds and larger ones.
import { describe, expect, test } from "vitest";
import { filedPlan } from "../../src/engine/filed/plan.ts";
import { planReviewed } from "../../src/engine/reviewed.ts";
import { connectToRead, RunError } from "../../src/index.ts";
import type { FiledPlan } from "../../src/model/plan-file.ts";
import { isWhole } from "../support/extent.ts";
import { applyPlan, filesOf } from "../support/workspace.ts";
import { generateWorld, smallWorlds, type World } from "../world/index.ts";
import { type Ground, planOrRefusal } from "./cycle.ts";
import { onEvery, useGrounds } from "./ground.ts";
import { rawOf, stage, wrongs } from "./oracle.ts";
import { seed, seeds } from "./seed.ts";

/** One line for each way in which the file does not stand for the plan. */
async function broken(world: World, ground: Ground): Promise<readonly string[]> {
  const { emulator, workspace, stated } = ground;
  workspace.write(filesOf(world));
  const before = stage(world, emulator);
  const planned = await planOrRefusal(world, ground);
  if (planned instanceof RunError) return [];
  const request = workspace.request(emulator.url, stated);
  const filed = filedPlan(planned, { allowed: request.allowed, key: undefined, cwd: request.cwd });
  const read = JSON.parse(JSON.stringify(filed)) as FiledPlan;
  // The folder of state files is not there where it is applied.
  workspace.write([]);
  const again = await planReviewed(read, "plan.json", request, connectToRead);
  const sent = JSON.stringify(again.plan.operations);
  const report = await applyPlan(again);
  return [
    ...(sent === JSON.stringify(planned.plan.operations) ? [] : [`other requests: ${sent}`]),
    ...(report.outcomes.length > 0 && report.verified !== true ? [`not verified: ${report.differing}`] : []),
    ...wrongs(world, before, rawOf(emulator)),
  ];
}

async function check(grounds: readonly Ground[], worlds: readonly World[]): Promise<void> {
  const lines: string[] = [];
  await onEvery(grounds, worlds, async (world, ground) => {
    try {
      lines.push(...(await broken(world, ground)).map((line) => `${world.seed}: ${line}`));
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      lines.push(`${world.seed}: ${error.message} ${error.letter.why}`);
    }
  });
  expect(lines).toEqual([]);
}

describe("a plan from its file", () => {
  const grounds = useGrounds(4);
  const some = [...smallWorlds({ seed })].filter((_, at) => at % (isWhole ? 6 : 18) === 0);
  test(`small worlds, seed ${seed}`, () => check(grounds(), some), 600_000);
  test("worlds of all families, with names that break tools and a config", () =>
    check(
      grounds(),
      seeds(8).map((each) => generateWorld({ seed: each, size: 12, nastyNames: 0.5, drift: 0.5, config: "drift" })),
    ));
});

describe("a plan from its file for an engine without PATCH", () => {
  const grounds = useGrounds(2, { server: { engine: "6.3.2" } });
  test("worlds of all families", () =>
    check(
      grounds(),
      seeds(4).map((each) => generateWorld({ seed: each, size: 6 })),
    ));
});
