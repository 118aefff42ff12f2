import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { ServerIdentity } from "../model/plan.ts";
import type { WireContext } from "./operations.ts";

/**
 * Which requests this server takes, decided before a plan is shown: by engine and release, and by what it answered.
 *
 * @param refused families whose PATCH it answered with 405 in this run
 * @param bodyLimit bytes, where the target states them
 */
export function createWireContext(
  dialect: Dialect,
  server: ServerIdentity,
  paths: ReadonlyMap<ResourceFamily, string>,
  refused: ReadonlySet<ResourceFamily>,
  bodyLimit?: number,
): WireContext {
  const withoutPatch = new Map<ResourceFamily, string>();
  for (const family of resourceFamilies) {
    const several = getNoun(family, 2);
    if (refused.has(family)) withoutPatch.set(family, `the server refuses PATCH of ${several} (405)`);
    else if (!dialect.patch.has(family)) {
      withoutPatch.set(family, `PATCH of ${several} needs engine 6.4.0; this is ${server.engine ?? "older"}`);
    }
  }
  return { dialect, withoutPatch, paths, ...(bodyLimit !== undefined && { bodyLimit }) };
}
