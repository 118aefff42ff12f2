import type { Json, JsonObject } from "../json/value.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import { isHeader } from "./header.ts";

/** What a file of the product says of its internal users, as the API would show it: what is secret is left out at once. */
export function parseInternalUsersFile(root: Node): ReadonlyMap<string, JsonObject> {
  if (root.kind !== "map") return new Map();
  const entries = root.entries.filter((entry) => !isHeader(entry) && entry.value.kind === "map");
  return new Map(entries.map(({ key, value }) => [key, fieldsIn(value)]));
}

const lists = ["backend_roles", "roles", "opendistro_security_roles", "search_guard_roles"];

function fieldsIn(body: Node): JsonObject {
  const found = lists.flatMap((field) => {
    const list = findMapEntry(body, field)?.value;
    return list ? [[field, textsIn(list)] as const] : [];
  });
  const attributes = findMapEntry(body, "attributes")?.value;
  return {
    ...Object.fromEntries(found),
    ...(attributes?.kind === "map" && {
      attributes: Object.fromEntries(attributes.entries.map(({ key, value }) => [key, plainValue(value)])),
    }),
  };
}

function textsIn(list: Node): readonly string[] {
  const items = list.kind === "list" ? list.items : [list];
  return items.flatMap((item) => (item.kind === "scalar" && typeof item.value === "string" ? [item.value] : []));
}

/** Null for an unknown value: a secret, or no string at all. */
function plainValue(value: Node): Json {
  if (value.kind !== "scalar") return null;
  const plain = value.value;
  return typeof plain === "string" || typeof plain === "number" || typeof plain === "boolean" ? String(plain) : null;
}
