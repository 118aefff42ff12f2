// What Search Guard 7 stores and then cannot load.
import type { RealEntries, RealState } from "../real/kept.ts";
import type { Tree } from "../tree.ts";

/**
 * The nodes choke on a null among index patterns, on one in place of an index or tenant permission, on a role whose
 * groups contain each other, unless it only has them in tenants, and on a block that is complete but for its value.
 */
export function canLoadEntries({ families }: RealState): boolean {
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
  return actions.every((action) => !endsInCycle(action, groups));
}

/** By its own stack: a chain of groups may be longer than the machine's. */
function endsInCycle(start: Tree, groups: RealEntries): boolean {
  const [path, sound] = [new Set<string>(), new Set<string>()];
  const stack: { readonly name: string; readonly left: Iterator<Tree> }[] = [];
  const visit = (name: Tree): boolean => {
    const group = typeof name === "string" && !sound.has(name) ? groups.get(name) : undefined;
    if (typeof name !== "string" || group === undefined) return false;
    if (path.has(name)) return true;
    path.add(name);
    stack.push({ name, left: listIn(group, "allowed_actions").values() });
    return false;
  };
  if (visit(start)) return true;
  for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
    const { done, value } = last.left.next();
    if (!done) {
      if (visit(value)) return true;
      continue;
    }
    sound.add(last.name);
    path.delete(last.name);
    stack.pop();
  }
  return false;
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
