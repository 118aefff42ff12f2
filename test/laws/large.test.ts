// Random worlds of all families through all the laws: many names, names that break tools, other owners, a config.
import { describe, expect, test } from "vitest";
import { filesOf } from "../support/workspace.ts";
import { count, generateWorld, type World, type WorldOptions } from "../world/index.ts";
import { brokenLaws, type Ground } from "./cycle.ts";
import { useGround } from "./ground.ts";
import { stage } from "./oracle.ts";
import { seeds } from "./seed.ts";
import { withVendorFields } from "./vendor.ts";

const minutes = 600_000;

const withMore = (world: World) => withVendorFields(world, { keep: [3, 1, 2] });

async function check(ground: Ground, options: WorldOptions, change = (world: World) => world) {
  const world = change(generateWorld(options));
  expect(await brokenLaws(world, ground), world.seed).toEqual([]);
}

describe("the newest release", () => {
  const ground = useGround();
  test.each(seeds(14))("a handful in each family, seed %i", (seed) =>
    check(ground(), { seed, size: seed % 9, nastyNames: 0.4, config: seed % 2 === 0 ? "drift" : "in-sync" }),
  );
  test.each(seeds(4))("sixty in each family, seed %i", (seed) =>
    check(ground(), { seed, size: 60, nastyNames: 0.2, config: "drift" }),
  );
  test.each(seeds(4))("fields that nobody knows, seed %i", (seed) =>
    check(ground(), { seed, size: 20, nastyNames: 0.2, drift: 0.7 }, withMore),
  );
  test.each(seeds(1))(
    "six hundred in each family, seed %i",
    (seed) => check(ground(), { seed, size: 600, deletions: 100 }),
    minutes,
  );
  test.each(seeds(1))(
    "every name breaks a tool, seed %i",
    (seed) => check(ground(), { seed, size: 50, nastyNames: 1, drift: 1 }),
    minutes,
  );
});

describe("6.x-25", () => {
  const release = "6.x-25";
  const ground = useGround({ server: { release }, stated: { product: "gate", release } });
  test.each(seeds(4))("thirty in each family, seed %i", (seed) =>
    check(ground(), { seed, size: 30, nastyNames: 0.2, config: "drift", release }),
  );
});

describe("an engine without PATCH of role mappings and action groups", () => {
  const ground = useGround({ server: { engine: "6.3.2" }, withoutPatch: ["action_groups", "role_mappings"] });
  test.each(seeds(4))("twenty in each family, seed %i", (seed) =>
    check(ground(), { seed, size: 20, nastyNames: 0.2 }, withMore),
  );
});

describe("adopt", () => {
  const ground = useGround({ mode: "adopt" });
  // What would be deleted is somebody else's.
  const kept = (world: World): World => {
    const fates = [...world.expected].map(([family, each]) => {
      const pairs = [...each].map(([name, fate]) => [name, fate === "delete" ? "unmanaged" : fate] as const);
      return [family, new Map(pairs)] as const;
    });
    return { ...world, expected: new Map(fates) };
  };
  test.each(seeds(4))("deletes nothing, seed %i", (seed) => check(ground(), { seed, size: 15 }, kept));
});

describe("observe", () => {
  const ground = useGround({ mode: "observe" });
  test.each(seeds(4))("plans no request, seed %i", async (seed) => {
    const { emulator, workspace } = ground();
    const world = generateWorld({ seed, size: 15, drift: 0.5 });
    stage(world, emulator);
    workspace.write(filesOf(world));
    const { plan } = await workspace.plan(emulator.url);
    expect(plan.operations).toEqual([]);
    const observed = plan.changes.filter(({ reason }) => reason === "observed").length;
    expect(observed).toBe(count(world, "create") + count(world, "update") + count(world, "delete"));
  });
});
