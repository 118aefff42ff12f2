import { findMapEntry, type Node } from "../model/node.ts";

/** The text of a field of a map; undefined where it is none. */
export function readText(node: Node, key: string): string | undefined {
  const value = findMapEntry(node, key)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}
