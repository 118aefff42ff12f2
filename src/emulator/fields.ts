import type { Field } from "../families/facts.ts";
import { factsOf } from "../families/index.ts";
import { isList, isObject, type Json, type JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Behaviour } from "./products/behaviour.ts";
import type { Entries } from "./state.ts";

/** The fields of a family by their names on the wire, as this server knows them. */
export interface KnownFields {
  readonly family: ResourceFamily;
  readonly fields: FieldTable;
  /**
   * Names at the top of any stored entry: a server knows the fields of what it holds, so a newer one can be played by
   * loading a state that has them.
   */
  readonly stored: ReadonlySet<string>;
  /** The same for the objects in each list of permissions, by the name of the list. */
  readonly elements: ReadonlyMap<string, { readonly fields: FieldTable; readonly stored: ReadonlySet<string> }>;
}

export type FieldTable = ReadonlyMap<string, Field>;

export const flags: readonly string[] = ["reserved", "hidden", "static"];

/** Walks through all entries: once per request, not once per entry. */
export function collectKnownFields(family: ResourceFamily, entries: Entries, behaviour: Behaviour): KnownFields {
  const fields = getFieldTable(family, behaviour);
  const all = [...entries.values()];
  const stored = new Set(all.flatMap((entry) => Object.keys(entry)));
  for (const flag of flags) stored.delete(flag);
  const lists = [...fields].filter(([, field]) => field.kind === "permissions");
  const elements = lists.map(([name, field]) => {
    const found = all.flatMap((entry) => elementNames(entry[name]));
    return [name, { fields: getElementFields(field, behaviour), stored: new Set(found) }] as const;
  });
  return { family, fields, stored, elements: new Map(elements) };
}

function elementNames(list: Json | undefined): readonly string[] {
  return isList(list) ? list.flatMap((element) => (isObject(element) ? Object.keys(element) : [])) : [];
}

export function getFieldTable(family: ResourceFamily, { dialect }: Behaviour): FieldTable {
  const list = dialect.actionGroup.list;
  return new Map(
    Object.entries(factsOf[family].fields).map(([name, field]) => [
      family === "action_groups" && name === "allowed_actions" ? list : name,
      field,
    ]),
  );
}

export function getElementFields(field: Field, { dialect }: Behaviour): FieldTable {
  const fields = Object.entries(field.element ?? {});
  return new Map(fields.filter(([name]) => name !== "document_types" || dialect.documentTypes));
}

/** An entry as it is kept: scalars in lists of text turned into text, fields that are null gone. */
export function convertToStored(entry: JsonObject, known: KnownFields): JsonObject {
  return storedFields(entry, known.fields, known);
}

function storedFields(entry: JsonObject, table: FieldTable, known: KnownFields): JsonObject {
  const kept = Object.entries(entry).flatMap(([name, value]): [string, Json][] => {
    const field = table.get(name);
    if (field === undefined) return [[name, value]];
    return value === null ? [] : [[name, storedField(name, value, field, known)]];
  });
  return Object.fromEntries(kept);
}

function storedField(name: string, value: Json, field: Field, known: KnownFields): Json {
  if (!isList(value)) return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (field.kind === "permissions") {
    const table = known.elements.get(name)?.fields ?? new Map<string, Field>();
    return value.map((item) => (isObject(item) ? storedFields(item, table, known) : item));
  }
  return value.map((item) => (item === null || typeof item === "string" ? item : String(item)));
}
