import type { Json, JsonObject } from "../../src/json/value.ts";
import type { Fixture } from "../fixtures/index.ts";
import { isMap } from "../support/strict/json.ts";

/** In place of what a newer server knows and gate-sync does not: it has to outlive every update. */
export const vendorField = "x_vendor";

/** The same fixture on a server that keeps this in every resource besides. */
export function withVendorFields(fixture: Fixture, held: JsonObject): Fixture {
  const add = (value: Json) => (isMap(value) ? { ...value, [vendorField]: held } : value);
  const resources = [...fixture.live.resources].map(([family, entries]) => {
    return [family, new Map([...entries].map(([name, value]) => [name, add(value)]))] as const;
  });
  return { ...fixture, live: { ...fixture.live, resources: new Map(resources) } };
}
