import type { SourceRange } from "../diagnostics/source.ts";
import { getNoun } from "../families/index.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import { findMapEntry, findNodeAt, type Node } from "../model/node.ts";

/** Where a wrong shape is. */
export interface ShapePlace {
  readonly root: Node;
  readonly family?: Family;
  /** How deep the entries of the family lie: 1 in a native file, 2 below a family's key. */
  readonly entryDepth: number;
  /** Whether a single value may replace a list here, as old loaders allowed. */
  readonly singleValues: boolean;
}

/** `The role "hr"`, `"fls"`. */
export function describeSubjectAt(path: readonly string[], place: ShapePlace): string {
  const last = path.at(-1);
  if (last === undefined) return "The document";
  const { family } = place;
  if (family !== undefined && isResourceFamily(family) && path.length === place.entryDepth) {
    return `The ${getNoun(family)} ${JSON.stringify(last)}`;
  }
  return isInList(path, place) ? `An element of ${describeSubjectAt(path.slice(0, -1), place)}` : JSON.stringify(last);
}

/** Whether it is a member of a list. */
export function isInList(path: readonly string[], place: ShapePlace): boolean {
  return path.length > 0 && findNodeAt(place.root, path.slice(0, -1)).kind === "list";
}

/** The value; where nothing is written, its key. */
export function findRangeAt(path: readonly string[], place: ShapePlace): SourceRange {
  const node = findNodeAt(place.root, path);
  return node.start < node.end ? node : findKeyRange(path, place);
}

/** The key of a value. */
export function findKeyRange(path: readonly string[], place: ShapePlace): SourceRange {
  const parent = findNodeAt(place.root, path.slice(0, -1));
  return findMapEntry(parent, path.at(-1) ?? "")?.keyRange ?? findNodeAt(place.root, path);
}
