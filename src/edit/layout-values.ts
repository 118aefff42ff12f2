import type { Json } from "../json/value.ts";
import type { Layout, LayoutMap, LayoutPair } from "../model/layout.ts";

/** What is written there, aliases and merge keys followed. */
export function readLayout(layout: Layout | undefined): Json {
  if (layout === undefined) return null;
  if (layout.kind === "alias") return readLayout(layout.of);
  if (layout.kind === "scalar") return layout.value;
  if (layout.kind === "list") return layout.items.map(readLayout);
  const merged: [string, Json][] = [];
  const own: [string, Json][] = [];
  for (const pair of layout.items) {
    const value = readLayout(pair.value);
    if (isMerge(pair)) merged.push(...listMerged(value));
    else own.push([readKey(pair), value]);
  }
  // Of several merged maps the first counts, and own keys before these.
  return Object.fromEntries([...merged.reverse(), ...own]);
}

function listMerged(value: Json): readonly [string, Json][] {
  if (Array.isArray(value)) return value.flatMap(listMerged);
  return typeof value === "object" && value !== null ? (Object.entries(value) as [string, Json][]) : [];
}

export function readKey({ key }: LayoutPair): string {
  const scalar = key?.kind === "alias" ? key.of : key;
  if (scalar?.kind !== "scalar") return "";
  return typeof scalar.value === "string" ? scalar.value : scalar.source;
}

export function isMerge({ key }: LayoutPair): boolean {
  return key?.kind === "scalar" && key.style === "plain" && key.source === "<<";
}

export function findPair(map: LayoutMap, key: string): LayoutPair | undefined {
  return map.items.find((pair) => !isMerge(pair) && readKey(pair) === key);
}
