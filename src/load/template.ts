// The values of a template, with what they refer to of an item.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { getWrittenText, type MapEntry, type Node, type ScalarNode } from "../model/node.ts";
import {
  createForeignNameMessage,
  createNoTextMessage,
  createSameKeyMessage,
  createUnknownItemKeyMessage,
} from "./generator-messages.ts";
import type { Item } from "./items.ts";
import { findBelow, listVariableNames } from "./variables.ts";

/** What one generator comes to so far. */
export interface Generation {
  /** The name of an item. */
  readonly as: string;
  /** How many values it may still make. */
  left: number;
  readonly diagnostics: Diagnostic[];
}

/** Gives the value for an item; undefined where it has none, and why was noted. */
export type Make<T> = (item: Item) => T | undefined;

/** A reference, or the text between two. */
type Part = string | { readonly name: string; readonly place: SourceRange };

/** Each node keeps its place in the template, and gets that of the item. */
export function compileNode(node: Node, run: Generation): Make<Node> {
  switch (node.kind) {
    case "scalar":
      return compileScalar(node, run);
    case "list": {
      const makers = node.items.map((item) => ({ make: compileNode(item, run), isWhole: isWholeReference(item) }));
      return (item) => {
        const items: Node[] = [];
        for (const { make, isWhole } of makers) {
          const made = make(item);
          if (!made) return undefined;
          for (const one of isWhole && made.kind === "list" ? made.items : [made]) items.push(one);
        }
        return createList(node, item, items, run);
      };
    }
    case "map": {
      const makers = node.entries.map((entry) => compileEntry(entry, run));
      const isFixed = node.entries.every(({ key }) => !mayRefer(key));
      return (item) => {
        const entries: MapEntry[] = [];
        for (const make of makers) {
          const made = make(item);
          if (!made) return undefined;
          const first = isFixed ? undefined : entries.find(({ key }) => key === made.key);
          if (first) run.diagnostics.push(createSameKeyMessage(made.keyRange, made.key, first.keyRange));
          else entries.push(made);
        }
        return createMap(node, item, entries, run);
      };
    }
  }
}

/** A key with its value. */
export function compileEntry({ key, keyRange, value }: MapEntry, run: Generation): Make<MapEntry> {
  const [makeKey, makeValue] = [compileText(key, keyRange, run), compileNode(value, run)];
  return (item) => {
    const [name, made] = [makeKey(item), makeValue(item)];
    return name === undefined || !made ? undefined : { key: name, keyRange: withItem(keyRange, item), value: made };
  };
}

function compileScalar(node: ScalarNode, run: Generation): Make<Node> {
  if (typeof node.value !== "string" || !mayRefer(node.value)) return (item) => createScalar(node, item, node, run);
  const [first, ...others] = parseParts(node.value, node);
  if (typeof first === "object" && others.length === 0) return (item) => useWhole(first, node, item, run);
  const make = compileText(node.value, node, run);
  return (item) => {
    const value = make(item);
    return value === undefined ? undefined : createScalar(node, item, { value, shown: value }, run);
  };
}

/** A text; what it refers to of the item is a text, too. */
export function compileText(text: string, range: SourceRange, run: Generation): Make<string> {
  if (!mayRefer(text)) return () => text;
  const parts = parseParts(text, range);
  return (item) => {
    let joined = "";
    for (const part of parts) {
      if (typeof part === "string") {
        joined += part;
        continue;
      }
      const found = find(part, item, run);
      if (!found) return undefined;
      if (found.kind !== "scalar" || found.value === null) {
        run.diagnostics.push(createNoTextMessage(withItem(part.place, item), part.name, found));
        return undefined;
      }
      joined += getWrittenText(found);
    }
    return joined;
  };
}

/** The value with its type, at the place of the reference. */
function useWhole(part: Exclude<Part, string>, node: Node, item: Item, run: Generation): Node | undefined {
  const found = find(part, item, run);
  return found && moveTo(found, node, item, run);
}

function find({ name, place }: Exclude<Part, string>, item: Item, run: Generation): Node | undefined {
  const { as, diagnostics } = run;
  if (name === as) return item.value;
  const found = name.startsWith(`${as}.`) ? findBelow(item.value, name.slice(as.length + 1)) : undefined;
  if (found) return found;
  const at = withItem(place, item);
  if (!name.startsWith(`${as}.`)) diagnostics.push(createForeignNameMessage(at, name, as));
  else diagnostics.push(createUnknownItemKeyMessage(at, name, listVariableNames(new Map([[as, item.value]]))));
  return undefined;
}

function moveTo(node: Node, place: SourceRange, item: Item, run: Generation): Node {
  switch (node.kind) {
    case "scalar":
      return createScalar(place, item, { value: node.value, shown: getWrittenText(node) }, run);
    case "list":
      return createList(
        place,
        item,
        node.items.map((one) => moveTo(one, place, item, run)),
        run,
      );
    case "map": {
      const keyRange = withItem(place, item);
      const entries = node.entries.map(({ key, value }) => ({ key, keyRange, value: moveTo(value, place, item, run) }));
      return createMap(place, item, entries, run);
    }
  }
}

// Field by field, in one order: objects that are made by copying take twice the memory, and there are millions of them.

function createScalar(
  { file, start, end }: SourceRange,
  { range: generatedFor }: Item,
  { value, shown }: Pick<ScalarNode, "value" | "shown">,
  run: Generation,
): ScalarNode {
  run.left--;
  if (shown === undefined) return { file, start, end, generatedFor, kind: "scalar", value };
  return { file, start, end, generatedFor, kind: "scalar", value, shown };
}

function createList(
  { file, start, end }: SourceRange,
  { range: generatedFor }: Item,
  items: readonly Node[],
  run: Generation,
): Node {
  run.left--;
  return { file, start, end, generatedFor, kind: "list", items };
}

function createMap(
  { file, start, end }: SourceRange,
  { range: generatedFor }: Item,
  entries: readonly MapEntry[],
  run: Generation,
): Node {
  run.left--;
  return { file, start, end, generatedFor, kind: "map", entries };
}

export function withItem({ file, start, end }: SourceRange, { range }: Item): SourceRange {
  return { file, start, end, generatedFor: range };
}

const opening = "$" + "{each:";

export function mayRefer(text: string): boolean {
  return text.includes(opening);
}

export function isWholeReference(node: Node): boolean {
  return node.kind === "scalar" && typeof node.value === "string" && /^\$\{each:[^{}]*\}$/.test(node.value);
}

/** `$${each:NAME}` is the text without its first $. */
function parseParts(text: string, range: SourceRange): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, from)) {
    const end = text.indexOf("}", at);
    if (end === -1) break;
    const isEscaped = text[at - 1] === "$" && at > from;
    const before = text.slice(from, isEscaped ? at - 1 : at);
    const reference = text.slice(at, end + 1);
    if (isEscaped) parts.push(before + reference);
    else {
      if (before !== "") parts.push(before);
      parts.push({ name: reference.slice(opening.length, -1), place: locate(reference, range) });
    }
    from = end + 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The reference itself where it can be found in what was written. */
function locate(reference: string, { file, start, end }: SourceRange): SourceRange {
  const at = file.text.indexOf(reference, start);
  return at === -1 || at >= end ? { file, start, end } : { file, start: at, end: at + reference.length };
}
