import type { Json, JsonObject } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import { type Random, randomFrom } from "./random.ts";
import { rekeyed, reordered } from "./spelling.ts";
import type { World } from "./world.ts";

/** The same world in another order: files, families, names, keys, sets and permission lists, on both sides. */
export function shuffleWorld(world: World, seed: number): World {
  const random = randomFrom(`${seed} ${world.seed}`);
  const { desired, live } = world;
  return {
    ...world,
    seed: `shuffleWorld(${world.seed}, ${seed})`,
    layout: `${seed} ${world.layout}`,
    desired: {
      resources: shuffled(random, desired.resources),
      ...(desired.config ? { config: rekeyed<JsonObject>(random, desired.config) } : {}),
    },
    live: {
      ...live,
      resources: shuffled(random, live.resources),
      ...(live.config ? { config: rekeyed<JsonObject>(random, live.config) } : {}),
    },
  };
}

type Resources<T> = ReadonlyMap<ResourceFamily, ReadonlyMap<string, T>>;

function shuffled<T extends Json>(random: Random, resources: Resources<T>): Resources<T> {
  return new Map(
    random.shuffled(resources).map(([family, entries]) => {
      const values = random.shuffled(entries).map(([name, value]) => [name, reordered(random, value)] as const);
      return [family, new Map(values)];
    }),
  );
}
