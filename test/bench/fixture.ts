import { isList, isObject, type Json, type JsonObject } from "../../src/json/value.ts";
import { drifted } from "../fixtures/drift.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { freshName } from "../fixtures/names.ts";
import { valueFor } from "../fixtures/values.ts";
import type { FamilyName } from "../support/strict/forms.ts";
import { type Kind, type Known, own, permitted, withEachGroupUsed } from "./own.ts";

export interface BenchFixture {
  readonly seed: number;
  readonly size: number;
  /** What the files declare, with every documented field, empty ones too. */
  readonly resources: Resources;
}

export type Resources = ReadonlyMap<FamilyName, ReadonlyMap<string, JsonObject>>;

/**
 * N roles and N mappings with the N/100 groups and tenants that they name. The same for the same options; names that break
 * tools are the properties' matter, not this one's.
 */
export function benchFixture({ seed, size }: { seed: number; size: number }): BenchFixture {
  const resources = new Map<FamilyName, ReadonlyMap<string, JsonObject>>();
  for (const family of ["action_groups", "tenants", "roles", "role_mappings"] as const) {
    const few = family === "action_groups" || family === "tenants";
    const count = few ? Math.max(10, Math.floor(size / 100)) : size;
    resources.set(family, makeFamily(family, count, randomFrom(`bench ${seed} ${family}`), resources));
  }
  const [roles, groups] = [resources.get("roles") ?? new Map(), resources.get("action_groups") ?? new Map()];
  const places = new Map([...groups.keys()].map((name, place) => [name, place]));
  resources.set(
    "roles",
    withEachGroupUsed(roles, groups, (name) => kindAt(places.get(name) ?? 0)),
  );
  return { seed, size, resources };
}

/**
 * What a server answers where `changes` resources differ, as evenly over roles and mappings as may be: three
 * updates, a creation and a deletion in five, but few enough deletions for every guard.
 */
export function liveOf({ seed, resources }: BenchFixture, changes: number): Resources {
  const changed: readonly FamilyName[] = ["roles", "role_mappings"];
  return new Map(
    [...resources].map(([family, entries]) => {
      const random = randomFrom(`bench ${seed} live ${family}`);
      const place = changed.indexOf(family);
      const part = place === -1 ? 0 : Math.floor((changes + 1 - place) / 2);
      return [family, liveFamily(family, entries, part, random)];
    }),
  );
}

/** Of each family, reserved ones: theirs, never ours. */
const reserved = 10;
/** A guard asks from 26 on. */
const mostDeletions = 20;

function liveFamily(
  family: FamilyName,
  entries: ReadonlyMap<string, JsonObject>,
  changes: number,
  random: Random,
): Map<string, JsonObject> {
  const live = new Map<string, JsonObject>();
  const deletions = Math.min(Math.floor(changes / 5), mostDeletions, Math.floor(entries.size / 10));
  const creations = Math.floor(changes / 5);
  const places = new Set<number>();
  while (places.size < Math.min(changes - deletions, entries.size)) places.add(random.below(entries.size));
  const created = new Set([...places].slice(0, creations));
  let place = 0;
  for (const [name, value] of entries) {
    if (!created.has(place)) {
      const other = places.has(place) ? edited(family, value, random) : value;
      live.set(name, served(family, other, random));
    }
    place += 1;
  }
  const add = (name: string, flags: JsonObject) => {
    const value = own(family, name, valueFor(family, random, { groups: [], tenants: [] }), random, none);
    live.set(name, { ...served(family, value, random), ...flags });
  };
  for (let index = 0; index < deletions; index++) add(`retired_${index}`, {});
  for (let index = 0; index < reserved; index++) add(`builtin_${index}`, { reserved: true });
  return live;
}

/** Half of the edits are the same one in many resources, as after a clean-up; the others are each their own. */
function edited(family: FamilyName, value: JsonObject, random: Random): JsonObject {
  const field = family === "roles" ? "cluster_permissions" : "backend_roles";
  const more = family === "roles" ? "cluster:admin/snapshot/*" : "former-employees";
  if (random.chance(0.5)) return { ...value, [field]: [...(value[field] as Json[]), more] };
  return drifted(family, random, value);
}

/** As servers show it: fields in an order of their own, and now and then lists in another order than the file's. */
function served(family: FamilyName, value: JsonObject, random: Random): JsonObject {
  const flags = family === "roles" || family === "tenants" ? { reserved: false, hidden: false, static: false } : {};
  const fields = Object.entries(value).reverse();
  const shuffles = random.chance(0.05);
  const shown = (item: Json): Json => {
    if (isList(item)) return item.some(isObject) ? item.map(shown) : random.shuffled(item);
    return isObject(item) ? Object.fromEntries(Object.entries(item).map(([key, each]) => [key, shown(each)])) : item;
  };
  return { ...flags, ...Object.fromEntries(fields.map(([key, item]) => [key, shuffles ? shown(item) : item])) };
}

export function makeFamily(
  family: FamilyName,
  count: number,
  random: Random,
  made: Resources,
): Map<string, JsonObject> {
  if (family === "action_groups") return makeGroups(count, random);
  const [groups, tenants] = [namesIn(made, "action_groups"), namesIn(made, "tenants")];
  const known = { groups: byKind(groups), tenants, people: count };
  const roles = family === "role_mappings" ? made.get("roles") : undefined;
  const names = [...(roles?.keys() ?? [])];
  const entries = new Map<string, JsonObject>();
  const used = new Set<string>();
  for (let index = 0; index < count; index++) {
    const name = names[index] ?? freshName(random, used, 0);
    const value = valueFor(family, random, { groups, tenants });
    entries.set(name, own(family, name, value, random, { ...known, role: roles?.get(name) }));
  }
  return entries;
}

/** A group names earlier ones only, so that there is no cycle. */
function makeGroups(count: number, random: Random): Map<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  const used = new Set<string>();
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = freshName(random, used, 0);
    const known = { groups: names.slice(-50), tenants: [] };
    const { allowed_actions: drawn } = valueFor("action_groups", random, known);
    // From a place of the first kind on.
    const earlier = byKind(names.slice(Math.max(0, names.length - (names.length % 3) - 48)));
    entries.set(name, { allowed_actions: permitted(drawn, kindAt(index), earlier, random) });
    names.push(name);
  }
  return entries;
}

/** Groups of each kind take turns. */
function kindAt(place: number): Kind {
  return (["read", "write", "cluster"] as const)[place % 3] ?? "read";
}

function byKind(names: readonly string[]): Known["groups"] {
  const of = (kind: Kind) => names.filter((_, place) => kindAt(place) === kind);
  return { read: of("read"), write: of("write"), cluster: of("cluster") };
}

const none: Known = { groups: byKind([]), tenants: [], people: 100 };

function namesIn(made: Resources, family: FamilyName): string[] {
  return [...(made.get(family)?.keys() ?? [])];
}
