import { Secret } from "./secret.ts";

/** What JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** JSON in which a string may be a secret: what resources, edits and request bodies are made of. */
export type Value = string | number | boolean | null | Secret | readonly Value[] | Fields;
export type Fields = { readonly [key: string]: Value };

export function isObject(value: Value | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** One value as a list of it; absent and null as none. */
export function toList(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}

/** The items of a list; none of what is no list. */
export function listValues(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

/** The strings of a list; none of what is no list, and no secrets. */
export function listTexts(value: Value | undefined): readonly string[] {
  const isString = (item: Value): item is string => typeof item === "string";
  if (!isList(value)) return noTexts;
  // There are hundreds of thousands of lists: none is copied without need.
  return value.every(isString) ? value : value.filter(isString);
}

const noTexts: readonly string[] = [];

/** Every secret as its text; for comparing and sending, never for showing. */
export function reveal(value: Value): Json {
  if (isWithoutSecret(value)) return value;
  if (value instanceof Secret) return value.reveal();
  if (isList(value)) return value.map(reveal);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reveal(item)]));
}

function isWithoutSecret(value: Value): value is Json {
  return !holdsSecret(value);
}

export function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (a instanceof Secret || b instanceof Secret) return isText(a) && isText(b) && toComparable(a) === toComparable(b);
  if (isList(a)) return isList(b) && equalLists(a, b);
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !isEqual(a[key], b[key])) return false;
  return true;
}

function equalLists(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!isEqual(a[index], b[index])) return false;
  return true;
}

/** Itself or somewhere in it; of a million values nearly none does, so that none is copied to look. */
export function holdsSecret(value: Value): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Secret) return true;
  if (isList(value)) {
    for (const item of value) if (holdsSecret(item)) return true;
  } else if (isObject(value)) {
    for (const name in value) if (Object.hasOwn(value, name) && holdsSecret(value[name] ?? null)) return true;
  }
  return false;
}

export function isText(value: Value | undefined): value is string | Secret {
  return typeof value === "string" || value instanceof Secret;
}

/** For comparing and sorting only. A secret whose value was not resolved counts as its reference. */
export function toComparable(value: string | Secret): string {
  if (!(value instanceof Secret)) return value;
  return value.resolved ? value.reveal() : `\u0000${value.shown ?? value.reference}`;
}
