// A text that is edited, and where its items are.
import type { Json } from "../json/value.ts";
import { skipSpacesAndComments } from "../load/between-nodes.ts";
import type { Layout, LayoutList, LayoutMap, LayoutPair, LayoutScalar } from "../model/layout.ts";
import { NotEditable } from "./not-editable.ts";
import type { TextEdit } from "./text-edits.ts";
import { getQuotes, type Quotes } from "./written.ts";

/** A text with its edits so far. */
export interface Text {
  readonly text: string;
  readonly lineBreak: string;
  readonly edits: TextEdit[];
}

/** Where a value is. */
export interface Place {
  readonly owner: LayoutMap | LayoutList;
  /** Behind the `:` or `-`. */
  readonly at: number;
  /** An anchor or a tag is before the value. */
  readonly hasProperties: boolean;
}

export interface NewItem {
  /** In a map. */
  readonly key?: string;
  readonly value: Json;
}

/** As the other strings around are written. */
export function findQuotes(owner: LayoutMap | LayoutList): Quotes {
  if (owner.kind === "map") return isJson(owner) ? "json" : "plain";
  const strings = owner.items.flatMap((item) =>
    item?.kind === "scalar" && typeof item.value === "string" ? [item] : [],
  );
  if (strings.length === 0) return owner.items.length > 0 && owner.items.every(isJson) ? "json" : "plain";
  return strings.every(({ style }) => style === strings[0]?.style) ? getQuotes(strings[0] as LayoutScalar) : "plain";
}

/** A map in braces whose keys are all in double quotes. */
function isJson(node: Layout | undefined): boolean {
  return (
    node?.kind === "map" &&
    node.isFlow &&
    node.items.length > 0 &&
    node.items.every(({ key }) => key?.kind === "scalar" && key.style === "double")
  );
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** From the key or dash to the end of the value. */
export function listStretches(text: string, node: LayoutMap | LayoutList): readonly Stretch[] {
  if (node.kind === "map")
    return node.items.map(({ key, value }: LayoutPair) => {
      if (!key) throw new NotEditable("there is a value without a key");
      return { start: key.start, end: Math.max(key.end, value?.end ?? 0) };
    });
  if (node.isFlow) {
    return node.items.map((item) => {
      if (!item) throw new NotEditable("a list has an empty item");
      return item;
    });
  }
  let at = node.start;
  return node.items.map((item) => {
    const start = skipSpacesAndComments(text, at);
    at = item?.end ?? start + 1;
    return { start, end: at };
  });
}
