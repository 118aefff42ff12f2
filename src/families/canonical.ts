import { toMultiset, toSet, withSortedKeys } from "../json/canonical.ts";
import { Secret } from "../json/secret.ts";
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
    const form = canonicalField(item, facts[name] as Field);
    if (form !== undefined) known[name] = form;
  }
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(facts, name) && !apart.has(name));
  if (unknown.length === 0) return known;
  const kept = unknown.sort().map((name): [string, Value] => [name, withSortedKeys(value[name] as Value)]);
  return Object.fromEntries([...Object.entries(known), ...kept]);
}

const none: ReadonlySet<string> = new Set();

/** Undefined where the value is the field's default: absent, null, empty. */
function canonicalField(value: Value, field: Field): Value | undefined {
  if (value === null) return undefined;
  switch (field.kind) {
    case "text":
    case "word":
      return value === "" ? undefined : value;
    case "set": {
      // A null in a list is no absence: servers that store it may fail on it, so it has to be seen and taken out.
      const members = isList(value) ? value : [value];
      return members.length === 0 ? undefined : toSet(members.every(isString) ? members : members.map(asText));
    }
    case "permissions": {
      if (!isList(value)) return value;
      const nulls = value.filter((element) => element === null);
      const elements = value.filter(isObject).map((element) => canonicaliseFields(element, field.element ?? {}));
      return nulls.length + elements.length === 0 ? undefined : [...nulls, ...toMultiset(elements)];
    }
  }
}

function isString(member: Value): member is string {
  return typeof member === "string";
}

/** Servers store numbers and booleans in lists of text as text. */
function asText(member: Value): Value {
  return typeof member === "number" || typeof member === "boolean" ? String(member) : member;
}

/** The value that means an absent field on the wire; undefined where the field must be left out. */
export function getEmptyValue(field: Field): Value | undefined {
  return field.kind === "text" ? "" : field.kind === "word" ? undefined : [];
}

export function isSecretFree(value: Value): boolean {
  if (value instanceof Secret) return false;
  if (isList(value)) return value.every(isSecretFree);
  if (isObject(value)) return Object.values(value).every(isSecretFree);
  return true;
}
