import type { Layout, LayoutList, LayoutMap } from "../model/layout.ts";
import type { TextEdit } from "./text-edits.ts";

/** The space within brackets of one line: `[a, b]`, `{ a: b }`. Those over several lines keep theirs. */
export function formatFlow(text: string, node: LayoutMap | LayoutList): readonly TextEdit[] {
  const { start, end } = node;
  const isBracketed = /^[[{]/.test(text.charAt(start));
  if (!isBracketed || text.slice(start, end).includes("\n")) return [];
  const edits: TextEdit[] = [];
  const pad = node.kind === "map" ? " " : "";
  const stretches = listItems(node);
  const only = (from: number, to: number, shape: RegExp, wanted: string) => {
    // An anchor or a tag, or a key without a value, may be in between.
    if (shape.test(text.slice(from, to))) edits.push({ start: from, end: to, text: wanted });
  };
  if (stretches.length === 0) only(start + 1, end - 1, /^[ \t]*$/, "");
  for (const [index, [from, to]] of stretches.entries()) {
    if (index === 0) only(start + 1, from, /^[ \t]*$/, pad);
    const next = stretches[index + 1];
    if (next) only(to, next[0], /^[ \t]*,[ \t]*$/, ", ");
    else only(to, end - 1, /^[ \t]*$/, pad);
  }
  if (node.kind === "map")
    for (const { key, value } of node.items)
      if (key && key.kind !== "alias" && value) only(key.end, value.start, /^[ \t]*:[ \t]*$/, ": ");
  const inner = node.kind === "list" ? node.items : node.items.map(({ value }) => value);
  for (const item of inner)
    if (item && item.kind !== "scalar" && item.kind !== "alias") edits.push(...formatFlow(text, item));
  return edits;
}

/** From the beginning to the end of each. */
function listItems(node: LayoutMap | LayoutList): readonly (readonly [number, number])[] {
  const place = (first: Layout | undefined, last = first): readonly (readonly [number, number])[] =>
    first && last ? [[first.start, last.end]] : [];
  return node.kind === "list"
    ? node.items.flatMap((item) => place(item))
    : node.items.flatMap(({ key, value }) => place(key ?? value, value ?? key));
}
