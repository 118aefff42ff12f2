import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { isEqual } from "../json/value.ts";
import { findMapEntry, type MapEntry, type Node, toValue } from "../model/node.ts";
import type { Overridden, Repository } from "../model/repository.ts";
import { getEntryRange } from "./entry-places.ts";
import {
  createConfigSignMessage,
  createConflictMessage,
  createIdleWarning,
  createMapOverListMessage,
  createNoConfigMessage,
} from "./override-messages.ts";

export interface ConfigOverrides {
  /** The config as it is declared, and with what is laid over it. */
  readonly replaced: ReadonlyMap<Node, Node>;
  readonly overriddenAt: readonly SourceRange[];
  readonly overridden: readonly Overridden[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The config is laid over by path: maps go on, everything else is replaced. */
export function layOverConfig({ documents }: Repository, overrides: readonly MapEntry[]): ConfigOverrides {
  const section = documents.flatMap(({ sections }) => sections).find(({ family }) => family === "config");
  const diagnostics: Diagnostic[] = [];
  if (!section) {
    for (const { keyRange } of overrides) diagnostics.push(createNoConfigMessage(keyRange));
    return { replaced: new Map(), overriddenAt: [], overridden: [], diagnostics };
  }
  let node = section.node;
  const touched = new Map<string, MapEntry>();
  const overridden: Overridden[] = [];
  for (const entry of overrides) {
    const leaves = listConfigLeaves(entry.value, []);
    const conflicts = leaves.flatMap(([path, leaf]) => {
      const other = [...touched].find(
        ([known]) => known === path || known.startsWith(`${path}\0`) || path.startsWith(`${known}\0`),
      );
      return other ? [createConflictMessage(leaf, other[1])] : [];
    });
    for (const [path, leaf] of leaves) touched.set(path, leaf);
    diagnostics.push(...conflicts);
    if (conflicts.length > 0) continue;
    node = layOverMap(node, entry.value, diagnostics);
    overridden.push({ base: section.node, by: getEntryRange(entry) });
  }
  const replaced = new Map(node === section.node ? [] : [[section.node, node]]);
  return { replaced, overriddenAt: overrides.map(({ keyRange }) => keyRange), overridden, diagnostics };
}

/** Where a map of settings ends: at values that are no maps, and at empty maps. */
export function listConfigLeaves(
  node: Node,
  path: readonly string[],
): readonly (readonly [path: string, entry: MapEntry])[] {
  if (node.kind !== "map") return [];
  return node.entries.flatMap((entry): readonly (readonly [string, MapEntry])[] => {
    const below = [...path, entry.key];
    const isMap = entry.value.kind === "map" && entry.value.entries.length > 0;
    return isMap ? listConfigLeaves(entry.value, below) : [[below.join("\0"), entry]];
  });
}

function layOverMap(base: Node, over: Node, diagnostics: Diagnostic[]): Node {
  if (base.kind !== "map" || over.kind !== "map") return over;
  const entries = base.entries.map((entry): MapEntry => {
    const own = findMapEntry(over, entry.key);
    if (!own) return entry;
    if (own.value.kind === "map" && entry.value.kind === "list") {
      diagnostics.push(createMapOverListMessage(own, entry));
      return entry;
    }
    const isMap = own.value.kind === "map" && entry.value.kind === "map";
    if (!isMap && isEqual(toValue(own.value), toValue(entry.value)))
      diagnostics.push(createIdleWarning(own, `${own.key} of the config is so already`, entry));
    return { ...(isMap ? entry : own), value: layOverMap(entry.value, own.value, diagnostics) };
  });
  const added = over.entries.filter(({ key }) => !findMapEntry(base, key));
  diagnostics.push(...added.flatMap(listSigned).map(createConfigSignMessage));
  return { ...base, entries: [...entries, ...added] };
}

/** Keys with the sign that adds to a list or removes from it, where there are fields and not settings. */
function listSigned(entry: MapEntry): readonly MapEntry[] {
  if (/^[+-]/.test(entry.key)) return [entry];
  return entry.value.kind === "map" ? entry.value.entries.flatMap(listSigned) : [];
}
