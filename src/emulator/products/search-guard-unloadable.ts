// What Search Guard 7 stores and then cannot load.
import { collectReached, findCycles } from "../../json/graph.ts";
import type { ServerState } from "../state.ts";
import { getList, getMember, type Tree } from "../values/tree.ts";

/**
 * The nodes choke on a null among index patterns, on one in place of an index or tenant permission, on a role whose
 * groups contain each other, unless it only has them in tenants, and on a block that is complete but for its value.
 */
export function canLoadEntries({ families }: ServerState): boolean {
  const groups = families.action_groups;
  const heldBy = (name: string) =>
    getList(groups.get(name), "allowed_actions").filter(
      (member) => typeof member === "string" && groups.has(member),
    ) as readonly string[];
  const inCycles = new Set(findCycles(groups.keys(), heldBy).flatMap(({ cycle }) => cycle));
  const endsInCycle = (actions: readonly string[]) =>
    inCycles.size > 0 && [...collectReached(actions, heldBy)].some((name) => inCycles.has(name));
  return (
    [...families.roles.values()].every((role) => canLoad(role, endsInCycle)) &&
    [...families.blocks.values()].every((block) => (getMember(block, "value") ?? null) !== null || !isVerdict(block))
  );
}

function canLoad(role: Tree, endsInCycle: (actions: readonly string[]) => boolean): boolean {
  const indices = getList(role, "index_permissions");
  if ([...indices, ...getList(role, "tenant_permissions")].includes(null)) return false;
  if (indices.some((element) => getList(element, "index_patterns").includes(null))) return false;
  const actions = [role, ...indices].flatMap((holder) => [
    ...getList(holder, "cluster_permissions"),
    ...getList(holder, "allowed_actions"),
  ]);
  return !endsInCycle(actions.filter((action) => typeof action === "string"));
}

/** One that lacks its verdict or its type is passed over. */
function isVerdict(block: Tree): boolean {
  return (getMember(block, "type") ?? null) !== null && (getMember(block, "verdict") ?? null) !== null;
}
