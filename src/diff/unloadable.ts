import { formatChain } from "../diagnostics/chain.ts";
import { formatCount, getNoun } from "../families/index.ts";
import { findCycles } from "../json/graph.ts";
import { isObject, listValues, type Value } from "../json/value.ts";
import type { LiveFamily, LiveResource, LiveState } from "../model/live.ts";
import { type Address, createAddress } from "../model/names.ts";

/** A role that keeps the nodes of a Search Guard 7 from loading anything: every write is stored, and answered 500. */
export interface UnloadableEntry {
  readonly address: Address;
  /** `the role "x" has null among its index patterns` */
  readonly why: string;
  /** The resources of which one has to be changed or deleted to end it. */
  readonly repairs: readonly Address[];
}

/**
 * What of the live state a Search Guard 7 chokes on, as seen on 7.5.1-38: null as an index or tenant permission or as
 * an index pattern, and a cycle of action groups that a role's cluster or index permissions use. Other nulls, and cycles
 * that only a tenant permission uses, do no harm there.
 */
export function findUnloadable({ resources }: LiveState): readonly UnloadableEntry[] {
  const roles = [...(resources.get("roles")?.values() ?? [])];
  const cycles = cycleFinder(resources.get("action_groups") ?? new Map());
  return roles.flatMap((role) => nullIn(role) ?? cycleUsedBy(role, cycles) ?? []);
}

function nullIn({ name, value }: LiveResource): UnloadableEntry | undefined {
  const place = placeOfNull(value.index_permissions, value.tenant_permissions);
  if (place === undefined) return undefined;
  const address = createAddress("roles", name);
  return { address, why: `the ${getNoun("roles")} ${JSON.stringify(name)} has null ${place}`, repairs: [address] };
}

function placeOfNull(indices: Value | undefined, tenants: Value | undefined): string | undefined {
  if (listValues(indices).includes(null)) return "as an index permission";
  if (listValues(tenants).includes(null)) return "as a tenant permission";
  const patterns = listValues(indices)
    .filter(isObject)
    .flatMap((element) => listValues(element.index_patterns));
  return patterns.includes(null) ? "among its index patterns" : undefined;
}

function cycleUsedBy({ name, value }: LiveResource, cycleFrom: CycleFinder): UnloadableEntry | undefined {
  const perIndex = listValues(value.index_permissions).filter(isObject);
  const used = [value, ...perIndex].flatMap((holder) => [
    ...listValues(holder.cluster_permissions),
    ...listValues(holder.allowed_actions),
  ]);
  for (const action of used) {
    const cyclePath = typeof action === "string" ? cycleFrom(action) : undefined;
    if (cyclePath === undefined) continue;
    return {
      address: createAddress("roles", name),
      why: `the ${getNoun("roles")} ${JSON.stringify(name)} uses ${formatCount(cyclePath.length - 1, "action_groups")} that contain each other: ${formatChain(cyclePath)}`,
      repairs: [
        createAddress("roles", name),
        ...[...new Set(cyclePath)].map((group) => createAddress("action_groups", group)),
      ],
    };
  }
  return undefined;
}

/** From a group to the first one that comes again, ends included; undefined where it leads to no cycle. */
type CycleFinder = (name: string) => readonly string[] | undefined;

function cycleFinder(groups: LiveFamily): CycleFinder {
  const heldBy = (name: string) =>
    listValues(groups.get(name)?.value.allowed_actions).filter(
      (member) => typeof member === "string" && groups.has(member),
    ) as readonly string[];
  // Hardly any server has one: then nothing is searched for each role.
  if (findCycles(groups.keys(), heldBy).length === 0) return () => undefined;
  return (start) => {
    const [found] = findCycles([start], heldBy);
    return found && [...found.listLead(), ...found.cycle, ...found.cycle.slice(0, 1)];
  };
}
