import { compareByCodeUnit } from "../json/canonical.ts";
import { isList, isObject, type Json, type JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { type FieldTable, flags, getElementFields, getFieldTable } from "./fields.ts";
import type { Behaviour } from "./products/behaviour.ts";
import type { Entries } from "./state.ts";

/** The answer to GET of a family: name to fields, in no order that means anything, hidden entries left out. */
export function showCollection(family: ResourceFamily, entries: Entries, behaviour: Behaviour): JsonObject {
  const visible = [...entries].filter(([, entry]) => entry.hidden !== true);
  const shown = visible.map(([name, entry]): [string, Json] => [
    name,
    behaviour.dialect.actionGroup.bare && family === "action_groups"
      ? bareGroup(showEntry(family, entry, behaviour), behaviour)
      : showEntry(family, entry, behaviour),
  ]);
  return Object.fromEntries(shown.sort(([a], [b]) => scrambled(a) - scrambled(b) || compareByCodeUnit(a, b)));
}

/** The answer to GET of one resource. */
export function showSingle(family: ResourceFamily, name: string, entry: JsonObject, behaviour: Behaviour): JsonObject {
  const shown = showEntry(family, entry, behaviour);
  const list = behaviour.dialect.actionGroup.list;
  switch (behaviour.single[family]) {
    case "by-name":
      return { [name]: shown };
    case "bare-list":
      return { [name]: shown[list] ?? [] };
    case "list-only":
      return { [list]: shown[list] ?? [] };
    case "wrapped":
      return { block: shown };
  }
}

/** An entry with its defaults filled in: what GET of its family shows, and what a patch is applied to. */
export function showEntry(family: ResourceFamily, entry: JsonObject, behaviour: Behaviour): JsonObject {
  const fields = behaviour.fillsLists.has(family)
    ? filled(entry, getFieldTable(family, behaviour), behaviour)
    : Object.entries(entry);
  const shown = fields.filter(([name, value]) => !flags.includes(name) && value !== null);
  const flagged = flags.flatMap((flag): [string, Json][] => {
    const set = entry[flag] === true;
    return set || behaviour.showsFlags.has(family) ? [[flag, set]] : [];
  });
  return Object.fromEntries([...flagged, ...shown]);
}

/** Documented lists that are not stored are shown empty; texts that are not stored are not shown. */
function filled(entry: JsonObject, table: FieldTable, behaviour: Behaviour): [string, Json][] {
  const known = [...table].flatMap(([name, field]): [string, Json][] => {
    const list = field.kind === "set" || field.kind === "permissions";
    const value = entry[name] ?? (field.documented && list ? [] : undefined);
    if (value === undefined) return [];
    if (field.kind !== "permissions" || !isList(value)) return [[name, value]];
    return [[name, value.map((item) => filledElement(item, getElementFields(field, behaviour), behaviour))]];
  });
  return [...known, ...Object.entries(entry).filter(([name]) => !table.has(name))];
}

function filledElement(item: Json, table: FieldTable, behaviour: Behaviour): Json {
  if (!isObject(item)) return item;
  return Object.fromEntries(filled(item, table, behaviour).filter(([, value]) => value !== null));
}

/** In 6.x a group is its list alone, unless there is more to say about it. */
function bareGroup(shown: JsonObject, { dialect }: Behaviour): Json {
  const list = dialect.actionGroup.list;
  const more = Object.keys(shown).some((field) => field !== list);
  return more ? shown : (shown[list] ?? []);
}

/** The order of a hash map: always the same for the same names, and never sorted. FNV-1a over the code units. */
function scrambled(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
