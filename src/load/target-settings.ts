import { getFileStart } from "../diagnostics/diagnostic.ts";
import { findMapEntry, type MapEntry, type MapNode, type Node } from "../model/node.ts";

/** Settings of a target as they were written, with what all targets inherit; each value has the place where it is written. */
export type TargetSettings = MapNode;

/**
 * What a target ends up with: `defaults`, over which its own settings are laid field by field. A list replaces the inherited
 * one, and so does a login, an identity or a variable.
 *
 * @param root gate-sync.yaml
 * @param name of the target; one that is not there has the defaults alone
 */
export function combineSettings(root: Node, name: string): TargetSettings {
  const own = findMapEntry(findMapEntry(root, "targets")?.value, name)?.value;
  const defaults = findMapEntry(root, "defaults")?.value;
  const merged = mergeNodes(defaults, own, []);
  return merged?.kind === "map" ? merged : { ...(own ?? getFileStart(root.file)), kind: "map", entries: [] };
}

/** Half of the one and half of the other would be neither. */
const whole: ReadonlySet<string> = new Set(["auth", "apply_as"]);

function mergeNodes(base: Node | undefined, over: Node | undefined, path: readonly string[]): Node | undefined {
  const isWhole = (path.length === 1 && whole.has(path[0] ?? "")) || (path.length === 2 && path[0] === "vars");
  if (isWhole || base?.kind !== "map" || over?.kind !== "map") return over ?? base;
  // There may be thousands of variables.
  const ofOver = new Map(over.entries.map((entry) => [entry.key, entry]));
  const inherited = base.entries.map((entry): MapEntry => {
    const own = ofOver.get(entry.key);
    const value = mergeNodes(entry.value, own?.value, [...path, entry.key]);
    return value === undefined ? entry : { ...(own ?? entry), value };
  });
  const ofBase = new Set(base.entries.map(({ key }) => key));
  const added = over.entries.filter(({ key }) => !ofBase.has(key));
  return { ...over, entries: [...inherited, ...added] };
}
