import { isSortedSet, toMultiset, toSet, withSortedKeys } from "../json/canonical.ts";
import { plainTextReference, Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import type { Field } from "./facts.ts";

/**
 * The one canonical form of a resource, for both sides: known fields in the order of the family's facts, a field at
 * its default absent, sets sorted and unique, multisets sorted by content. Fields that are not known follow in
 * code-unit order, as they are but for the order of their keys.
 *
 * @param apart names of fields that are no part of the resource
 */
export function canonicaliseFields(
  value: Fields,
  facts: Readonly<Record<string, Field>>,
  apart: ReadonlySet<string> = none,
): Fields {
  const known: Record<string, Value> = {};
  for (const name in facts) {
    const item = value[name];
    if (item === undefined) continue;
    const form = canonicaliseField(item, facts[name] as Field);
    if (form !== undefined) known[name] = form;
  }
  const unknown: string[] = [];
  for (const name of Object.keys(value)) if (!Object.hasOwn(facts, name) && !apart.has(name)) unknown.push(name);
  if (unknown.length === 0) return known;
  const kept = unknown.sort().map((name): [string, Value] => [name, withSortedKeys(value[name] as Value)]);
  return Object.fromEntries([...Object.entries(known), ...kept]);
}

const none: ReadonlySet<string> = new Set();

/** Undefined where the value is the field's default: absent, null, empty. */
export function canonicaliseField(value: Value, field: Field): Value | undefined {
  if (value === null) return undefined;
  switch (field.kind) {
    case "text":
    case "word":
      return value === "" ? undefined : value;
    case "set": {
      // A null in a list is no absence: servers that store it may fail on it, so it has to be seen and taken out.
      const members = isList(value) ? value : [value];
      if (members.length === 0) return undefined;
      return isSortedSet(members) ? members : toSet(members.map(asText));
    }
    case "map":
      return isObject(value) ? canonicaliseMap(value) : value;
    case "credential":
      return typeof value === "string"
        ? value === ""
          ? undefined
          : new Secret(plainTextReference, value)
        : value instanceof Secret
          ? value.whole()
          : value;
    case "flag":
      return value;
    case "names":
      return isList(value) ? toNames(value, field) : value;
    case "lists":
      return isObject(value) ? mapMembers(value, (list) => (isList(list) ? toNames(list, field) : list)) : value;
    case "settings":
      return isObject(value) ? canonicaliseFields(value, field.element ?? {}) : value;
    case "permissions": {
      if (!isList(value)) return value;
      const [nulls, elements]: [null[], Fields[]] = [[], []];
      for (const element of value) {
        if (element === null) nulls.push(element);
        else if (isObject(element)) elements.push(canonicaliseFields(element, field.element ?? {}));
      }
      if (nulls.length > 0) return [...nulls, ...toMultiset(elements)];
      return elements.length === 0 ? undefined : toMultiset(elements);
    }
  }
}

function canonicaliseMap(value: Fields): Fields | undefined {
  const members = mapMembers(value, asText);
  return Object.keys(members).length === 0 ? undefined : members;
}

/** By name; a null is no value. */
function mapMembers(value: Fields, change: (member: Value) => Value): Fields {
  const members = Object.keys(value)
    .sort()
    .flatMap((name): [string, Value][] => (value[name] === null ? [] : [[name, change(value[name] as Value)]]));
  return Object.fromEntries(members);
}

function toNames(list: readonly Value[], { upperCase }: Field): Value {
  return toSet(list.map(asText).map((name) => (upperCase && typeof name === "string" ? name.toUpperCase() : name)));
}

/** Servers store numbers and booleans in lists of text as text. */
function asText(member: Value): Value {
  return typeof member === "number" || typeof member === "boolean" ? String(member) : member;
}

/** The value that means an absent field on the wire; undefined where the field must be left out. */
export function getEmptyValue(field: Field): Value | undefined {
  switch (field.kind) {
    case "text":
      return "";
    case "set":
    case "permissions":
      return [];
    case "map":
      return {};
    default:
      return undefined;
  }
}

export function isSecretFree(value: Value): boolean {
  if (value instanceof Secret) return false;
  if (isList(value)) return value.every(isSecretFree);
  if (isObject(value)) return Object.values(value).every(isSecretFree);
  return true;
}
