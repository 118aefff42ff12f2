// A plan that went through a file does what the plan itself would do: small fixtures and larger ones.
import { describe, expect, test } from "vitest";
import { encodeArtifact } from "../../src/artifacts/artifact.ts";
import { openSavedPlan } from "../../src/artifacts/saved-plan/open.ts";
import { encodeSavedPlan } from "../../src/artifacts/saved-plan/plan.ts";
import { planReviewed } from "../../src/engine/saved-plan.ts";
import { connectToRead, RunError } from "../../src/index.ts";
import { type Fixture, generateFixture, smallFixtures } from "../fixtures/index.ts";
import { everyNth } from "../support/extent.ts";
import { applyPlan, filesOf } from "../support/workspace.ts";
import { type Harness, planOrRefusal } from "./cycle.ts";
import { onEvery, useGrounds } from "./harness.ts";
import { rawOf, stage, wrongs } from "./oracle.ts";
import { seed, seeds } from "./seed.ts";

/** One line for each way in which the file does not represent the plan. */
async function broken(fixture: Fixture, harness: Harness): Promise<readonly string[]> {
  const { emulator, workspace, stated } = harness;
  workspace.write(filesOf(fixture));
  const before = stage(fixture, emulator);
  const planned = await planOrRefusal(fixture, harness);
  if (planned instanceof RunError) return [];
  const request = workspace.request(emulator.url, stated);
  const saved = encodeSavedPlan(planned, { ...request, key: undefined, folder: request.cwd });
  const read = openSavedPlan("plan.json", encodeArtifact("plan-file", saved), undefined);
  // The folder of state files is not there where it is applied.
  workspace.write([]);
  const again = await planReviewed(read, "plan.json", request, connectToRead);
  const sent = JSON.stringify(again.plan.operations);
  const report = await applyPlan(again);
  return [
    ...(sent === JSON.stringify(planned.plan.operations) ? [] : [`other requests: ${sent}`]),
    ...(report.outcomes.length > 0 && report.verified !== true ? [`not verified: ${report.differing}`] : []),
    ...wrongs(fixture, before, rawOf(emulator)),
  ];
}

async function check(grounds: readonly Harness[], fixtures: readonly Fixture[]): Promise<void> {
  const lines: string[] = [];
  await onEvery(grounds, fixtures, async (fixture, harness) => {
    try {
      lines.push(...(await broken(fixture, harness)).map((line) => `${fixture.seed}: ${line}`));
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      lines.push(`${fixture.seed}: ${error.message} ${error.userMessage.why}`);
    }
  });
  expect(lines).toEqual([]);
}

describe("a plan from its file", () => {
  const grounds = useGrounds(4);
  const some = everyNth(
    3,
    [...smallFixtures({ seed })].filter((_, at) => at % 6 === 0),
  );
  test(`small fixtures, seed ${seed}`, () => check(grounds(), some), 600_000);
  test("fixtures of all families, with names that break tools and a config", () =>
    check(
      grounds(),
      seeds(8).map((each) => generateFixture({ seed: each, size: 12, nastyNames: 0.5, drift: 0.5, config: "drift" })),
    ));
});

describe("a plan from its file for an engine without PATCH", () => {
  const grounds = useGrounds(2, { server: { engine: "6.3.2" } });
  test("fixtures of all families", () =>
    check(
      grounds(),
      seeds(4).map((each) => generateFixture({ seed: each, size: 6 })),
    ));
});
