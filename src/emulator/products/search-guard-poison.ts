// What Search Guard 7 stores and then cannot load.
import type { RealEntries, RealState } from "../real/kept.ts";
import type { Tree } from "../tree.ts";

/**
 * The nodes choke on a null among index patterns, on one in place of an index or tenant permission, on a role whose
 * groups contain each other, unless it only has them in tenants, and on a block that is complete but for its value.
 */
export function loads({ families }: RealState): boolean {
  return (
    [...families.roles.values()].every((role) => canLoad(role, families.action_groups)) &&
    [...families.blocks.values()].every((block) => fieldOf(block, "value") !== null || !isVerdict(block))
  );
}

function canLoad(role: Tree, groups: RealEntries): boolean {
  const indices = listIn(role, "index_permissions");
  if ([...indices, ...listIn(role, "tenant_permissions")].includes(null)) return false;
  if (indices.some((element) => listIn(element, "index_patterns").includes(null))) return false;
  const actions = [role, ...indices].flatMap((holder) => [
    ...listIn(holder, "cluster_permissions"),
    ...listIn(holder, "allowed_actions"),
  ]);
  return actions.every((action) => !endsInRing(action, groups, new Set()));
}

function endsInRing(name: Tree, groups: RealEntries, path: ReadonlySet<Tree>): boolean {
  const group = typeof name === "string" ? groups.get(name) : undefined;
  if (group === undefined) return false;
  if (path.has(name)) return true;
  return listIn(group, "allowed_actions").some((action) => endsInRing(action, groups, new Set([...path, name])));
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
