// Random fixtures of all families through all the properties: many names, names that break tools, other owners, a config.
import { describe, expect, test } from "vitest";
import { count, type Fixture, type FixtureOptions, generateFixture } from "../fixtures/index.ts";
import { filesOf } from "../support/workspace.ts";
import { brokenProperties, type Harness } from "./cycle.ts";
import { useHarness } from "./harness.ts";
import { stage } from "./oracle.ts";
import { seeds } from "./seed.ts";
import { withVendorFields } from "./vendor.ts";

const minutes = 600_000;

const withMore = (fixture: Fixture) => withVendorFields(fixture, { keep: [3, 1, 2] });

async function check(harness: Harness, options: FixtureOptions, change = (fixture: Fixture) => fixture) {
  const fixture = change(generateFixture(options));
  expect(await brokenProperties(fixture, harness), fixture.seed).toEqual([]);
}

describe("the newest release", () => {
  const harness = useHarness();
  test.each(seeds(14))("a handful in each family, seed %i", (seed) =>
    check(harness(), { seed, size: seed % 9, nastyNames: 0.4, config: seed % 2 === 0 ? "drift" : "in-sync" }),
  );
  test.each(seeds(4))("sixty in each family, seed %i", (seed) =>
    check(harness(), { seed, size: 60, nastyNames: 0.2, config: "drift" }),
  );
  test.each(seeds(4))("unknown fields, seed %i", (seed) =>
    check(harness(), { seed, size: 20, nastyNames: 0.2, drift: 0.7 }, withMore),
  );
  test.each(seeds(1))(
    "six hundred in each family, seed %i",
    (seed) => check(harness(), { seed, size: 600, deletions: 100 }),
    minutes,
  );
  test.each(seeds(1))(
    "every name breaks a tool, seed %i",
    (seed) => check(harness(), { seed, size: 50, nastyNames: 1, drift: 1 }),
    minutes,
  );
});

describe("6.x-25", () => {
  const release = "6.x-25";
  const harness = useHarness({ server: { release }, stated: { product: "gate", release } });
  test.each(seeds(4))("thirty in each family, seed %i", (seed) =>
    check(harness(), { seed, size: 30, nastyNames: 0.2, config: "drift", release }),
  );
});

describe("an engine without PATCH of role mappings and action groups", () => {
  const harness = useHarness({ server: { engine: "6.3.2" }, withoutPatch: ["action_groups", "role_mappings"] });
  test.each(seeds(4))("twenty in each family, seed %i", (seed) =>
    check(harness(), { seed, size: 20, nastyNames: 0.2 }, withMore),
  );
});

describe("adopt", () => {
  const harness = useHarness({ mode: "adopt" });
  // What would be deleted is another writer's.
  const kept = (fixture: Fixture): Fixture => {
    const changeOutcomes = [...fixture.expected].map(([family, each]) => {
      const pairs = [...each].map(
        ([name, changeOutcome]) => [name, changeOutcome === "delete" ? "unmanaged" : changeOutcome] as const,
      );
      return [family, new Map(pairs)] as const;
    });
    return { ...fixture, expected: new Map(changeOutcomes) };
  };
  test.each(seeds(4))("deletes nothing, seed %i", (seed) => check(harness(), { seed, size: 15 }, kept));
});

describe("observe", () => {
  const harness = useHarness({ mode: "observe" });
  test.each(seeds(4))("plans no request, seed %i", async (seed) => {
    const { emulator, workspace } = harness();
    const fixture = generateFixture({ seed, size: 15, drift: 0.5 });
    stage(fixture, emulator);
    workspace.write(filesOf(fixture));
    const { plan } = await workspace.plan(emulator.url);
    expect(plan.operations).toEqual([]);
    const observed = plan.changes.filter(({ reason }) => reason === "observed").length;
    expect(observed).toBe(count(fixture, "create") + count(fixture, "update") + count(fixture, "delete"));
  });
});
