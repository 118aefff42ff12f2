// The order of whole families: after each of the requests nobody holds what neither the state before nor the one after
// grants, or misses what both grant; or the plan says so. By the naive judge, which real servers agree with.
import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import { familyOrder } from "../../src/plan/clean-order.ts";
import { isWhole } from "../support/extent.ts";
import type { World } from "../support/judged.ts";
import { modelOfWorld } from "../support/modelled.ts";
import { randomFrom } from "../world/index.ts";
import { products, walk } from "./access/worlds.ts";
import { breachesBetween } from "./order/pieces.ts";
import { seed, seeds } from "./seed.ts";

const parts: Readonly<Partial<Record<ResourceFamily, "groups" | "tenants" | "roles" | "mappings" | "blocks">>> = {
  action_groups: "groups",
  tenants: "tenants",
  roles: "roles",
  role_mappings: "mappings",
  blocks: "blocks",
};

/** The worlds that the requests lead through, the last one left out. */
function* onTheWay(before: World, after: World, order: readonly ResourceFamily[]): Generator<World> {
  let world = before;
  for (const family of order.filter((one) => differs(before, after, one)).slice(0, -1)) {
    const part = parts[family] ?? "roles";
    world = { ...world, [part]: after[part] };
    yield world;
  }
}

function differs(before: World, after: World, family: ResourceFamily): boolean {
  const part = parts[family] ?? "roles";
  return JSON.stringify(before[part] ?? null) !== JSON.stringify(after[part] ?? null);
}

function pending(before: World, after: World): readonly Change[] {
  return (Object.keys(parts) as ResourceFamily[])
    .filter((family) => differs(before, after, family))
    .map((family) => ({ family, name: "r", action: "update", reason: "declared", edits: [] }));
}

test.each(products)(
  `worlds at random, seed ${seed}: %s`,
  (product) => {
    const counts = { clean: 0, moved: 0, told: 0 };
    for (const each of seeds(isWhole ? 20 : 2)) {
      const worlds = [...walk(randomFrom(`order ${product} ${each}`), product, isWhole ? 24 : 20)];
      for (const [at, before] of worlds.slice(0, -4).entries()) {
        const after = worlds[at + 4] ?? before;
        const changes = pending(before, after);
        const models = { before: modelOfWorld(before), after: modelOfWorld(after) };
        const { families, moved, notes } = familyOrder(changes, models, { checksRoles: false });
        const found = [...onTheWay(before, after, families)].flatMap(breachesBetween(before, after));
        if (notes.length > 0) {
          counts.told += 1;
          // What is told is so, but for what nobody can tell.
          if (!notes.some((note) => note.includes("cannot tell")))
            expect(found, JSON.stringify([before, after, notes])).not.toEqual([]);
        } else {
          counts[moved === undefined ? "clean" : "moved"] += 1;
          expect(found, JSON.stringify([before, after, families])).toEqual([]);
        }
      }
    }
    // Else the law would say nothing of orders that had to be found.
    expect([counts.clean > 20, counts.moved > 0], JSON.stringify(counts)).toEqual([true, true]);
  },
  180_000,
);
