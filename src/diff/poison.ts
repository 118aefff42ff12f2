import { counted, nounOf } from "../families/index.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import type { LiveFamily, LiveResource, LiveState } from "../model/live.ts";
import { type Address, addressOf } from "../model/names.ts";

/** A role that keeps the nodes of a Search Guard 7 from loading anything: every write is stored, and answered 500. */
export interface Poison {
  readonly address: Address;
  /** `the role "x" has null among its index patterns` */
  readonly why: string;
  /** The resources of which one has to be changed or deleted to end it. */
  readonly cures: readonly Address[];
}

/**
 * What of the live state a Search Guard 7 chokes on, as seen on 7.5.1-38: null as an index or tenant permission or as
 * an index pattern, and a ring of action groups that a role's cluster or index permissions use. Other nulls, and rings
 * that only a tenant permission uses, do no harm there.
 */
export function poisonIn({ resources }: LiveState): readonly Poison[] {
  const roles = [...(resources.get("roles")?.values() ?? [])];
  const rings = ringFinder(resources.get("action_groups") ?? new Map());
  return roles.flatMap((role) => nullIn(role) ?? ringUsedBy(role, rings) ?? []);
}

function nullIn({ name, value }: LiveResource): Poison | undefined {
  const place = placeOfNull(value.index_permissions, value.tenant_permissions);
  if (place === undefined) return undefined;
  const address = addressOf("roles", name);
  return { address, why: `the ${nounOf("roles")} ${JSON.stringify(name)} has null ${place}`, cures: [address] };
}

function placeOfNull(indices: Value | undefined, tenants: Value | undefined): string | undefined {
  if (listOf(indices).includes(null)) return "as an index permission";
  if (listOf(tenants).includes(null)) return "as a tenant permission";
  const patterns = listOf(indices)
    .filter(isObject)
    .flatMap((element) => listOf(element.index_patterns));
  return patterns.includes(null) ? "among its index patterns" : undefined;
}

function ringUsedBy({ name, value }: LiveResource, ringFrom: RingFinder): Poison | undefined {
  const perIndex = listOf(value.index_permissions).filter(isObject);
  const used = [value, ...perIndex].flatMap((holder) => [
    ...listOf(holder.cluster_permissions),
    ...listOf(holder.allowed_actions),
  ]);
  for (const action of used) {
    const way = typeof action === "string" ? ringFrom(action) : undefined;
    if (way === undefined) continue;
    return {
      address: addressOf("roles", name),
      why: `the ${nounOf("roles")} ${JSON.stringify(name)} uses ${counted(way.length - 1, "action_groups")} that contain each other: ${way.join(" > ")}`,
      cures: [addressOf("roles", name), ...[...new Set(way)].map((group) => addressOf("action_groups", group))],
    };
  }
  return undefined;
}

/** From a group to the first one that comes again, ends included; undefined where no ring is reached. */
type RingFinder = (name: string) => readonly string[] | undefined;

function ringFinder(groups: LiveFamily): RingFinder {
  const sound = new Set<string>();
  const search = (name: string, way: readonly string[]): readonly string[] | undefined => {
    const group = groups.get(name);
    if (group === undefined || sound.has(name)) return undefined;
    const now = [...way, name];
    if (way.includes(name)) return now;
    for (const member of listOf(group.value.allowed_actions)) {
      const found = typeof member === "string" ? search(member, now) : undefined;
      if (found) return found;
    }
    sound.add(name);
    return undefined;
  };
  return (name) => search(name, []);
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}
