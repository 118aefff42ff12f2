// From what is wanted to edits of the text, as few and as small as they can be.
import { isEqual, isList, isObject, type Json, type JsonObject } from "../json/value.ts";
import { skipSpaces, skipSpacesAndComments } from "../load/between-nodes.ts";
import type { Layout, LayoutList, LayoutMap, LayoutPair } from "../model/layout.ts";
import { addItems } from "./add-items.ts";
import { alignLists } from "./align.ts";
import type { Place, Text } from "./edit-text.ts";
import { isMerge, readKey, readLayout } from "./layout-values.ts";
import { NotEditable } from "./not-editable.ts";
import { removeItems } from "./remove-items.ts";
import { replaceNode, replaceScalar } from "./replace-text.ts";

/** What is to be at a place and below it. */
export interface Wanted {
  /** All that is there; without a value, nothing is. */
  readonly leaf?: { readonly value?: Json };
  readonly below: ReadonlyMap<string, Wanted>;
}

export function editDocument(text: Text, root: Layout, wanted: Wanted): void {
  editNode(text, root, wanted, undefined);
}

function editNode(text: Text, node: Layout | undefined, wanted: Wanted, place: Place | undefined): void {
  if (wanted.leaf?.value !== undefined) {
    setValue(text, node, wanted.leaf.value, place);
    return;
  }
  const below = [...wanted.below];
  // Nothing is written there yet.
  if (node === undefined || (node.kind === "scalar" && node.value === null)) {
    setValue(text, node, buildValue(wanted), place);
    return;
  }
  if (node.kind === "alias") throw new NotEditable("it is an alias (*), and what it refers to is used in other places");
  if (node.kind === "scalar") throw new NotEditable("there is a single value where a map is wanted");
  if (node.kind === "list") {
    editList(text, node, below, place);
    return;
  }
  const merged = readLayout(node) as JsonObject;
  const changes: MapChanges = { removed: new Set(), added: [], changed: [] };
  for (const [key, one] of below) {
    const index = node.items.findIndex((pair) => !isMerge(pair) && readKey(pair) === key);
    const isRemoved = one.leaf !== undefined && one.leaf.value === undefined;
    if (index === -1 && Object.hasOwn(merged, key) && (isRemoved || one.leaf === undefined))
      throw new NotEditable(`${JSON.stringify(key)} comes from a merge key (<<)`);
    if (index === -1) changes.added.push([key, buildValue(one)]);
    else if (isRemoved) changes.removed.add(index);
    else changes.changed.push([index, (value, at) => editNode(text, value, one, at)]);
  }
  editMap(text, node, changes, place);
}

/** Of what is not there yet: maps down to the values. */
function buildValue({ leaf, below }: Wanted): Json {
  if (leaf?.value !== undefined) return leaf.value;
  if (leaf) throw new NotEditable("there is nothing at the place that is to be removed");
  return Object.fromEntries([...below].map(([key, one]) => [key, buildValue(one)]));
}

interface MapChanges {
  readonly removed: Set<number>;
  readonly added: [string, Json][];
  readonly changed: [number, (value: Layout | undefined, place: Place) => void][];
}

function editMap(text: Text, node: LayoutMap, { removed, added, changed }: MapChanges, place: Place | undefined): void {
  if (removed.size === node.items.length) {
    replaceNode(text, node, Object.fromEntries(added), place);
    return;
  }
  for (const [index, change] of changed) {
    const pair = node.items[index] as LayoutPair;
    change(pair.value, placeOf(text, node, pair));
  }
  removeItems(text, node, removed);
  addItems(
    text,
    node,
    { before: node.items.length, removed },
    added.map(([key, value]) => ({ key, value })),
  );
}

function placeOf({ text }: Text, map: LayoutMap, { key, value }: LayoutPair): Place {
  if (!key) throw new NotEditable("there is a value without a key");
  const colon = skipSpaces(text, key.end);
  if (text.charAt(colon) !== ":") throw new NotEditable("it has an explicit key (?)");
  return { owner: map, at: colon + 1, hasProperties: hasProperties(text, colon + 1, value) };
}

/** An anchor or a tag is before the value. */
function hasProperties(text: string, at: number, value: Layout | undefined): boolean {
  return value !== undefined && skipSpacesAndComments(text, at) !== value.start;
}

function editList(
  text: Text,
  node: LayoutList,
  below: readonly (readonly [string, Wanted])[],
  place: Place | undefined,
): void {
  const removed = new Set<number>();
  const added: { readonly value: Json }[] = [];
  for (const [key, one] of below) {
    const index = Number(key);
    const isRemoved = one.leaf !== undefined && one.leaf.value === undefined;
    if (index >= node.items.length && one.leaf?.value !== undefined) added.push({ value: one.leaf.value });
    else if (!(index < node.items.length)) throw new NotEditable("the list has no such item");
    else if (isRemoved) removed.add(index);
    else editNode(text, node.items[index], one, placeOfItem(text, node, index));
  }
  if (removed.size === node.items.length) {
    replaceNode(
      text,
      node,
      added.map(({ value }) => value),
      place,
    );
    return;
  }
  removeItems(text, node, removed);
  addItems(text, node, { before: node.items.length, removed }, added);
}

function placeOfItem({ text }: Text, list: LayoutList, index: number): Place {
  const item = list.items[index];
  if (list.isFlow) return { owner: list, at: item?.start ?? list.start + 1, hasProperties: false };
  const at = findDash(text, list, index) + 1;
  return { owner: list, at, hasProperties: hasProperties(text, at, item) };
}

/** Of a block list: where the dash of an item is. */
function findDash(text: string, list: LayoutList, index: number): number {
  let dash = list.start;
  for (let at = 0; at < index; at++) dash = skipSpacesAndComments(text, list.items[at]?.end ?? dash + 1);
  return dash;
}

/** Makes a value another one, with what is equal in both left as it is. */
function setValue(text: Text, node: Layout | undefined, value: Json, place: Place | undefined): void {
  if (node && isEqual(readLayout(node), value)) return;
  if (node?.kind === "alias")
    throw new NotEditable("it is an alias (*), and what it refers to is used in other places");
  if (node?.kind === "map" && isObject(value) && Object.keys(value).length > 0) setMap(text, node, value, place);
  else if (node?.kind === "list" && isList(value) && value.length > 0) setList(text, node, value, place);
  else if (node?.kind === "scalar" && !isList(value) && !isObject(value)) replaceScalar(text, node, value, place);
  else replaceNode(text, node, value, place);
}

function setMap(text: Text, node: LayoutMap, value: JsonObject, place: Place | undefined): void {
  const own = new Set(node.items.filter((pair) => !isMerge(pair)).map(readKey));
  const merged = readLayout(node) as JsonObject;
  const changes: MapChanges = { removed: new Set(), added: [], changed: [] };
  for (const [index, pair] of node.items.entries()) {
    if (isMerge(pair)) continue;
    const key = readKey(pair);
    const wanted = Object.hasOwn(value, key) ? value[key] : undefined;
    if (wanted === undefined) changes.removed.add(index);
    else changes.changed.push([index, (one, at) => setValue(text, one, wanted, at)]);
  }
  for (const [key, wanted] of Object.entries(value))
    if (!own.has(key) && !(Object.hasOwn(merged, key) && isEqual(merged[key], wanted)))
      changes.added.push([key, wanted]);
  editMap(text, node, changes, place);
}

function setList(text: Text, node: LayoutList, value: readonly Json[], place: Place | undefined): void {
  const { removed, added, paired } = alignLists(node.items.map(readLayout), value);
  if (removed.size === node.items.length) {
    replaceNode(text, node, value, place);
    return;
  }
  for (const [index, wanted] of paired) setValue(text, node.items[index], wanted, placeOfItem(text, node, index));
  removeItems(text, node, removed);
  for (const [before, items] of added)
    addItems(
      text,
      node,
      { before, removed },
      items.map((one) => ({ value: one })),
    );
}
