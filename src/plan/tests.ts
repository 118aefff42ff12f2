import type { Dialect } from "../dialects/dialect.ts";
import { isSecretFree } from "../families/canonical.ts";
import { credentialFields } from "../families/credentials.ts";
import { withSortedKeys } from "../json/canonical.ts";
import { toPointer } from "../json/pointer.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, isText, toComparable, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";

/**
 * The `test` operations before the update or delete of one entry in a PATCH: with them the server itself refuses the
 * whole PATCH when the entry was changed since it was read. None where the test might fail without a change: a plan
 * must not fail because of a test.
 *
 * Where the fields are tested one by one, a field that had its default is not guarded: whether the patched document
 * has it is unknown, and the `test` of an absent field fails.
 *
 * @param at the path of the entry in the patched document; empty where the entry is the document
 */
export function createTests(
  { family, action, live }: Change,
  dialect: Dialect,
  at: readonly string[],
): readonly Fields[] {
  const wire = live?.wire;
  if (!dialect.honoursTest || action === "create" || wire === undefined) return [];
  // The stored user has a hash that no server shows.
  if (family === "internal_users") return fieldTests(withoutHash(wire), dialect, at);
  if (dialect.testsFields) return fieldTests(wire, dialect, at);
  const patched = dialect.omitsEmpty ? withoutDefaults(wire) : wire;
  return patched !== undefined && isCertain(patched, dialect) ? [testOf(at, patched)] : [];
}

function withoutHash(wire: Value): Value {
  if (!isObject(wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !credentialFields.includes(name)));
}

/** Where a PATCH carries a secret, its tests may hold the old one, or the same one elsewhere: all their texts are hidden. */
export function removeSecretTests(steps: readonly Fields[]): readonly Fields[] {
  if (steps.every(isSecretFree)) return steps;
  return steps.map((step) => (step.op === "test" ? { ...step, value: hidden(step.value ?? null) } : step));
}

function hidden(value: Value): Value {
  if (isText(value)) return new Secret("live", toComparable(value));
  if (isList(value)) return value.map(hidden);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hidden(item)]));
}

/** A bare list is the whole of its entry, and replaces it in bulk. */
function fieldTests(wire: Value, dialect: Dialect, at: readonly string[]): readonly Fields[] {
  const isTestable = (value: Value) => !isDefault(value) && isCertain(value, dialect);
  if (isList(wire)) {
    const place = at.length === 0 ? [dialect.actionGroup.list] : at;
    return isTestable(wire) ? [testOf(place, wire)] : [];
  }
  if (!isObject(wire)) return [];
  return Object.keys(wire)
    .sort()
    .filter((field) => dialect.pointerReaches(field) && isTestable(wire[field] as Value))
    .map((field) => testOf([...at, field], wire[field] as Value));
}

/** The keys in order: of the same entry always the same bytes. */
function testOf(at: readonly string[], value: Value): Fields {
  return { op: "test", path: toPointer(at), value: withSortedKeys(value) };
}

/**
 * An entry as Search Guard 7 patches it: without the fields that hold the default of their type, inside permissions
 * too; an empty permission stays as one. Undefined for a class that gate-sync does not know: which of its fields are
 * left out is unknown.
 */
function withoutDefaults(wire: Value): Value | undefined {
  if (wire === null) return null;
  if (!isObject(wire)) return undefined;
  const fields = set(wire);
  if (!fields.every(([, value]) => !isObject(value) && (!isList(value) || value.every(isPlain)))) return undefined;
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      isList(value) ? value.map((item) => (isObject(item) ? Object.fromEntries(set(item)) : item)) : value,
    ]),
  );
}

function set(fields: Fields): readonly (readonly [string, Value])[] {
  return Object.entries(fields).filter(([, value]) => !isDefault(value));
}

/** A scalar, or an object of scalars and lists of them. */
function isPlain(item: Value): boolean {
  if (isList(item)) return false;
  return (
    !isObject(item) || Object.values(item).every((value) => isFlat(value) || (isList(value) && value.every(isFlat)))
  );
}

function isFlat(value: Value): boolean {
  return !isList(value) && !isObject(value);
}

function isDefault(value: Value): boolean {
  if (isList(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === null || value === false || value === 0 || (isText(value) && toComparable(value) === "");
}

/** Whether what was read is what the server will compare with: reading may have changed a number, or half a character. */
function isCertain(value: Value, dialect: Dialect): boolean {
  if (isText(value)) return isCertainText(toComparable(value), dialect);
  if (isList(value)) return value.every((item) => isCertain(item, dialect));
  if (!isObject(value)) return typeof value !== "number";
  return Object.entries(value).every(([key, item]) => isCertainText(key, dialect) && isCertain(item, dialect));
}

function isCertainText(characters: string, { refusesAstral }: Dialect): boolean {
  return !/[\p{Surrogate}\ufffd]/u.test(characters) && !(refusesAstral && /[\u{10000}-\u{10ffff}]/u.test(characters));
}
