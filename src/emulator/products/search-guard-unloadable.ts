// What Search Guard 7 stores and then cannot load.
import { collectReached, findCycles } from "../../json/graph.ts";
import type { ServerState } from "../state.ts";
import type { Tree } from "../values/tree.ts";

/**
 * The nodes choke on a null among index patterns, on one in place of an index or tenant permission, on a role whose
 * groups contain each other, unless it only has them in tenants, and on a block that is complete but for its value.
 */
export function canLoadEntries({ families }: ServerState): boolean {
  const groups = families.action_groups;
  const heldBy = (name: string) =>
    listIn(groups.get(name) ?? null, "allowed_actions").filter(
      (member) => typeof member === "string" && groups.has(member),
    ) as readonly string[];
  const inCycles = new Set(findCycles(groups.keys(), heldBy).flatMap(({ cycle }) => cycle));
  const endsInCycle = (actions: readonly string[]) =>
    inCycles.size > 0 && [...collectReached(actions, heldBy)].some((name) => inCycles.has(name));
  return (
    [...families.roles.values()].every((role) => canLoad(role, endsInCycle)) &&
    [...families.blocks.values()].every((block) => fieldOf(block, "value") !== null || !isVerdict(block))
  );
}

function canLoad(role: Tree, endsInCycle: (actions: readonly string[]) => boolean): boolean {
  const indices = listIn(role, "index_permissions");
  if ([...indices, ...listIn(role, "tenant_permissions")].includes(null)) return false;
  if (indices.some((element) => listIn(element, "index_patterns").includes(null))) return false;
  const actions = [role, ...indices].flatMap((holder) => [
    ...listIn(holder, "cluster_permissions"),
    ...listIn(holder, "allowed_actions"),
  ]);
  return !endsInCycle(actions.filter((action) => typeof action === "string"));
}

/** One that lacks its verdict or its type is passed over. */
function isVerdict(block: Tree): boolean {
  return fieldOf(block, "type") !== null && fieldOf(block, "verdict") !== null;
}

function fieldOf(tree: Tree, name: string): Tree {
  return (tree instanceof Map ? tree.get(name) : undefined) ?? null;
}

function listIn(tree: Tree, name: string): readonly Tree[] {
  const list = fieldOf(tree, name);
  return Array.isArray(list) ? list : [];
}
