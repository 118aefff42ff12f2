import { isList, isObject, type Json, type JsonObject } from "../json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { Behaviour } from "./products/behaviour.ts";

export type Entries = ReadonlyMap<string, JsonObject>;

/** All that the server holds, as it stores it: the flags of an entry are among its fields. */
export interface EmulatorState extends Readonly<Record<ResourceFamily, Entries>> {
  /** `{dynamic: {...}}`; the text of an installed license is `dynamic.license`, as on real servers. */
  readonly config: JsonObject;
  /** As a file of the product has them, without hashes; absent: none. The API shows them and writes none. */
  readonly internalUsers?: Entries;
}

/**
 * What a server may start with; the rest is empty, except the product's built-in, protected entries. Action groups
 * may be bare lists.
 */
export type InitialState = Partial<Readonly<Record<ResourceFamily, ReadonlyMap<string, Json> | JsonObject>>> & {
  readonly config?: JsonObject;
  readonly internalUsers?: Entries;
  /** The text of an installed license. */
  readonly license?: string;
};

/** Entries that are no objects are left out: no server holds such. */
export function createEmulatorState(initial: InitialState, behaviour: Behaviour): EmulatorState {
  const families = resourceFamilies.map((family) => [family, entriesFrom(family, initial[family], behaviour)] as const);
  const config = initial.config ?? { dynamic: {} };
  return {
    ...(Object.fromEntries(families) as Record<ResourceFamily, Entries>),
    config: initial.license === undefined ? config : withLicense(config, initial.license),
  };
}

function entriesFrom(family: ResourceFamily, given: InitialState[ResourceFamily], behaviour: Behaviour): Entries {
  const entries = new Map<string, JsonObject>();
  const pairs: Iterable<[string, Json]> = given instanceof Map ? given : Object.entries((given ?? {}) as JsonObject);
  for (const [name, value] of pairs) {
    const fields = family === "action_groups" ? convertToGroup(value, behaviour) : value;
    if (isObject(fields)) entries.set(name, fields);
  }
  return entries;
}

/** A group in the one form that the release stores, whatever form it came in. */
export function convertToGroup(value: Json, { dialect }: Behaviour): Json {
  const list = dialect.actionGroup.list;
  if (isList(value)) return { [list]: value };
  if (!isObject(value)) return value;
  const other = list === "permissions" ? "allowed_actions" : "permissions";
  if (!(other in value) || list in value) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field === other ? list : field, item]));
}

export function withEntry(entries: Entries, name: string, fields: JsonObject): Entries {
  return new Map(entries).set(name, fields);
}

export function withoutEntry(entries: Entries, name: string): Entries {
  return new Map([...entries].filter(([other]) => other !== name));
}

export function withEntries(state: EmulatorState, family: ResourceFamily, entries: Entries): EmulatorState {
  return { ...state, [family]: entries };
}

export function findLicense(config: JsonObject): string | undefined {
  const license = isObject(config.dynamic) ? config.dynamic.license : undefined;
  return typeof license === "string" && license !== "" ? license : undefined;
}

export function withLicense(config: JsonObject, license: string): JsonObject {
  return { ...config, dynamic: { ...(isObject(config.dynamic) ? config.dynamic : {}), license } };
}
