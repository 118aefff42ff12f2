import type { Json, JsonObject } from "../../src/json/value.ts";
import { isMap } from "../support/strict/json.ts";
import type { World } from "../world/index.ts";

/** Stands for what a newer server knows and gate-sync does not: it has to outlive every update. */
export const vendorField = "x_vendor";

/** The same world on a server that keeps this in every resource besides. */
export function withVendorFields(world: World, held: JsonObject): World {
  const add = (value: Json) => (isMap(value) ? { ...value, [vendorField]: held } : value);
  const resources = [...world.live.resources].map(([family, entries]) => {
    return [family, new Map([...entries].map(([name, value]) => [name, add(value)]))] as const;
  });
  return { ...world, live: { ...world.live, resources: new Map(resources) } };
}
