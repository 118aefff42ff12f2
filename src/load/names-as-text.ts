import { getScalarSource, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { isFamilyKey } from "./by-family.ts";

/** Lists of names in role mappings, in every format. */
const nameLists: ReadonlySet<string> = new Set([
  "users",
  "hosts",
  "ips",
  "backend_roles",
  "backendroles",
  "and_backend_roles",
  "and_backendroles",
]);

/** The document with numbers and booleans as the text that was written, in lists of names: `users: [1234]`. */
export function convertNamesToStrings(root: Node): Node {
  if (root.kind !== "map") return root;
  return changed(root, (entry) =>
    isFamilyKey(entry.key) && entry.value.kind === "map"
      ? withValue(entry, changed(entry.value, ofEntry))
      : ofEntry(entry),
  );
}

/** One role mapping; a set of backend roles is a list within the list. */
function ofEntry(entry: MapEntry): MapEntry {
  if (entry.value.kind !== "map") return entry;
  return withValue(
    entry,
    changed(entry.value, (field) => (nameLists.has(field.key) ? withValue(field, asText(field.value, true)) : field)),
  );
}

function asText(node: Node, isList: boolean): Node {
  if (node.kind === "list") {
    if (node.items.every(isPlain)) return node;
    return { ...node, items: node.items.map((item) => asText(item, false)) };
  }
  if (isList || node.kind !== "scalar" || (typeof node.value !== "number" && typeof node.value !== "boolean"))
    return node;
  return { ...node, value: getScalarSource(node) };
}

function isPlain(node: Node): boolean {
  return node.kind === "scalar" && typeof node.value !== "number" && typeof node.value !== "boolean";
}

/** The same map where no entry changes: there are tens of thousands. */
function changed(map: MapNode, change: (entry: MapEntry) => MapEntry): MapNode {
  let entries: MapEntry[] | undefined;
  for (const [index, entry] of map.entries.entries()) {
    const now = change(entry);
    if (now === entry) continue;
    entries ??= [...map.entries];
    entries[index] = now;
  }
  return entries === undefined ? map : { ...map, entries };
}

function withValue(entry: MapEntry, value: Node): MapEntry {
  return value === entry.value ? entry : { ...entry, value };
}
