import type { Json, JsonObject } from "../../src/json/value.ts";
import { isArray, isMap } from "../support/strict/json.ts";
import type { Random } from "./random.ts";

/** Another spelling of the same resource: keys, sets and permission lists in any order, members repeated, empty lists left out. */
export function respelled(random: Random, value: JsonObject): JsonObject {
  return Object.fromEntries(
    random
      .shuffled(Object.entries(value))
      .filter(([key, item]) => !mayBeAbsent(key, item) || random.chance(0.5))
      .map(([key, item]) => [key, respelledValue(random, item)]),
  );
}

/** As `respelled`, but nothing is repeated or left out: only the order is another one. */
export function reordered<T extends Json>(random: Random, value: T): T {
  const walk = (item: Json): Json => {
    if (isArray(item)) return random.shuffled(item).map(walk);
    if (!isMap(item)) return item;
    return Object.fromEntries(random.shuffled(Object.entries(item)).map(([key, each]) => [key, walk(each)]));
  };
  return walk(value) as T;
}

/** Keys in another order, nothing else: in a config the order of lists may mean something. */
export function rekeyed<T extends Json>(random: Random, value: T): T {
  const walk = (item: Json): Json => {
    if (isArray(item)) return item.map(walk);
    if (!isMap(item)) return item;
    return Object.fromEntries(random.shuffled(Object.entries(item)).map(([key, each]) => [key, walk(each)]));
  };
  return walk(value) as T;
}

function respelledValue(random: Random, value: Json): Json {
  if (!isArray(value)) return value;
  // Permissions are a multiset: the same one twice would be another role.
  if (value.some(isMap)) return random.shuffled(value).map((item) => (isMap(item) ? respelled(random, item) : item));
  const members = random.chance(0.2) ? [...value, ...random.some(value, 0, 1)] : value;
  return random.shuffled(members);
}

/** Lists that no release makes mandatory; a tenant's description and a group's list stay even when empty. */
const optional = new Set([
  "fls",
  "masked_fields",
  "cluster_permissions",
  "tenant_permissions",
  "backend_roles",
  "hosts",
  "and_backend_roles",
]);

function mayBeAbsent(key: string, value: Json): boolean {
  return optional.has(key) && isArray(value) && value.length === 0;
}
