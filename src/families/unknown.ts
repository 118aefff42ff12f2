// Fields that servers keep and gate-sync does not know.
import { encodeCanonical } from "../json/canonical.ts";
import { type Fields, isEqual, isList, isObject, listValues, type Value } from "../json/value.ts";
import type { UnknownField } from "../model/change.ts";
import type { Field } from "./facts.ts";

/** In the value of an entry that is written with its mark, and of no other: it decides who may write it, and grants nothing. */
export const ownMark = "reserved";

/**
 * What a live resource has set that gate-sync does not know and that the desired one does not declare: on the server it
 * may grant or refuse anything. Not among them: `null`, `""`, `[]` and `{}`.
 */
export function findUnknownFields(
  live: Fields,
  desired: Fields,
  facts: Readonly<Record<string, Field>>,
): readonly UnknownField[] {
  const found: UnknownField[] = [];
  for (const [name, value] of Object.entries(live)) {
    if (name === ownMark) continue;
    const field = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (field === undefined) {
      if (!isUnset(value) && !Object.hasOwn(desired, name)) found.push({ path: [name], value });
    } else if (field.element && isList(value)) {
      const [element, wanted] = [field.element, listValues(desired[name])];
      for (const [at, each] of value.entries()) {
        const unknown = isObject(each) ? Object.entries(getUnknownFields(each, element)) : [];
        for (const [inner, held] of unknown) {
          const isDeclared = wanted.some((other) => isObject(other) && isSame(other[inner], held));
          if (!isUnset(held) && !isDeclared) found.push({ path: [name, String(at), inner], value: held });
        }
      }
    }
  }
  return found;
}

/** Canonical text of what an entry has set that gate-sync does not know; undefined where there is nothing. */
export function getUnknownText(entry: Fields, facts: Readonly<Record<string, Field>>): string | undefined {
  const found = findUnknownFields(entry, {}, facts);
  return found.length === 0 ? undefined : encodeCanonical(found.map(({ path, value }) => [path, value]));
}

function isUnset(value: Value): boolean {
  if (isList(value)) return value.length === 0;
  return isObject(value) ? Object.keys(value).length === 0 : value === null || value === "";
}

function isSame(one: Value | undefined, other: Value): boolean {
  return one !== undefined && isEqual(one, other);
}

export function getUnknownFields(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  return Object.fromEntries(
    Object.entries(element).filter(([name]) => name !== ownMark && !Object.hasOwn(facts, name)),
  );
}
