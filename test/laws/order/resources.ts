// The worlds of the naive judge as the resources of a server, and back.

import type { Fields } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Block, World } from "../../support/judged.ts";

/** Canonical values by name. */
export type Resources = ReadonlyMap<ResourceFamily, ReadonlyMap<string, Fields>>;

export function resourcesOf(world: World): Resources {
  const values = (entries: readonly (readonly [string, object])[]): ReadonlyMap<string, Fields> =>
    new Map(entries as readonly (readonly [string, Fields])[]);
  return new Map([
    ["action_groups", values(Object.entries(world.groups).map(([name, list]) => [name, { allowed_actions: list }]))],
    ["tenants", values((world.tenants ?? []).map((name) => [name, {}]))],
    ["roles", values(Object.entries(world.roles))],
    ["role_mappings", values(Object.entries(world.mappings))],
    ["blocks", values((world.blocks ?? []).map((block, at) => [`b${at}`, block]))],
  ]);
}

/** What is not said here stays as in `like`. */
export function worldOf(resources: Resources, { product, settings }: World): World {
  const all = (family: ResourceFamily) => [...(resources.get(family) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const groups = all("action_groups").map(([name, { allowed_actions }]) => [name, allowed_actions ?? []]);
  return {
    product,
    ...(settings && { settings }),
    groups: Object.fromEntries(groups),
    roles: Object.fromEntries(all("roles")),
    mappings: Object.fromEntries(all("role_mappings")),
    tenants: all("tenants").map(([name]) => name),
    blocks: all("blocks").map(([, block]) => block as Fields & Block),
  };
}
