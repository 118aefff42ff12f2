// The fixtures of the naive evaluator as the resources of a server, and back.

import type { Fields } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Block, Fixture } from "../../support/evaluated.ts";

/** Canonical values by name. */
export type Resources = ReadonlyMap<ResourceFamily, ReadonlyMap<string, Fields>>;

export function resourcesOf(fixture: Fixture): Resources {
  const values = (entries: readonly (readonly [string, object])[]): ReadonlyMap<string, Fields> =>
    new Map(entries as readonly (readonly [string, Fields])[]);
  return new Map([
    ["action_groups", values(Object.entries(fixture.groups).map(([name, list]) => [name, { allowed_actions: list }]))],
    ["tenants", values((fixture.tenants ?? []).map((name) => [name, {}]))],
    ["roles", values(Object.entries(fixture.roles))],
    ["role_mappings", values(Object.entries(fixture.mappings))],
    ["blocks", values((fixture.blocks ?? []).map((block, at) => [`b${at}`, block]))],
  ]);
}

/** What is not said here stays as in `like`. */
export function fixtureOf(resources: Resources, { product, settings }: Fixture): Fixture {
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
