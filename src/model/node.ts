import type { SourceRange } from "../diagnostics/source.ts";
import { findFirstIndex } from "../json/collections.ts";
import type { Secret } from "../json/secret.ts";
import type { Value } from "../json/value.ts";

/** A value as it was written, and the stretch of its file where it was: what files are parsed to, once. */
export type Node = MapNode | ListNode | ScalarNode;

export interface MapNode extends SourceRange {
  readonly kind: "map";
  /** In the order of the file; keys are unique and are the text that was written. */
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: string;
  readonly keyRange: SourceRange;
  readonly value: Node;
}

export interface ListNode extends SourceRange {
  readonly kind: "list";
  readonly items: readonly Node[];
}

export interface ScalarNode extends SourceRange {
  readonly kind: "scalar";
  /** After references were resolved. */
  readonly value: string | number | boolean | null | Secret;
  /** A reference to a secret has no value here: its default counts, and it may be only where a secret may. */
  readonly isDefault?: true;
  /** What messages show in place of the written text, where that may be secret. */
  readonly shown?: string;
}

/** A scalar as it was written, quotes and all. */
export function getScalarSource({ file, start, end, shown }: ScalarNode): string {
  return shown ?? file.text.slice(start, end);
}

/** A scalar as a part of a text: 1.10 and 007 keep the characters that were written. */
export function getWrittenText(node: ScalarNode): string {
  return typeof node.value === "number" || typeof node.value === "boolean" ? getScalarSource(node) : String(node.value);
}

/** Nothing is written, or null. */
export function isNullNode(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

export function findMapEntry(node: Node | undefined, key: string): MapEntry | undefined {
  if (node?.kind !== "map") return undefined;
  for (const entry of node.entries) if (entry.key === key) return entry;
  return undefined;
}

/** The value alone, without its places. */
export function toValue(node: Node): Value {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toValue);
    case "map":
      return toObject(node, toValue);
  }
}

/** The plain object of a map node. */
export function toObject<T>({ entries }: MapNode, read: (node: Node) => T): { readonly [key: string]: T } {
  const object: Record<string, T> = {};
  for (const { key, value } of entries) {
    // Assigned, it would change what the object inherits.
    if (key === "__proto__") Object.defineProperty(object, key, { ...own, value: read(value) });
    else object[key] = read(value);
  }
  return object;
}

const own = { enumerable: true, configurable: true, writable: true } as const;

/** The place of the innermost node on a path that exists; map keys and list positions as text. */
export function findNodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const token of path) {
    const child = node.kind === "list" ? node.items[Number(token)] : findMapEntry(node, token)?.value;
    if (child === undefined) return node;
    node = child;
  }
  return node;
}

/** Those places, of sorted ones, that are within keys and values: a comment sign there is none. */
export function findPlacesInStrings(roots: readonly Node[], places: readonly number[]): ReadonlySet<number> {
  const inside = new Set<number>();
  const look = ({ file, start, end }: SourceRange): void => {
    // A comment after the | of a block scalar is no part of its text.
    const from = /[|>]/.test(file.text.charAt(start)) ? file.text.indexOf("\n", start) : start;
    if (from === -1) return;
    for (
      let at = findFirstIndex(places, (place) => place >= from);
      at < places.length && (places[at] as number) < end;
      at++
    )
      inside.add(places[at] as number);
  };
  const pending = [...roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "scalar") look(node);
    else if (node.kind === "list") for (const item of node.items) pending.push(item);
    else
      for (const { keyRange, value } of node.entries) {
        look(keyRange);
        pending.push(value);
      }
  }
  return inside;
}
