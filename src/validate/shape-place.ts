import type { SourceRange } from "../diagnostics/source.ts";
import { nounOf } from "../families/index.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import { entryOf, type Node, nodeAt } from "../model/node.ts";

/** Where a wrong shape stands. */
export interface ShapePlace {
  readonly root: Node;
  readonly family?: Family;
  /** How deep the entries of the family lie: 1 in a native file, 2 below a family's key. */
  readonly entryDepth: number;
  /** Whether a single value may stand for a list here, as old loaders allowed. */
  readonly singleValues: boolean;
}

/** `The role "hr"`, `"fls"`. */
export function subjectAt(path: readonly string[], place: ShapePlace): string {
  const last = path.at(-1);
  if (last === undefined) return "The document";
  const { family } = place;
  if (family !== undefined && isResourceFamily(family) && path.length === place.entryDepth) {
    return `The ${nounOf(family)} ${JSON.stringify(last)}`;
  }
  return isInList(path, place) ? `An element of ${subjectAt(path.slice(0, -1), place)}` : JSON.stringify(last);
}

/** Whether it is a member of a list. */
export function isInList(path: readonly string[], place: ShapePlace): boolean {
  return path.length > 0 && nodeAt(place.root, path.slice(0, -1)).kind === "list";
}

/** The value; where nothing is written, its key. */
export function rangeAt(path: readonly string[], place: ShapePlace): SourceRange {
  const node = nodeAt(place.root, path);
  return node.start < node.end ? node : keyRange(path, place);
}

/** The key that a value stands under. */
export function keyRange(path: readonly string[], place: ShapePlace): SourceRange {
  const parent = nodeAt(place.root, path.slice(0, -1));
  return entryOf(parent, path.at(-1) ?? "")?.keyRange ?? nodeAt(place.root, path);
}
