import type { SourceRange } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";

/** Where something is in a file as it is written. */
export interface WrittenPlace {
  readonly document: number;
  readonly path: readonly string[];
  readonly node: Node;
  /** It is a key that was reported, and not its value. */
  readonly isKey: boolean;
}

/** @param documents the file as it is written, its references not resolved */
export function locateWritten(
  documents: readonly Node[],
  { start }: Pick<SourceRange, "start">,
): WrittenPlace | undefined {
  for (const [document, root] of documents.entries()) {
    const found = findBelow(root, start, []);
    if (found) return { document, ...found };
  }
  return undefined;
}

function findBelow(node: Node, start: number, path: readonly string[]): Omit<WrittenPlace, "document"> | undefined {
  if (node.start === start && node.kind === "scalar") return { path, node, isKey: false };
  if (start < node.start || start > node.end) return undefined;
  const below =
    node.kind === "map"
      ? node.entries.map(({ key, keyRange, value }) => [key, value, keyRange.start] as const)
      : node.kind === "list"
        ? node.items.map((item, index) => [String(index), item, undefined] as const)
        : [];
  for (const [key, value, keyStart] of below) {
    if (keyStart === start) return { path: [...path, key], node: value, isKey: true };
    const found = findBelow(value, start, [...path, key]);
    if (found) return found;
  }
  return node.start === start ? { path, node, isKey: false } : undefined;
}
