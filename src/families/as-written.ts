import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import { canonicaliseField } from "./canonical.ts";
import type { Field } from "./facts.ts";

/**
 * Whether a server shows an entry field by field as it is written, but for what is empty: both have one canonical form
 * then, where what is written needs no other words for it. False says nothing: lists in another order, for one.
 *
 * @param apart names of fields that are no part of the resource
 */
export function isShownAsWritten(
  node: Node,
  shown: Fields,
  facts: Readonly<Record<string, Field>>,
  apart: ReadonlySet<string> = none,
): boolean {
  if (node.kind !== "map") return false;
  for (const { key, value } of node.entries) {
    if (!Object.hasOwn(facts, key) || !isSameField(value, shown[key], facts[key] as Field)) return false;
  }
  for (const name of Object.keys(shown)) {
    if (findMapEntry(node, name) !== undefined || apart.has(name)) continue;
    if (!Object.hasOwn(facts, name)) return false;
    if (canonicaliseField(shown[name] as Value, facts[name] as Field) !== undefined) return false;
  }
  return true;
}

const none: ReadonlySet<string> = new Set();

function isSameField(node: Node, shown: Value | undefined, { kind, element = {} }: Field): boolean {
  if (kind === "text" || kind === "word") return isSameScalar(node, shown);
  // What a server shows of a secret is not what is written, and the others are rare.
  if (kind !== "set" && kind !== "permissions") return false;
  if (node.kind !== "list" || !isList(shown) || node.items.length !== shown.length) return false;
  let at = 0;
  for (const item of node.items) {
    const other = shown[at++] as Value;
    const isSame =
      kind === "set" ? isSameScalar(item, other) : isObject(other) && isShownAsWritten(item, other, element);
    if (!isSame) return false;
  }
  return true;
}

function isSameScalar(node: Node, shown: Value | undefined): boolean {
  return node.kind === "scalar" && node.value === shown;
}
